import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runGenerators } from "../../../cli/gen/generate.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page, routeWith, runCli, showPlace } from "../support.ts";
import { rows } from "./errors.ts";

/** The error codes of the generator. */
const problemCodes =
  `E_AMBIGUOUS_SEGMENT E_BAD_ACTIONS E_BAD_FILE_NAME E_BAD_CSRF E_BAD_KIND E_BAD_PROBLEMS E_BAD_SEGMENT
  E_CATCHALL_NOT_LEAF E_CORS_ON_PAGE E_DUPLICATE_KIND E_DUPLICATE_ROUTE
  E_EXPORT_ALL E_HIDDEN_ROUTE E_MISPLACED_EXPORT E_MISPLACED_FILE E_NO_APP E_NO_ERROR_FUNC
  E_NO_ISLAND_FUNC E_NO_KIND E_NO_LAYOUT_FUNC E_NO_METHOD E_NO_MIDDLEWARE_FUNC
  E_NO_NOT_FOUND_FUNC E_NO_PAGE_FUNC E_NO_SETUP_FUNC E_OUTSIDE_LINK E_PAGE_AND_ROUTE E_PARSE
  E_TWO_FILES E_UNROUTABLE_METHOD E_UNUSED_METHOD_MIDDLEWARE`.split(/\s+/);

for (const [name, want, says, files] of rows) {
  Deno.test(`gen refuses ${name}`, () =>
    inProject(files, async (root) => {
      const { problems } = await createProject(root).routes();
      assertEquals(problems.map(showPlace), want);
      const texts = problems.map(({ message, fix }) => `${message}\n${fix}`).join("\n");
      for (const text of [says].flat()) assertStringIncludes(texts, text);
      assert(problems.every(({ message, fix }) => message !== "" && fix !== ""));
    }));
}

Deno.test("gen prints every problem in Portuguese, with the same codes and places", async () => {
  for (const [, want, , files] of rows) {
    await inProject(files, async (root) => {
      const english = await createProject(root).routes();
      const portuguese = await createProject(root, { messages: messagesIn("pt") }).routes();
      assert(english.problems.length > 0, want.join());
      assertEquals(
        portuguese.problems.map(({ code }) => code),
        english.problems.map(({ code }) => code),
      );
      for (const [index, { message, fix }] of portuguese.problems.entries()) {
        assert(message !== english.problems[index]?.message, message);
        assert(fix !== english.problems[index]?.fix, fix);
      }
    });
  }
});

Deno.test("gen: every error code has a test row", () => {
  const seen = new Set(rows.flatMap(([, want]) => want.map((place) => place.split(" ").at(-1))));
  assertEquals(problemCodes.filter((code) => !seen.has(code)), []);
});

Deno.test("gen reports all problems at once, writes nothing and exits with 1", () =>
  inProject({
    "app/page.ts": "export default 1;\n",
    "app/b/route.ts": "",
    "app/c/page.ts": "export const =;\n",
  }, async (root) => {
    const { code, stdout, stderr } = await runCli(["gen"], { cwd: root });
    assertEquals([code, stdout], [1, ""]);
    const lines = stderr.split("\n").filter((line) => !line.startsWith("    "));
    assertEquals(lines.map((line) => line.split(" ").slice(0, 2).join(" ")), [
      "app/b/route.ts:1:1 E_NO_METHOD:",
      "app/c/page.ts:1:14 E_PARSE:",
      "app/page.ts:1:1 E_NO_PAGE_FUNC:",
      "3 problems;",
      "",
    ]);
  }));

const harmless: readonly (readonly [name: string, files: Files])[] = [
  ["ignored folders", {
    "app/_parts/page.ts": "broken(",
    "app/testdata/route.ts": "",
    "app/x/_y/.z/page.ts": "",
    "app/.git/config": "",
  }],
  ["unusual folder names without routes", { "app/my parts/button.ts": "", "app/x_-/a.ts": "" }],
  ["helpers and tests beside convention files", {
    "app/page_test.ts": "",
    "app/pages.ts": "",
    "app/view.tsx": "",
    "app/style.css": "",
    "app/notes.md": "-> ../deno.json",
    "app/gone": "-> ../nowhere",
  }],
  ["helper files with conventional names of other frameworks", {
    "app/index.ts": 'export { Page } from "./page.ts";\n',
    "app/page.ts": page,
    "app/pages.ts": page,
    "app/x/index.ts": 'export { Page } from "../page.ts";\nexport * as GET from "./y.ts";\n',
    "app/x/routes.ts": "export const routes = [];\n",
    "app/x/index.tsx": "export function (",
  }],
  ["lowercase exports that are not functions, or a second name for a method", {
    "app/page.ts": page +
      "export type post = 1;\nexport interface Delete { a: 1 }\nexport const patch = { a: 1 };\n" +
      "export function get() {}\nexport class Put {}\n",
    "app/x/route.ts":
      'export function GET() {}\nexport { GET as get };\nexport * as post from "./y.ts";\n',
    "app/x/y.ts": "",
  }],
  ["a parameter and a catch-all", { "app/x/id_/page.ts": page, "app/x/rest__/page.ts": page }],
  ["the same name in two groups", { "app/a-/id_/x/page.ts": page, "app/b-/id_/y/page.ts": page }],
  ["a group inside a catch-all", { "app/rest__/g-/page.ts": page }],
  [".well-known", { "app/.well-known/security.txt/route.ts": routeWith("GET") }],
  ["links to nothing and in ignored places", {
    "app/a/page.ts": page,
    "app/_parts": "-> ./a",
    "app/gone": "-> ./nothing",
  }],
];

for (const [name, files] of harmless) {
  Deno.test(`gen accepts ${name}`, () =>
    inProject(files, async (root) => {
      const result = await runGenerators(createProject(root));
      assertEquals(result.ok ? [] : result.problems, []);
    }));
}

const escapes: readonly [name: string, files: Files, shown: string][] = [
  ["a folder's name", { "app/a\u001b[2Jb/page.ts": page }, "a\\u001b[2Jb"],
  ["a folder name with a line break", { "app/a\nE_FAKE b/page.ts": page }, "a\\u000aE_FAKE b"],
  ["a folder name with a tab", { "app/a\tb/page.ts": page }, "folder a\\u0009b"],
  ["marks of direction", { "app/gnp\u202esj/page.ts": page }, "gnp\\u202esj"],
  ["a file's name", { "app/page.ts": page, "app/x/Page.\u009b31mts": page }, ""],
  ["an export's name", {
    "app/route.ts": 'export const GET = 1; export { GET as "\u001b]0;x\u0007" };',
  }, ""],
];

for (const [name, files, shown] of escapes) {
  Deno.test(`gen and build print ${name} without its control characters`, () =>
    inProject(files, async (root) => {
      const { stderr } = await runCli(["gen"], { cwd: root });
      assertStringIncludes(stderr, shown);
      // deno-lint-ignore no-control-regex -- control characters are what is looked for
      const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.exec(stderr);
      assertEquals(raw, null, JSON.stringify(stderr));
      assert(!stderr.includes("\nE_FAKE"), stderr);
    }));
}
