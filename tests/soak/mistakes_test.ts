import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";
import type { Problem } from "../../cli/problem.ts";
import { deno, type Files, inScratch, runCli, writeFiles } from "../cli/support.ts";

const guarded = `import { sessions } from "@/lib/sessions.ts";

export const Middleware = sessions.requireRole("editor");
`;

const app: Files = {
  "lib/sessions.ts": `import { createSessions, type Sessions } from "@fw/fw/auth";

export const sessions: Sessions = createSessions();
`,
  "app/admin/middleware.ts": guarded,
  "app/admin/page.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Node {
  c.title = "Admin";
  return h.p("Admin");
}
`,
  "app/about/page.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Node {
  c.title = "About";
  return h.p("About");
}
`,
  "app/join/page.ts": `import { type Ctx, csrfInput, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Node {
  c.title = "Join";
  return h.form(h.method("post"), h.action("?/join"), csrfInput(c), h.button("Join"));
}

export const Actions = { join: (c: Ctx): Response => c.redirect("/about") };
`,
  "app/join/page_test.ts": `import { testApp, testRequest } from "@fw/fw/testing";

Deno.test("the pages answer", async () => {
  const app = await testApp();
  for (const path of ["/join", "/about", "/more"]) await testRequest(app, "GET", path);
});
`,
};

/** The mistakes, all made at once: each with the expected message of check and its files. */
const mistakes: readonly (readonly [name: string, finding: string, files?: Files])[] = [
  ["a page whose file has a wrong name", "E_BAD_FILE_NAME app/more/pages.ts:1", {
    "app/more/pages.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Node {
  c.titel = "More";
  return h.div(
    h.link(h.rel("stylesheet"), h.href(c.asset("/styl.css"))),
    h.a(h.href("/abuot"), "About us"),
    h.form(h.method("post"), h.action("/about"), h.button("Send")),
    h.button(h.type("button"), h.data("ui-swap", "list"), "Load"),
  );
}
`,
  }],
  ["a stale generated file", "E_STALE fw_gen.ts:1"],
  ["an unformatted file", "E_FORMAT lib/sums.ts:1", {
    "lib/sums.ts": "export const sum  = (a: number, b: number): number => a + b\n",
  }],
  ["a misspelt property", "E_TYPES app/more/page.ts:5"],
  ["a missing file", "E_NO_ASSET app/more/page.ts:7"],
  ["a misspelt link", "E_NO_SCRIPT app/more/page.ts:8"],
  ["a form to a page without POST", "E_NO_SCRIPT app/more/page.ts:9"],
  ["a button that only a script can use", "E_NO_SCRIPT app/more/page.ts:10"],
  ["a misspelt action", "E_NO_SCRIPT app/join/page.ts:6", {
    "app/join/page.ts": (app["app/join/page.ts"] ?? "").replace("?/join", "?/jion"),
  }],
  ["a removed guard", "E_POLICY app/admin/page.ts:4", {
    "app/admin/middleware.ts": `import type { Ctx, Next } from "@fw/fw";

export function Middleware(_c: Ctx, next: Next): Promise<Response> {
  return next();
}
`,
  }],
];

/** The production settings that the audit requires. */
const env = { FW_SECRET: "s".repeat(32), FW_ALLOWED_HOSTS: "example.com" };

/** Applies a fix literally, and throws if it cannot be followed. */
async function follow(problem: Problem, cwd: string): Promise<void> {
  const { fix = "", message, place } = problem;
  const file = join(cwd, place?.file ?? "");
  const line = place?.line ?? 0;
  const edit = async (change: (line: string) => string): Promise<void> => {
    const lines = (await Deno.readTextFile(file)).split("\n");
    const before = lines[line - 1] ?? "";
    lines[line - 1] = change(before);
    assert(lines[line - 1] !== before, `${fix}: nothing to change in ${before}`);
    await Deno.writeTextFile(file, lines.join("\n"));
  };
  const [, renamed] = /^Rename (?:it|the file) to (\S+?)[.,]?(?: |$)/.exec(fix) ?? [];
  const [, from, to] = /^Replace "?([^" ]+)"? with "?([^" ,]+?)"?[.,]/.exec(fix) ??
    /(\S+) leads to no route and no file; the nearest route is (\S+)$/.exec(message) ?? [];
  const [, meant] = /^Change spelling to '(\w+)'/.exec(fix) ?? [];
  const [, exported, target] = /^Export (\w+) from (\S+),/.exec(fix) ?? [];
  if (renamed !== undefined) await Deno.rename(file, join(dirname(file), renamed));
  else if (/^Run `(?:deno task|fw) gen`/.test(fix)) await runCli(["gen"], { cwd });
  else if (fix.startsWith("Run `deno fmt`")) await deno(["fmt"], cwd);
  else if (from !== undefined && to !== undefined) {
    const text = await Deno.readTextFile(file);
    assert(text.includes(from), `${from} is not in ${file}`);
    await Deno.writeTextFile(file, text.replace(from, to));
  } else if (meant !== undefined) {
    await edit((text) => text.replace(/titel/, meant));
  } else if (problem.code === "E_NO_ASSET") {
    await Deno.writeTextFile(join(cwd, message.match(/public\/\S+?\.css/)?.[0] ?? "-"), "");
  } else if (exported === "POST" && target !== undefined) {
    const text = await Deno.readTextFile(join(cwd, target));
    const post = '\nexport function POST(c: Ctx): Response {\n  return c.redirect("/about");\n}\n';
    await Deno.writeTextFile(join(cwd, target), text + post);
    await runCli(["gen"], { cwd });
  } else if (fix.startsWith("Make it a link with an href")) {
    await edit(() => '    h.a(h.href("/more"), h.data("ui-swap", "list"), "Load"),');
  } else if (fix.startsWith("Undo the change") && place?.file === "app/admin/page.ts") {
    await Deno.writeTextFile(join(cwd, "app/admin/middleware.ts"), guarded);
  } else if (problem.code === "E_POLICY") await runCli(["policy"], { cwd });
  else throw new Error(`Cannot follow ${JSON.stringify(problem)}`);
}

Deno.test("ten mistakes: check names the file, the line and a working fix for each", () =>
  inScratch(async (folder) => {
    await runCli(["new", "app"], { cwd: folder });
    const cwd = join(folder, "app");
    await writeFiles(cwd, app);
    await runCli(["gen"], { cwd });
    await runCli(["policy"], { cwd });
    for (const [, , files = {}] of mistakes) await writeFiles(cwd, files);
    const seen: string[] = [];
    let isHealed = false;
    for (let round = 0; round < 14; round++) {
      const { code, stdout, stderr } = await runCli(["check", "--json"], { cwd, env });
      const { ok, problems }: { ok: boolean; problems: Problem[] } = JSON.parse(stdout);
      assertEquals([code, stderr], [ok ? 0 : 1, ""]);
      isHealed = ok;
      if (ok) break;
      const errors = problems.filter(({ severity }) => severity !== "warning");
      for (const problem of errors) {
        seen.push(`${problem.code} ${problem.place?.file}:${problem.place?.line}`);
        assertMatch(problem.fix ?? "", /\S/);
      }
      for (const problem of errors) await follow(problem, cwd);
    }
    assert(isHealed, seen.join("\n"));
    const missing = mistakes.filter(([, finding]) => !seen.includes(finding));
    assertEquals(missing.map(([name, finding]) => `${name} ${finding}`), [], seen.join("\n"));
  }, { name: "mistakes" }));
