import { checks } from "../../../cli/audit/checks.ts";
import { setup, testRows } from "./rows.ts";

const long = "x".repeat(32);
const short = "x".repeat(31);

testRows("secret", checks.secret, [
  ["missing, and nothing signs", "info FW_SECRET is not set on this machine"],
  [
    "missing, and a handler signs",
    "critical the code signs with it (setSigned) at app/x/route.ts:1:33",
    { "app/x/route.ts": "export function GET(c: Ctx) { c.setSigned('a', 'b', 1); }\n" },
  ],
  ["missing, and another object has methods of these names", "info", {
    "lib/x.ts": "export function f(store: Store) { store.signed('a'); }\n",
  }],
  ["missing under the name that Config reads", "info SHOP_KEY is not set on this machine", {
    FW_SECRET: long,
    ...setup('config.secret = Deno.env.get("SHOP_KEY");'),
  }],
  ["signed tokens", "critical signs with it (createTokens) at lib/tokens.ts:2:23", {
    "lib/tokens.ts":
      'import { createTokens } from "@fw/fw/auth";\nexport const tokens = createTokens({ scheme: "A" });\n',
  }],
  ["tokens and sessions in a store", "info FW_SECRET is not set", {
    "lib/auth.ts": 'import { createSessions, createTokens } from "@fw/fw/auth";\n' +
      "createTokens({ stored: true });\ncreateSessions({ stored: true });\n",
  }],
  ["a sign-in that signs cookies", "critical signs with it (oidc) at lib/auth.ts:2:21", {
    "lib/auth.ts": 'import { oidc } from "@fw/fw/auth";\nexport const auth = oidc(client);\n',
  }],
  ["32 bytes", "ok", { FW_SECRET: long }],
  ["31 bytes", "critical FW_SECRET has 31 bytes", { FW_SECRET: short }],
  ["40 blanks", "critical FW_SECRET has 0 bytes", { FW_SECRET: " ".repeat(40) }],
  ["31 characters of 32 bytes", "ok", { FW_SECRET: `é${"x".repeat(30)}` }],
  ["a short key that is the previous secret", "critical FW_SECRET_PREVIOUS has 31 bytes", {
    FW_SECRET: long,
    FW_SECRET_PREVIOUS: short,
  }],
  ["written in the code", "warning written in the code at app/setup.ts:3:1", {
    ...setup(`config.secret = "${long}";`),
  }],
  ["hard-coded for development", "ok", {
    FW_SECRET: long,
    ...setup(`if (config.env === "dev") config.secret = "dev";`),
  }],
  ["computed by code", "info computed by code at app/setup.ts:3:1", {
    ...setup("config.secret = readKey();"),
  }],
]);

testRows("token", checks.token, [
  ["none", "ok"],
  ["32 bytes", "ok", { FW_OBS_TOKEN: long }],
  ["31 bytes", "critical FW_OBS_TOKEN has 31 bytes", { FW_OBS_TOKEN: short }],
  ["short, in the code", ["critical 3 bytes at app/setup.ts:3:1", "warning written in the code"], {
    ...setup('config.observability = { token: "abc" };'),
  }],
]);

const metricsOn = setup('config.observability.metrics = "/metrics";');

testRows("settings", checks.settings, [
  ["settings are read", "ok"],
  ["settings are passed to other code", "info at app/setup.ts:3:8", setup("secure(config);")],
]);

testRows("metrics", checks.metrics, [
  ["off", "ok"],
  ["off by an empty variable", "ok", { FW_METRICS: "" }],
  ["open", "critical The metrics at /metrics are public", { FW_METRICS: "/metrics" }],
  ["open, in the code", "critical /metrics at app/setup.ts:3:1", metricsOn],
  ["under a condition", "critical /m at app/setup.ts:3:12", {
    ...setup('if (big()) config.observability.metrics = "/m";'),
  }],
  ["with a token", "ok", { FW_OBS_TOKEN: long, ...metricsOn }],
  ["with a token that may be missing", "critical at app/setup.ts:3:1", {
    ...setup('config.observability.metrics = "/m";\nif (x()) config.observability.token = read();'),
  }],
  ["with a trusted network", "ok", { FW_OBS_TRUSTED: "10.0.0.0/8", ...metricsOn }],
  ["with a list of nobody", "critical at app/setup.ts:3:1", {
    ...setup('config.observability = { metrics: "/m", trusted: [] };'),
  }],
]);

testRows("trusted", checks.trusted, [
  ["nobody", "ok"],
  ["a network", "ok", { FW_OBS_TRUSTED: "10.0.0.0/8,::1" }],
  ["everybody by IPv4", "warning observability.trusted contains 0.0.0.0/0", {
    FW_OBS_TRUSTED: "10.0.0.0/8, 0.0.0.0/0",
  }],
  ["every client over IPv6, in the code", "warning ::/0 at app/setup.ts:3:1", {
    ...setup('config.observability.trusted = ["::/0"];'),
  }],
]);

testRows("proxies", checks.proxies, [
  ["none", "info X-Forwarded-For"],
  ["one", "ok", { FW_TRUSTED_PROXIES: "127.0.0.1" }],
  ["everybody", "warning trustedProxies contains 0.0.0.0/0, ::/0", {
    FW_TRUSTED_PROXIES: "0.0.0.0/0,::/0",
  }],
]);

testRows("hosts", checks.hosts, [
  ["hosts: any", "warning any host"],
  ["hosts: listed", "ok", { FW_ALLOWED_HOSTS: "a.example" }],
  ["hosts: computed by code", "ok", setup("config.allowedHosts = hosts();")],
  ["an env file named by the start task", "ok", {
    "deno.json": '{"tasks":{"start":"deno run --env-file=prod.env fw_gen.ts"}}',
    "prod.env": 'FW_ALLOWED_HOSTS="a.example"\n',
  }],
  ["a missing env file", "warning", {
    "deno.json": '{"tasks":{"start":"deno run --env-file fw_gen.ts"}}',
  }],
]);

testRows("headers", checks.headers, [
  ["all", "ok"],
  ["two are off", "info off: csp, frameOptions at app/setup.ts:3:1", {
    ...setup("config.security = { csp: Off, frameOptions: Off };"),
  }],
  ["left to a host", "info delegated at app/setup.ts:3:1", {
    ...setup("config.security.delegated = true;"),
  }],
]);

testRows("env", checks.env, [
  ["no setting", "ok"],
  ["prod", "ok", { FW_ENV: "PROD" }],
  ["dev here", "warning FW_ENV is dev", { FW_ENV: " Dev" }],
  ["dev in the start task", "critical deno.json: start at deno.json", {
    "deno.json": '{"tasks":{"start":"FW_ENV=dev deno run fw_gen.ts"}}',
  }],
  ["dev in the code", "critical Config sets the environment to dev at app/setup.ts:3:1", {
    ...setup('config.env = "dev";'),
  }],
]);
