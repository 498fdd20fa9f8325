import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { checks } from "../../../cli/audit/checks.ts";
import { type Files, inProject, page, routeWith, runCli } from "../support.ts";
import { factsOf, setup, testRows } from "./rows.ts";

testRows("generated", checks.generated, [
  ["missing", "critical out of date"],
  ["impossible", "critical 1 problem, the first: E_NO_PAGE_FUNC at app/page.ts:1:1", {
    "app/page.ts": "export {};\n",
  }],
]);

testRows("kinds", checks.kinds, [
  ["pages alone", "ok"],
  [
    "a route that writes, beside pages",
    "warning they check no CSRF token at app/api/x/route.ts:2",
    { "app/api/x/route.ts": routeWith("GET", "PATCH") },
  ],
  ["a route that reads", "ok", { "app/api/x/route.ts": routeWith("GET", "OPTIONS") }],
  ["declared above", "ok", {
    "app/api/x/route.ts": routeWith("POST"),
    "app/api/kind.ts": 'export const Kind = "api";\n',
  }],
  ["opted out", "ok", { "app/x/route.ts": `${routeWith("POST")}export const CSRF = false;\n` }],
  ["no pages", "ok", { "app/page.ts": "-> none", "app/x/route.ts": routeWith("DELETE") }],
  ["every route checks", "ok", {
    "app/x/route.ts": routeWith("POST"),
    ...setup("config.csrfForApi = true;"),
  }],
]);

testRows("csrf", checks.csrf, [
  ["everywhere", "ok"],
  ["opted out", "info CSRF = false at app/x/route.ts", {
    "app/x/route.ts": `${routeWith("POST")}export const CSRF = false;\n`,
  }],
]);

testRows("health", checks.health, [
  ["no check", "warning"],
  ["a check in Setup", "ok", setup("", 'app.check("db", () => ping());')],
  ["a check in another file, over two lines", "ok", {
    "lib/db.ts": 'export function watch(app: App) {\n  app\n    .check(\n"db", ping);\n}\n',
  }],
  ["the check of a schema does not count", "warning", {
    "lib/x.ts": "export const S = struct({}).check((v) => undefined);\n",
  }],
  ["checks in tests do not count", "warning", {
    "lib/x_test.ts": 'app.check("db", ping);\n',
    "tests/y.ts": 'app.check("a", b);\n',
  }],
  ["off", "ok", setup("config.observability.health = Off;")],
]);

for (
  const [name, change, want] of [
    ["a route", (text: string) => text.replace('pattern: "/"', 'pattern: "/x"'), ["critical"]],
    ["nothing", (text: string) => text, []],
  ] as const
) {
  Deno.test(`audit: reports a generated file that differs in ${name}`, () =>
    inProject({ "app/page.ts": page }, async (root) => {
      assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
      const path = join(root, "fw_gen.ts");
      await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
      const found = await checks.generated(await factsOf(root, {}));
      assertEquals<readonly string[]>(found.map(({ severity }) => severity), want);
    }));
}

function manifest(members: Record<string, unknown>): Files {
  return { "deno.json": JSON.stringify(members) };
}

testRows("permissions", checks.permissions, [
  ["no tasks", "ok"],
  ["everything, in start", "warning in the task start at deno.json", {
    ...manifest({ tasks: { start: "deno run -A fw_gen.ts" } }),
  }],
  ["all permissions, in start and build", "warning in the task start, build at deno.json", {
    ...manifest({
      tasks: {
        start: { command: "x && deno run --allow-all fw_gen.ts" },
        build: "deno compile -A fw_gen.ts",
      },
    }),
  }],
  ["the command line itself may have all permissions", "ok", {
    ...manifest({
      tasks: {
        start: "deno run --allow-net=127.0.0.1 fw_gen.ts",
        build: "deno run -A jsr:@fw/cli@^0.1 build",
      },
    }),
  }],
  ["a list separated from its permission", 'warning "--allow-read public,data" at deno.json', {
    ...manifest({ tasks: { start: "deno run --allow-read public,data fw_gen.ts" } }),
  }],
  ["without names", "info without a list: --allow-net -R at deno.json", {
    ...manifest({ tasks: { start: "deno run --allow-net -R --allow-env=A fw_gen.ts" } }),
  }],
]);

testRows("lock", checks.lock, [
  ["missing", "info no deno.lock"],
  ["of a workspace", "ok", { "../deno.json": '{"workspace":["./project"]}', "../deno.lock": "{}" }],
  ["there", "ok", { "deno.lock": "{}" }],
  ["elsewhere", "ok", { ...manifest({ lock: { path: "my.lock" } }), "my.lock": "{}" }],
  ["at an impossible path", "info no deno.lock", manifest({ lock: { path: "\0" } })],
  ["off", "warning turns the lock file off at deno.json", manifest({ lock: false })],
]);
