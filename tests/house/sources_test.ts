import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { join } from "@std/path";
import { listFiles, readManifest, root } from "../../tools/workspace.ts";
import {
  countLines,
  findBareIgnores,
  findPutOffWork,
  hasUnreleased,
  isSnakeCase,
  maxCommandLines,
  maxLines,
} from "./sources.ts";
import { findFullFolders, maxFiles } from "./folders.ts";
import { findTaskFaults } from "./tasks.ts";
import { findMissing, generationErrors } from "./command_line.ts";

// Fixtures are test input, some of it broken on purpose.
const isOurs = (path: string): boolean => !path.startsWith("tests/fixtures/");
const sources = (await listFiles("", [".ts", ".tsx"])).filter(isOurs);
const scripts = (await listFiles("", [".md", ".json", ".css", ".js", ".tmpl"])).filter(isOurs);

async function findInFiles(paths: string[], find: (source: string) => number[]): Promise<string[]> {
  const lists = paths.map(async (path) => {
    const lines = find(await Deno.readTextFile(join(root, path)));
    return lines.map((line) => `${path}:${line}`);
  });
  return (await Promise.all(lists)).flat();
}

Deno.test("sources: every file name is snake_case", () => {
  assertEquals(sources.filter((path) => !isSnakeCase(path)), []);
});

Deno.test("sources: every deno-lint-ignore states its reason", async () => {
  assertEquals(await findInFiles(sources, findBareIgnores), []);
});

Deno.test("sources: no comment postpones work", async () => {
  assertEquals(await findInFiles([...sources, ...scripts], findPutOffWork), []);
});

Deno.test(`sources: no command has more than ${maxCommandLines} lines`, async () => {
  const commands = sources.filter((path) => path.startsWith("cli/commands/"));
  assert(commands.length > 0);
  const counts = await Promise.all(commands.map(async (path) => ({
    path,
    count: countLines(await Deno.readTextFile(join(root, path))),
  })));
  assertEquals(counts.filter(({ count }) => count > maxCommandLines), []);
});

Deno.test(`sources: few files exceed ${maxLines} lines`, async () => {
  const long: { readonly path: string; readonly count: number }[] = [];
  for (const path of sources) {
    const count = countLines(await Deno.readTextFile(join(root, path)));
    if (count > maxLines) long.push({ path, count });
  }
  const lines = long.toSorted((one, other) => other.count - one.count)
    .map(({ path, count }) => `${path} (${count} lines)`);
  console.log(`${lines.length} files over ${maxLines} lines, the longest ${lines[0]}`);
  const message = `Divide some of these: more than one file in 25 is long\n${lines.join("\n")}`;
  assertLessOrEqual(lines.length, sources.length / 25, message);
});

Deno.test("changelog: has a section Unreleased", async () => {
  assert(hasUnreleased(await Deno.readTextFile(join(root, "CHANGELOG.md"))));
});

const names: [path: string, isRight: boolean][] = [
  ["tools/std/path/types.d.ts", true],
  ["html/jsxRuntime.ts", false],
  ["html/jsx-runtime.ts", false],
];

for (const [path, isRight] of names) {
  Deno.test(`isSnakeCase: ${path} is ${isRight}`, () => assertEquals(isSnakeCase(path), isRight));
}

const later = "TO" + "DO";
const ignore = "deno-lint-" + "ignore";

const comments: [name: string, source: string, found: number[]][] = [
  ["a line comment", `a;\n// ${later} fix`, [2]],
  ["a longer word", `// ${later}S are none`, []],
  ["a string", `const a = "${later}";`, []],
];

for (const [name, source, found] of comments) {
  Deno.test(`findPutOffWork: ${name}`, () => assertEquals(findPutOffWork(source), found));
}

const ignores: [name: string, source: string, found: number[]][] = [
  ["with a reason", `// ${ignore} no-explicit-any -- std's own`, []],
  ["without a reason", `a;\n// ${ignore} no-explicit-any`, [2]],
];

for (const [name, source, found] of ignores) {
  Deno.test(`findBareIgnores: ${name}`, () => assertEquals(findBareIgnores(source), found));
}

const texts = [".ts", ".tsx", ".js", ".mjs", ".css", ".md", ".json", ".tmpl", ".svg"];

Deno.test(`folders: none has more than ${maxFiles} files`, async () => {
  const paths = (await listFiles("", texts)).filter((path) =>
    // Outputs of a run, and the input of tests.
    !/(^|\/)\./.test(path) && !path.startsWith("tests/fixtures/")
  );
  assertEquals(findFullFolders(paths), []);
});

function filesIn(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${folder}${index}.ts`);
}

const rows: [name: string, paths: string[], full: string[]][] = [
  ["exactly the limit", filesIn("ui/", maxFiles), []],
  ["one too many", filesIn("ui/", maxFiles + 1), [`ui: ${maxFiles + 1} files`]],
];

for (const [name, paths, full] of rows) {
  Deno.test(`findFullFolders: ${name}`, () => assertEquals(findFullFolders(paths), full));
}

Deno.test("tasks: each has a description and runs in the task shell", async () => {
  assertEquals(findTaskFaults((await readManifest("")).tasks ?? {}), []);
});

const taskRows: [name: string, task: unknown, faults: string[]][] = [
  ["complete", { description: "Do it", command: "deno run a.ts" }, []],
  ["a bare string", "deno run a.ts", ["x: has no description"]],
  ["$@", { description: "Do it", command: "deno run a.ts $@" }, ["x: uses $@ or ${…}"]],
];

for (const [name, task, faults] of taskRows) {
  Deno.test(`findTaskFaults: ${name}`, () => assertEquals(findTaskFaults({ x: task }), faults));
}

Deno.test("generation errors: a test of the command line covers each one in the specification", async () => {
  const paths = await listFiles("tests/cli", [".ts"]);
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(join(root, path))));
  assertEquals(findMissing(generationErrors, texts), []);
});

Deno.test("findMissing: a code that is only the prefix of a word is missing", () => {
  assertEquals(findMissing(["E_NO_APP", "E_PARSE"], ["E_NO_APPS", "x E_PARSE:"]), ["E_NO_APP"]);
});
