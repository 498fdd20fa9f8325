import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { baseFiles, type Files, pageSaying, until, withDev } from "../../cli/dev/project.ts";

const brokenSources = [
  {
    name: "a syntax error in a route file",
    path: "app/page.ts",
    text: "export function Page() {\n  return = 1;\n}\n",
    title: "The routes cannot be generated",
    place: "app/page.ts:2:10",
    message: "Expression expected",
    fix: "Correct the syntax",
  },
  {
    name: "a syntax error in another file",
    path: "lib/words.ts",
    text: "export const word = = 1;\n",
    title: "The code does not compile",
    place: "lib/words.ts:1:21",
    message: "Expression expected",
    fix: "Correct the syntax at the marked place",
  },
  {
    name: "a missing module",
    path: "lib/words.ts",
    text: 'import "./word.ts";\nexport const word = 1;\n',
    title: "The code does not compile",
    place: "lib/words.ts:1:8",
    message: "Module not found &quot;lib/word.ts&quot;",
    fix: "Create &quot;lib/word.ts&quot;",
  },
  {
    name: "an import of a missing export",
    path: "lib/words.ts",
    text: "export const words = 1;\n",
    title: "The code does not compile",
    place: "app/setup.ts:1:10",
    message: "does not provide an export named &#39;word&#39;",
    fix: "Export &quot;word&quot; from",
  },
  {
    name: "an unknown package",
    path: "lib/words.ts",
    text: 'import "no-such-package";\nexport const word = 1;\n',
    title: "The code does not compile",
    place: "lib/words.ts:1:8",
    message: "no-such-package",
    fix: "deno add npm:no-such-package",
  },
  {
    name: "a throw at the top level",
    path: "lib/words.ts",
    text: 'export const word = 1;\nthrow new TypeError("Cannot <b>start</b>: fix it");\n',
    title: "The application does not start",
    place: "lib/words.ts:2:7",
    message: "Cannot &lt;b&gt;start&lt;/b&gt;: fix it",
    fix: "Do what the message says, or correct",
  },
  {
    name: "a throw in Setup",
    path: "app/setup.ts",
    text: "export function Setup(): void {\n  throw new Error('no database');\n}\n",
    title: "The application does not start",
    place: "app/setup.ts:2:9",
    message: "Error: no database",
    fix: "Do what the message says, or correct",
  },
  {
    name: "a throw in Config",
    path: "app/setup.ts",
    text:
      "export function Setup(): void {}\nexport async function Config(): Promise<void> {\n  await 0;\n  throw new Error('bad');\n}\n",
    title: "The application does not start",
    place: "app/setup.ts:4:9",
    message: "Error: bad",
    fix: "Do what the message says, or correct",
  },
  {
    name: "a process that exits",
    path: "app/setup.ts",
    text: "export function Setup(): void {\n  Deno.exit(7);\n}\n",
    title: "The application does not start",
    place: "",
    message: "exit code 7",
    fix: "Deno.exit",
  },
  {
    name: "a generation error",
    path: "app/page.ts",
    text: "export const GET = 1;\n",
    title: "The routes cannot be generated",
    place: "app/page.ts:1:14",
    message: "E_UNROUTABLE_METHOD",
    fix: "Page handles GET",
  },
  {
    name: "settings that are not valid JSON",
    path: "deno.json",
    text: '{\n  "imports": }\n',
    title: "The configuration cannot be read",
    place: "deno.json:2:14",
    message: "Failed deserializing",
    fix: "Correct the configuration file",
  },
];

Deno.test("dev shows every error as a page and in the terminal until it is fixed", async (t) => {
  const files = {
    "lib/words.ts": "export const word = 1;\n",
    "app/setup.ts":
      'import { word } from "../lib/words.ts";\nexport function Setup(): void {\n  if (word !== 1) throw word;\n}\n',
  };
  await withDev(files, async (project) => {
    const whole: Files = { ...baseFiles, ...files };
    // Each save corrects the last mistake and makes the next one, so each needs one start.
    let last = "app/page.ts";
    for (const broken of brokenSources) {
      await t.step(broken.name, async () => {
        const printed = project.process.written.stderr.length;
        project.writeAtOnce([[last, whole[last] ?? ""], [broken.path, broken.text]]);
        last = broken.path;
        const page = await until(
          () => project.page("/"),
          ({ body }) => body.includes(broken.place) && body.includes(broken.message),
        );
        assertEquals(page.status, 500);
        assertStringIncludes(page.body, broken.title);
        assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
        assertStringIncludes(page.body, broken.fix);
        assertStringIncludes(page.body, "/_fw/events/reload.js");
        if (broken.place !== "") assertStringIncludes(page.body, 'class="row marked"');
        assert(!page.body.includes(project.dir), "no absolute paths");

        const terminal = await until(
          () => project.process.written.stderr.slice(printed),
          (text) => text.includes(broken.title) && text.endsWith("\n"),
        );
        assertEquals(terminal.split(broken.title).length, 2, `once in:\n${terminal}`);
        assertStringIncludes(terminal, broken.place);
        assert(!terminal.includes("file://"), `relative places in:\n${terminal}`);

        const answer = await project.get("/api/pid");
        assertEquals(answer.status, 500);
        assertEquals(answer.headers.get("content-type"), "text/plain; charset=utf-8");
        assertStringIncludes(answer.body, `${broken.title}\n${broken.place}`);
      });
    }
    project.write(last, whole[last] ?? "");
    assertEquals((await project.untilPage("/", "<h1>one</h1>")).status, 200);
  });
});

Deno.test("dev shows the error of the first start, and all generation errors at once", () =>
  withDev({
    "app/page.ts": "export const GET = 1;\n",
    "app/x/route.ts": "export const Page = 1;\n",
  }, async (project) => {
    const { status, body } = await project.page("/");
    assertEquals(status, 500);
    assertStringIncludes(body, "app/page.ts:1:14");
    assertStringIncludes(body, "app/x/route.ts:1:");
    await until(
      () => project.process.written.stdout,
      (text) => text.includes("waiting for the fix"),
    );
    project.remove("app/x");
    project.restore("app/page.ts");
    await project.untilPage("/", "<h1>one</h1>");
    await until(() => project.process.written.stdout, (text) => /Reloaded .* in \d+ ms/.test(text));
  }));

Deno.test("an application that exits shows a page until the next save", async () => {
  const route = `export function POST(): Response {
  setTimeout(() => Deno.exit(9), 10);
  return new Response("ok");
}
`;
  await withDev({ "app/api/crash/route.ts": route }, async (project) => {
    const { status } = await project.get("/api/crash", { method: "POST" });
    assertEquals(status, 200);
    const page = await project.untilPage("/", "ended while serving requests: exit code 9");
    assertEquals(page.status, 500);
    assertStringIncludes(page.body, "Deno.exit");
    await until(
      () => project.process.written.stderr,
      (text) => text.includes("restarts at the next save"),
    );
    project.write("app/page.ts", pageSaying("again"));
    await project.untilPage("/", "<h1>again</h1>");
  });
});

Deno.test("a generated file that cannot be written shows a page until it can", () =>
  withDev({ "fw_gen.ts/in_the_way.txt": "" }, async (project) => {
    const page = await project.untilPage("/", "The application does not start");
    assertStringIncludes(page.body, "fw_gen.ts");
    assertStringIncludes(page.body, "free disk space");
    assert(!page.body.includes(project.dir), "no absolute paths");
    await until(() => project.process.written.stderr, (text) => text.includes("free disk space"));
    project.remove("fw_gen.ts");
    project.write("app/page.ts", pageSaying("two"));
    await project.untilPage("/", "<h1>two</h1>");
  }));
