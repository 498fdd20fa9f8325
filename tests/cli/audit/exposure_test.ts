import {
  checkEnv,
  checkHeaders,
  checkHosts,
  checkMetrics,
  checkProxies,
  checkSettings,
  checkTrusted,
} from "../../../cli/audit/exposure.ts";
import { checkSecret, checkToken } from "../../../cli/audit/secrets.ts";
import { type AuditRow, setup, testRows } from "./rows.ts";

const long = "x".repeat(32);
const short = "x".repeat(31);

const secrets: readonly AuditRow[] = [
  {
    name: "missing, nothing signs",
    check: checkSecret,
    want: ["info FW_SECRET is not set on this machine"],
  },
  {
    name: "missing, and a handler signs",
    check: checkSecret,
    files: { "app/x/route.ts": "export function GET(c: Ctx) { c.setSigned('a', 'b', 1); }\n" },
    want: ["critical the code signs cookies (setSigned)"],
    at: "app/x/route.ts:1:33",
  },
  {
    name: "missing, and something else has methods of these names",
    check: checkSecret,
    files: { "lib/x.ts": "export function f(store: Store) { store.signed('a'); }\n" },
    want: ["info"],
  },
  {
    name: "missing under the name that Config reads",
    check: checkSecret,
    files: { "app/setup.ts": setup('config.secret = Deno.env.get("SHOP_KEY");') },
    env: { FW_SECRET: long },
    want: ["info SHOP_KEY is not set on this machine"],
  },
  {
    name: "a sign-in that signs cookies",
    check: checkSecret,
    files: {
      "lib/auth.ts": 'import { oidc } from "@fw/fw/auth";\nexport const auth = oidc(client);\n',
    },
    want: ["critical signs cookies (oidc)"],
    at: "lib/auth.ts:2:21",
  },
  { name: "32 bytes", check: checkSecret, env: { FW_SECRET: long }, want: ["ok"] },
  {
    name: "31 bytes",
    check: checkSecret,
    env: { FW_SECRET: short },
    want: ["critical FW_SECRET has 31 bytes"],
  },
  {
    name: "40 blanks",
    check: checkSecret,
    env: { FW_SECRET: " ".repeat(40) },
    want: ["critical FW_SECRET has 0 bytes"],
  },
  {
    name: "31 characters of 32 bytes",
    check: checkSecret,
    env: { FW_SECRET: `é${"x".repeat(30)}` },
    want: ["ok"],
  },
  {
    name: "a short key that is rotated out",
    check: checkSecret,
    env: { FW_SECRET: long, FW_SECRET_PREVIOUS: short },
    want: ["critical FW_SECRET_PREVIOUS has 31 bytes"],
  },
  {
    name: "written in the code",
    check: checkSecret,
    files: { "app/setup.ts": setup(`config.secret = "${long}";`) },
    want: ["warning written in the code"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "written in the code, for development",
    check: checkSecret,
    files: { "app/setup.ts": setup(`if (config.env === "dev") config.secret = "dev";`) },
    env: { FW_SECRET: long },
    want: ["ok"],
  },
  {
    name: "computed by code",
    check: checkSecret,
    files: { "app/setup.ts": setup("config.secret = readKey();") },
    want: ["info computed by code"],
    at: "app/setup.ts:3:1",
  },
  { name: "token: none", check: checkToken, want: ["ok"] },
  { name: "token: 32 bytes", check: checkToken, env: { FW_OBS_TOKEN: long }, want: ["ok"] },
  {
    name: "token: 31 bytes",
    check: checkToken,
    env: { FW_OBS_TOKEN: short },
    want: ["critical FW_OBS_TOKEN has 31 bytes"],
  },
  {
    name: "token: short, in the code",
    check: checkToken,
    files: { "app/setup.ts": setup('config.observability = { token: "abc" };') },
    want: ["critical 3 bytes", "warning written in the code"],
    at: "app/setup.ts:3:1",
  },
];

const metricsOn = { "app/setup.ts": setup('config.observability.metrics = "/metrics";') };

const exposures: readonly AuditRow[] = [
  { name: "settings are read", check: checkSettings, want: ["ok"] },
  {
    name: "settings are handed on",
    check: checkSettings,
    files: { "app/setup.ts": setup("secure(config);") },
    want: ["info"],
    at: "app/setup.ts:3:8",
  },
  { name: "metrics: off", check: checkMetrics, want: ["ok"] },
  {
    name: "metrics: off by an empty variable",
    check: checkMetrics,
    env: { FW_METRICS: "" },
    want: ["ok"],
  },
  {
    name: "metrics: open",
    check: checkMetrics,
    env: { FW_METRICS: "/metrics" },
    want: ["critical The metrics at /metrics are public"],
  },
  {
    name: "metrics: open, in the code",
    check: checkMetrics,
    files: metricsOn,
    want: ["critical /metrics"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "metrics: under a condition",
    check: checkMetrics,
    files: { "app/setup.ts": setup('if (big()) config.observability.metrics = "/m";') },
    want: ["critical /m"],
    at: "app/setup.ts:3:12",
  },
  {
    name: "metrics: with a token",
    check: checkMetrics,
    files: metricsOn,
    env: { FW_OBS_TOKEN: long },
    want: ["ok"],
  },
  {
    name: "metrics: with a token that may be missing",
    check: checkMetrics,
    files: {
      "app/setup.ts": setup(
        'config.observability.metrics = "/m";\nif (x()) config.observability.token = read();',
      ),
    },
    want: ["critical"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "metrics: with a trusted network",
    check: checkMetrics,
    files: metricsOn,
    env: { FW_OBS_TRUSTED: "10.0.0.0/8" },
    want: ["ok"],
  },
  {
    name: "metrics: with a list of nobody",
    check: checkMetrics,
    files: {
      "app/setup.ts": setup('config.observability = { metrics: "/m", trusted: [] };'),
    },
    want: ["critical"],
    at: "app/setup.ts:3:1",
  },
  { name: "trusted: nobody", check: checkTrusted, want: ["ok"] },
  {
    name: "trusted: a network",
    check: checkTrusted,
    env: { FW_OBS_TRUSTED: "10.0.0.0/8,::1" },
    want: ["ok"],
  },
  {
    name: "trusted: everybody by IPv4",
    check: checkTrusted,
    env: { FW_OBS_TRUSTED: "10.0.0.0/8, 0.0.0.0/0" },
    want: ["warning observability.trusted contains 0.0.0.0/0"],
  },
  {
    name: "trusted: everybody by IPv6, in the code",
    check: checkTrusted,
    files: { "app/setup.ts": setup('config.observability.trusted = ["::/0"];') },
    want: ["warning ::/0"],
    at: "app/setup.ts:3:1",
  },
  { name: "proxies: none", check: checkProxies, want: ["info X-Forwarded-For"] },
  {
    name: "proxies: one",
    check: checkProxies,
    env: { FW_TRUSTED_PROXIES: "127.0.0.1" },
    want: ["ok"],
  },
  {
    name: "proxies: everybody",
    check: checkProxies,
    env: { FW_TRUSTED_PROXIES: "0.0.0.0/0,::/0" },
    want: ["warning trustedProxies contains 0.0.0.0/0, ::/0"],
  },
  { name: "hosts: any", check: checkHosts, want: ["warning any host"] },
  {
    name: "hosts: listed",
    check: checkHosts,
    env: { FW_ALLOWED_HOSTS: "a.example" },
    want: ["ok"],
  },
  {
    name: "hosts: computed by code",
    check: checkHosts,
    files: { "app/setup.ts": setup("config.allowedHosts = hosts();") },
    want: ["ok"],
  },
  { name: "headers: all", check: checkHeaders, want: ["ok"] },
  {
    name: "headers: two are off",
    check: checkHeaders,
    files: { "app/setup.ts": setup("config.security = { csp: Off, frameOptions: Off };") },
    want: ["info off: csp, frameOptions"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "headers: left to a host",
    check: checkHeaders,
    files: { "app/setup.ts": setup("config.security.delegated = true;") },
    want: ["info delegated"],
    at: "app/setup.ts:3:1",
  },
  { name: "env: nothing said", check: checkEnv, want: ["ok"] },
  { name: "env: prod", check: checkEnv, env: { FW_ENV: "PROD" }, want: ["ok"] },
  {
    name: "env: dev here",
    check: checkEnv,
    env: { FW_ENV: " Dev" },
    want: ["warning FW_ENV is dev"],
  },
  {
    name: "env: dev in the start task",
    check: checkEnv,
    files: { "deno.json": '{"tasks":{"start":"FW_ENV=dev deno run fw_gen.ts"}}' },
    want: ["critical deno.json: start"],
    at: "deno.json",
  },
  {
    name: "env: dev in the code",
    check: checkEnv,
    files: { "app/setup.ts": setup('config.env = "dev";') },
    want: ["critical Config sets the environment to dev"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "a file of variables that the start task names",
    check: checkHosts,
    files: {
      "deno.json": '{"tasks":{"start":"deno run --env-file=prod.env fw_gen.ts"}}',
      "prod.env": 'FW_ALLOWED_HOSTS="a.example"\n',
    },
    want: ["ok"],
  },
  {
    name: "a file of variables that is not there",
    check: checkHosts,
    files: { "deno.json": '{"tasks":{"start":"deno run --env-file fw_gen.ts"}}' },
    want: ["warning"],
  },
];

testRows([...secrets, ...exposures]);
