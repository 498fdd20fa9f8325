import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import {
  checkEnv,
  checkHeaders,
  checkHosts,
  checkMetrics,
  checkProxies,
  checkSettings,
  checkTrusted,
} from "../../cli/audit/exposure.ts";
import { type Finding, findingIds, severities } from "../../cli/audit/finding.ts";
import {
  checkDependencyAge,
  checkLock,
  checkPermissions,
  checkStart,
} from "../../cli/audit/manifest_checks.ts";
import { type AuditCheck, gatherFacts } from "../../cli/audit/project_facts.ts";
import { checkCsrf, checkGenerated, checkHealth, checkKinds } from "../../cli/audit/routes.ts";
import { checkSecret, checkToken } from "../../cli/audit/secrets.ts";
import {
  checkDeno,
  checkDenoVersion,
  checkLint,
  checkTypes,
  checkVersions,
  checkVulnerabilities,
  oldestDeno,
} from "../../cli/audit/toolchain.ts";
import { messagesIn } from "../../cli/messages/catalog.ts";
import { version } from "../../runtime/base/conventions.ts";
import {
  deno,
  type Files,
  inProject,
  inScratch,
  page,
  routeWith,
  runCli,
  writeFiles,
} from "./support.ts";

const long = "x".repeat(32);
const short = "x".repeat(31);

/** The text of a setup.ts whose Config holds these statements, from line 3 on. */
function setup(config: string, body = ""): string {
  return `import { Off } from "@fw/fw";\nexport function Config(config) {\n${config}\n}\n` +
    `export function Setup(app) {\n${body}\n}\n`;
}

interface Row {
  readonly name: string;
  readonly check: AuditCheck;
  readonly files?: Files;
  readonly env?: Record<string, string>;
  /** Each finding as `severity`, or `severity text` that its message holds. */
  readonly want: readonly string[];
  /** Where the first finding is. @default nowhere */
  readonly at?: string;
}

const secrets: readonly Row[] = [
  { name: "missing, nothing signs", check: checkSecret, want: ["info FW_SECRET is not set here"] },
  {
    name: "missing, and a handler signs",
    check: checkSecret,
    files: { "app/x/route.ts": "export function GET(c: Ctx) { c.setSigned('a', 'b', 1); }\n" },
    want: ["warning the code signs cookies (setSigned)"],
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
    want: ["info SHOP_KEY is not set here"],
  },
  { name: "32 bytes", check: checkSecret, env: { FW_SECRET: long }, want: ["ok"] },
  {
    name: "31 bytes",
    check: checkSecret,
    env: { FW_SECRET: short },
    want: ["critical FW_SECRET has 31 bytes"],
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
    name: "made by code",
    check: checkSecret,
    files: { "app/setup.ts": setup("config.secret = readKey();") },
    want: ["info made by code"],
    at: "app/setup.ts:3:1",
  },
  { name: "token: none", check: checkToken, want: ["ok no observability token"] },
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

const exposures: readonly Row[] = [
  { name: "settings are read", check: checkSettings, want: ["ok"] },
  {
    name: "settings are handed on",
    check: checkSettings,
    files: { "app/setup.ts": setup("secure(config);") },
    want: ["info"],
    at: "app/setup.ts:3:1",
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
    want: ["critical The metrics at /metrics have neither"],
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
    want: ["warning observability.trusted holds 0.0.0.0/0"],
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
    want: ["warning trustedProxies holds 0.0.0.0/0, ::/0"],
  },
  { name: "hosts: any", check: checkHosts, want: ["warning any host"] },
  {
    name: "hosts: listed",
    check: checkHosts,
    env: { FW_ALLOWED_HOSTS: "a.example" },
    want: ["ok"],
  },
  {
    name: "hosts: made by code",
    check: checkHosts,
    files: { "app/setup.ts": setup("config.allowedHosts = hosts();") },
    want: ["ok"],
  },
  { name: "headers: all", check: checkHeaders, want: ["ok"] },
  {
    name: "headers: two are off",
    check: checkHeaders,
    files: { "app/setup.ts": setup("config.security = { csp: Off, frameOptions: Off };") },
    want: ["info turned off: csp, frameOptions"],
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
    want: ["critical Config makes the environment dev"],
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

const routes: readonly Row[] = [
  { name: "generated: missing", check: checkGenerated, want: ["critical out of date"] },
  {
    name: "generated: impossible",
    check: checkGenerated,
    files: { "app/page.ts": "export {};\n" },
    want: ["critical 1 problem, the first: E_NO_PAGE_FUNC"],
    at: "app/page.ts:1:1",
  },
  { name: "kinds: pages alone", check: checkKinds, want: ["ok"] },
  {
    name: "kinds: a route that writes, beside pages",
    check: checkKinds,
    files: { "app/api/x/route.ts": routeWith("GET", "PATCH") },
    want: ["warning no CSRF token"],
    at: "app/api/x/route.ts",
  },
  {
    name: "kinds: a route that reads",
    check: checkKinds,
    files: { "app/api/x/route.ts": routeWith("GET", "OPTIONS") },
    want: ["ok"],
  },
  {
    name: "kinds: declared above",
    check: checkKinds,
    files: {
      "app/api/x/route.ts": routeWith("POST"),
      "app/api/kind.ts": 'export const Kind = "api";\n',
    },
    want: ["ok"],
  },
  {
    name: "kinds: opted out",
    check: checkKinds,
    files: { "app/x/route.ts": `${routeWith("POST")}export const CSRF = false;\n` },
    want: ["ok"],
  },
  {
    name: "kinds: no pages",
    check: checkKinds,
    files: { "app/page.ts": "-> none", "app/x/route.ts": routeWith("DELETE") },
    want: ["ok"],
  },
  {
    name: "kinds: every route checks",
    check: checkKinds,
    files: {
      "app/x/route.ts": routeWith("POST"),
      "app/setup.ts": setup("config.csrfForApi = true;"),
    },
    want: ["ok"],
  },
  { name: "csrf: everywhere", check: checkCsrf, want: ["ok"] },
  {
    name: "csrf: opted out",
    check: checkCsrf,
    files: { "app/x/route.ts": `${routeWith("POST")}export const CSRF = false;\n` },
    want: ["info CSRF = false"],
    at: "app/x/route.ts",
  },
  { name: "health: no check", check: checkHealth, want: ["warning"] },
  {
    name: "health: a check in Setup",
    check: checkHealth,
    files: { "app/setup.ts": setup("", 'app.check("db", () => ping());') },
    want: ["ok 1 health check"],
  },
  {
    name: "health: a check elsewhere, over two lines",
    check: checkHealth,
    files: {
      "lib/db.ts": 'export function watch(app: App) {\n  app\n    .check(\n"db", ping);\n}\n',
    },
    want: ["ok"],
  },
  {
    name: "health: the check of a schema is none",
    check: checkHealth,
    files: { "lib/x.ts": "export const S = struct({}).check((v) => undefined);\n" },
    want: ["warning"],
  },
  {
    name: "health: checks of tests are none",
    check: checkHealth,
    files: { "lib/x_test.ts": 'app.check("db", ping);\n', "tests/y.ts": 'app.check("a", b);\n' },
    want: ["warning"],
  },
  {
    name: "health: off",
    check: checkHealth,
    files: { "app/setup.ts": setup("config.observability.health = Off;") },
    want: ["ok health endpoints are off"],
  },
];

/** A `deno.json` with these members. */
function manifest(members: Record<string, unknown>): Files {
  return { "deno.json": JSON.stringify(members) };
}

const starts: readonly Row[] = [
  { name: "start: none", check: checkStart, want: ["info No start task"], at: "deno.json" },
  {
    name: "start: there",
    check: checkStart,
    files: manifest({ tasks: { start: "deno run fw_gen.ts" } }),
    want: ["ok"],
  },
  {
    name: "start: of a library",
    check: checkStart,
    files: manifest({ exports: "./fw_gen.ts", tasks: { start: "deno run ./fw_gen.ts" } }),
    want: ["warning is a library"],
    at: "deno.json",
  },
  {
    name: "start: of a library that brings a host",
    check: checkStart,
    files: manifest({ exports: "./fw_gen.ts", tasks: { start: "deno run host.ts" } }),
    want: ["ok"],
  },
  { name: "permissions: no tasks", check: checkPermissions, want: ["ok"] },
  {
    name: "permissions: everything, in start",
    check: checkPermissions,
    files: manifest({ tasks: { start: "deno run -A fw_gen.ts" } }),
    want: ["warning in the task start"],
    at: "deno.json",
  },
  {
    name: "permissions: everything, in start and build",
    check: checkPermissions,
    files: manifest({
      tasks: {
        start: { command: "x && deno run --allow-all fw_gen.ts" },
        build: "deno compile -A fw_gen.ts",
      },
    }),
    want: ["warning in the task start, build"],
    at: "deno.json",
  },
  {
    name: "permissions: the command line itself may do everything",
    check: checkPermissions,
    files: manifest({
      tasks: {
        start: "deno run --allow-net=127.0.0.1 fw_gen.ts",
        build: "deno run -A jsr:@fw/cli@^0.1 build",
      },
    }),
    want: ["ok"],
  },
  {
    name: "permissions: without names",
    check: checkPermissions,
    files: manifest({ tasks: { start: "deno run --allow-net -R --allow-env=A fw_gen.ts" } }),
    want: ["info more than names: --allow-net -R"],
    at: "deno.json",
  },
  { name: "lock: missing", check: checkLock, want: ["info no deno.lock"] },
  { name: "lock: there", check: checkLock, files: { "deno.lock": "{}" }, want: ["ok"] },
  {
    name: "lock: elsewhere",
    check: checkLock,
    files: { ...manifest({ lock: { path: "my.lock" } }), "my.lock": "{}" },
    want: ["ok"],
  },
  {
    name: "lock: off",
    check: checkLock,
    files: manifest({ lock: false }),
    want: ["warning turns the lock file off"],
    at: "deno.json",
  },
  { name: "age: Deno's own", check: checkDependencyAge, want: ["ok"] },
  ...["P1D", 1440, { age: "P2D", exclude: ["jsr:@fw/*"] }, "2026-01-01"].map((age): Row => ({
    name: `age: ${JSON.stringify(age)}`,
    check: checkDependencyAge,
    files: manifest({ minimumDependencyAge: age }),
    want: ["ok"],
  })),
  ...[0, "0", "P0D", "PT0S", { age: 0 }].map((age): Row => ({
    name: `age: ${JSON.stringify(age)}`,
    check: checkDependencyAge,
    files: manifest({ minimumDependencyAge: age }),
    want: ["warning is off"],
    at: "deno.json",
  })),
];

for (
  const { name, check, files = {}, env = {}, want, at } of [
    ...secrets,
    ...exposures,
    ...routes,
    ...starts,
  ]
) {
  Deno.test(`audit: ${name}`, async () => {
    const { "app/page.ts": home, ...rest } = { "app/page.ts": page, ...files };
    const all = home === "-> none" ? rest : { "app/page.ts": home, ...rest };
    await inProject(all, async (root) => {
      const findings = await check(await gatherFacts(root, ioOf(root, env)));
      assertEquals(
        findings.map(({ severity }) => severity),
        want.map((text) => text.split(" ")[0]),
      );
      want.forEach((text, index) => {
        assertStringIncludes(findings[index]?.message ?? "", text.replace(/^\w+ ?/, ""));
      });
      for (const finding of findings) checkForm(finding);
      const [place] = findings[0]?.places ?? [];
      assertEquals(
        place === undefined
          ? undefined
          : [place.file, place.line, place.column].filter((part) => part !== undefined).join(":"),
        at,
      );
    });
  });
}

function ioOf(cwd: string, env: Record<string, string>): Parameters<typeof gatherFacts>[1] {
  const signal = new AbortController().signal;
  return { stdout: () => {}, stderr: () => {}, cwd, env, isTerminal: false, signal };
}

/** What holds for every finding. */
function checkForm({ id, severity, message, mend }: Finding): void {
  assert(findingIds.includes(id) && severities.includes(severity) && message !== "");
  assertEquals(mend === undefined, severity === "ok", id);
}

const versions: readonly [version: string, severity: string][] = [
  ["2.9.6", "ok"],
  [`${oldestDeno}.0`, "ok"],
  ["3.0.0", "ok"],
  ["2.8.9", "critical"],
  ["1.46.3", "critical"],
];
for (const [text, want] of versions) {
  Deno.test(`audit: Deno ${text} is ${want}`, () => {
    const [finding] = checkDenoVersion(text, messagesIn("en"));
    assertEquals(finding?.severity, want);
  });
}

Deno.test("audit: this Deno is supported", () => {
  assertEquals(checkDeno({ messages: messagesIn("en") })[0]?.severity, "ok");
});

Deno.test("audit: the library's version, as the application gets it", async () => {
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const root = join(folder, "shop");
    const check = async (): Promise<Finding | undefined> =>
      (await checkVersions(await gatherFacts(root, ioOf(root, {}))))[0];
    assertEquals((await check())?.message, `library and command line are both ${version}`);
    await writeFiles(root, {
      "deno.json": '{"imports":{"@fw/fw/conventions":"./old.ts"}}',
      "old.ts": 'export const version = "0.0.9";\n',
    });
    const old = await check();
    assertEquals([old?.severity, old?.id], ["warning", "versions"]);
    assertStringIncludes(old?.message ?? "", "The library is 0.0.9");
    await writeFiles(root, { "deno.json": "{}" });
    assertEquals((await check())?.severity, "info");
  });
});

Deno.test("audit: lint and types, with their places", async () => {
  const files = { "lib/a.ts": "export const a: number = '';\nvar b = 1;\n" };
  await inProject({ "app/page.ts": page, ...files }, async (root) => {
    const facts = await gatherFacts(root, ioOf(root, {}));
    const [lint] = await checkLint(facts);
    assertEquals([lint?.severity, lint?.places?.[0]], [
      "warning",
      { file: "lib/a.ts", line: 2, column: 1 },
    ]);
    const [types] = await checkTypes(facts);
    assertEquals([types?.severity, types?.places?.[0]], [
      "critical",
      { file: "lib/a.ts", line: 1, column: 14 },
    ]);
    assertStringIncludes(types?.message ?? "", "TS2322");
    await writeFiles(root, { "lib/a.ts": "export const a = 1;\n" });
    assertEquals((await checkLint(facts))[0]?.severity, "ok");
    assertEquals((await checkTypes(facts))[0]?.severity, "ok");
  });
});

/** Answers as the registry's service does; a severity makes one vulnerability. */
function startRegistry(severity: string | undefined): Deno.HttpServer<Deno.NetAddr> {
  const found = {
    id: 1,
    title: "a hole",
    url: "https://advisories.example/1",
    severity,
    vulnerable_versions: "<2.0.0",
  };
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      await request.arrayBuffer();
      return Response.json(severity === undefined ? {} : { "left-pad": [found] });
    },
  );
}

const scans: readonly [severity: string | undefined, want: string, says: string][] = [
  [undefined, "ok", "no known vulnerability"],
  ["moderate", "warning", "(0 low, 1 moderate, 0 high, 0 critical): left-pad"],
  ["high", "critical", "1 high"],
  ["critical", "critical", "left-pad"],
];
for (const [severity, want, says] of scans) {
  Deno.test(`audit: a scan that finds ${severity ?? "nothing"} is ${want}`, async () => {
    const registry = startRegistry(severity);
    try {
      await inProject(scanned(registry.addr.port), async (root) => {
        const [finding] = await checkVulnerabilities(await gatherFacts(root, ioOf(root, {})));
        assertEquals(finding?.severity, want);
        assertStringIncludes(finding?.message ?? "", says);
      });
    } finally {
      await registry.shutdown();
    }
  });
}

Deno.test("audit: a service that cannot be reached is told, and is no fault of the project", async () => {
  const registry = startRegistry(undefined);
  const { port } = registry.addr;
  await registry.shutdown();
  await inProject(scanned(port), async (root) => {
    const [finding] = await checkVulnerabilities(await gatherFacts(root, ioOf(root, {})));
    assertEquals(finding?.severity, "info");
    assertStringIncludes(finding?.message ?? "", "service cannot be reached");
  });
});

/** A project that uses a package of a registry on this machine. */
function scanned(port: number): Files {
  return {
    ".npmrc": `registry=http://127.0.0.1:${port}/\n`,
    "deno.json": '{"imports":{"left-pad":"npm:left-pad@1.3.0"}}',
    "deno.lock": JSON.stringify({
      version: "5",
      specifiers: { "npm:left-pad@1.3.0": "1.3.0" },
      npm: { "left-pad@1.3.0": { integrity: "sha512-AAAA" } },
      workspace: { dependencies: ["npm:left-pad@1.3.0"] },
    }),
    "app/page.ts": page,
  };
}

Deno.test("audit of a new app: nothing critical; findings for people, the worst first", async () => {
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const cwd = join(folder, "shop");
    const { code, stdout, stderr } = await runCli(["audit"], { cwd });
    assertEquals([code, stderr], [0, ""], stdout);
    assertMatch(
      stdout,
      /^Looking at .*\n\nwarning hosts: No allowed .*\n {4}Set FW_ALLOWED_HOSTS .*\n\nwarning health: /,
    );
    assertMatch(
      stdout,
      /\nIn order: .*; deno check.*\.\n\n0 critical, 2 warnings, \d notes?, \d+ in order\.\n$/,
    );
  });
});

Deno.test("audit ends with 1 when something is critical, in every form", async () => {
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const cwd = join(folder, "shop");
    const env = { FW_OBS_TOKEN: "short", FW_METRICS: "/m", FW_LANG: "pt" };
    const people = await runCli(["audit"], { cwd, env });
    assertEquals(people.code, 1);
    assertStringIncludes(people.stdout, "crítico token: FW_OBS_TOKEN tem 5 bytes");
    const { code, stdout, stderr } = await runCli(["audit", "--json"], { cwd, env });
    assertEquals([code, stderr], [1, ""]);
    const report = JSON.parse(stdout);
    assertEquals([report.ok, report.counts.critical], [false, 1]);
    const token = report.items.find(({ id }: Finding) => id === "token");
    assertEquals(token.severity, "critical");
    assertEquals(Object.keys(token), ["id", "severity", "message", "mend"]);
    const counted = severities.reduce((sum, severity) => sum + report.counts[severity], 0);
    assertEquals(counted, report.items.length);
    assertEquals(
      new Set(report.items.map(({ id }: Finding) => id)),
      new Set(findingIds),
      "every finding has its row",
    );
  });
});

Deno.test("audit outside a project says so, with 1", async () => {
  await inScratch(async (cwd) => {
    const { code, stdout, stderr } = await runCli(["audit"], { cwd });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "deno.json beside an app/ folder");
  });
});

Deno.test("audit runs no code of the app", async () => {
  const boom = 'Deno.writeTextFileSync("ran.txt", "");\n';
  const files = {
    "app/page.ts": boom + page,
    "app/setup.ts": `${boom}export function Config() { ${boom} }\nexport function Setup() {}\n`,
  };
  await inProject(files, async (cwd) => {
    await runCli(["gen"], { cwd });
    await runCli(["audit"], { cwd });
    const { output } = await deno(["eval", 'console.log(Deno.statSync("ran.txt").size)'], cwd);
    assertStringIncludes(output, "NotFound");
  });
});
