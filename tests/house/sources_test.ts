import { assert, assertEquals, assertLessOrEqual, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { listFiles, readManifest, root } from "../../tools/workspace.ts";

/** Files of at least this many lines are reported, not refused. */
const maxLines = 350;

/** A command is thin: it reads its flags, calls the folder that does the work, and prints. */
const maxCommandLines = 80;

/** Whether the path's last part is in snake_case with a TypeScript extension. */
function isSnakeCase(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.d)?\.tsx?$/.test(name);
}

function countLines(source: string): number {
  return source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
}

/** Lists the `deno-lint-ignore` comments without a reason after ` -- `, by line number. */
function findBareIgnores(source: string): number[] {
  return linesThat(
    source,
    (line) => /^\s*(\/\/|\/\*|\{\/\*)\s*deno-lint-ignore/.test(line) && !/ -- \S/.test(line),
  );
}

// Split, so this line does not match itself.
const putOff = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|");
const putOffComment = new RegExp(`(//|/?\\*|#|<!--).*\\b(${putOff})\\b`);

/** Lists the lines with a comment that postpones work. */
function findPutOffWork(source: string): number[] {
  return linesThat(source, (line) => putOffComment.test(line));
}

function linesThat(source: string, isFound: (line: string) => boolean): number[] {
  return source.split("\n").flatMap((line, index) => isFound(line) ? [index + 1] : []);
}

const maxFiles = 26;

/** Folders that may contain more, each with the reason. */
const flatFolders: Readonly<Record<string, string>> = {
  // Readers, the package's entry `docs/mod.ts` and other sites link to a guide by this path.
  "docs": "a guide's path is its published address",
};

/** Lists the folders with too many files, as `folder: count`. */
function findFullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && flatFolders[folder] === undefined)
    .map(([folder, count]) => `${folder}: ${count} files`);
}

function findTaskFaults(tasks: Record<string, unknown>): string[] {
  return Object.entries(tasks).flatMap(([name, task]) => {
    if (typeof task !== "object" || task === null) return [`${name}: has no description`];
    const { description, command } = { description: undefined, command: undefined, ...task };
    const faults: string[] = [];
    if (typeof description !== "string") faults.push(`${name}: has no description`);
    if (typeof command !== "string") faults.push(`${name}: has no command`);
    // Deno's task shell supports neither form; it appends arguments itself.
    else if (/\$@|\$\{/.test(command)) faults.push(`${name}: uses $@ or \${…}`);
    return faults;
  });
}

const generationErrors: readonly string[] = [
  ..."E_PAGE_AND_ROUTE E_NO_PAGE_FUNC E_NO_METHOD E_NO_LAYOUT_FUNC".split(" "),
  ..."E_NO_MIDDLEWARE_FUNC E_NO_NOT_FOUND_FUNC E_NO_ERROR_FUNC E_NO_SETUP_FUNC".split(" "),
  ..."E_AMBIGUOUS_SEGMENT E_CATCHALL_NOT_LEAF E_BAD_SEGMENT E_DUPLICATE_ROUTE".split(" "),
  ..."E_UNUSED_METHOD_MIDDLEWARE E_PARSE E_NO_APP E_HIDDEN_ROUTE E_UNROUTABLE_METHOD".split(" "),
  ..."E_BAD_ACTIONS E_BAD_CSRF E_CORS_ON_PAGE E_MISPLACED_EXPORT".split(" "),
];

/** Lists the codes that none of the texts holds as a whole word. */
function findMissing(codes: readonly string[], texts: readonly string[]): string[] {
  return codes.filter((code) => !texts.some((text) => new RegExp(`\\b${code}\\b`).test(text)));
}

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
  assertMatch(await Deno.readTextFile(join(root, "CHANGELOG.md")), /^## \[?Unreleased\]?\s*$/m);
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
