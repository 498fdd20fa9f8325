import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { checkDependencyAge, checkLock, checkStart } from "../../../cli/audit/manifest_checks.ts";
import { checkPermissions } from "../../../cli/audit/permissions.ts";
import {
  checkCsrf,
  checkGeneratedFile,
  checkHealth,
  checkKinds,
} from "../../../cli/audit/routes.ts";
import { type Files, inProject, page, routeWith, runCli } from "../support.ts";
import { type AuditRow, factsOf, setup, testRows } from "./rows.ts";

const routes: readonly AuditRow[] = [
  { name: "generated: missing", check: checkGeneratedFile, want: ["critical out of date"] },
  {
    name: "generated: impossible",
    check: checkGeneratedFile,
    files: { "app/page.ts": "export {};\n" },
    want: ["critical 1 problem, the first: E_NO_PAGE_FUNC"],
    at: "app/page.ts:1:1",
  },
  { name: "kinds: pages alone", check: checkKinds, want: ["ok"] },
  {
    name: "kinds: a route that writes, beside pages",
    check: checkKinds,
    files: { "app/api/x/route.ts": routeWith("GET", "PATCH") },
    want: ["warning they check no CSRF token"],
    at: "app/api/x/route.ts:2",
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
    want: ["ok"],
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
    want: ["ok"],
  },
];

for (
  const [name, change, want] of [
    [
      "its version",
      (text: string) => text.replaceAll(/(?<=@fw\/cli |version: ")[\d.]+/g, "0.0.1"),
      [
        "warning",
      ],
    ],
    ["a route", (text: string) => text.replace('pattern: "/"', 'pattern: "/x"'), ["critical"]],
    ["nothing", (text: string) => text, []],
  ] as const
) {
  Deno.test(`audit: the generated file differs in ${name}`, async () => {
    await inProject({ "app/page.ts": page }, async (root) => {
      assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
      const path = join(root, "fw_gen.ts");
      await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
      const found = checkGeneratedFile(await factsOf(root, {}));
      assertEquals<readonly string[]>(found.map(({ severity }) => severity), want);
    });
  });
}

/** A `deno.json` with these members. */
function manifest(members: Record<string, unknown>): Files {
  return { "deno.json": JSON.stringify(members) };
}

const starts: readonly AuditRow[] = [
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
    want: ["info without a list: --allow-net -R"],
    at: "deno.json",
  },
  { name: "lock: missing", check: checkLock, want: ["info no deno.lock"] },
  {
    name: "lock: of a workspace",
    check: checkLock,
    files: { "../deno.json": '{"workspace":["./project"]}', "../deno.lock": "{}" },
    want: ["ok"],
  },
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
  ...["P1D", 1440, { age: "P2D", exclude: ["jsr:@fw/*"] }, "2026-01-01"].map((age): AuditRow => ({
    name: `age: ${JSON.stringify(age)}`,
    check: checkDependencyAge,
    files: manifest({ minimumDependencyAge: age }),
    want: ["ok"],
  })),
  ...[0, "0", "P0D", "PT0S", { age: 0 }].map((age): AuditRow => ({
    name: `age: ${JSON.stringify(age)}`,
    check: checkDependencyAge,
    files: manifest({ minimumDependencyAge: age }),
    want: ["warning is off"],
    at: "deno.json",
  })),
];

testRows([...routes, ...starts]);
