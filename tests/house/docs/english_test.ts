import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listFiles, listPackageFiles, root } from "../../../tools/workspace.ts";

const refused: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bwhoever\b/i, "the client, the user, the caller"],
  [
    /\b(?:nobody|anybody|everybody|somebody|someone)\b/i,
    "no client, no user, any client, another user",
  ],
  [/\bTakes back\b/, "Drops, Removes"],
  [/\bGives the\b/, "Returns the"],
  [/\bMakes of\b/, "Parses, Converts"],
  [/\bof which there (?:is|are)\b/i, "name the thing"],
  [/^\s*(?:\/\*\*|\*) (?:Gives|Says)\b/, "Returns, Marks, Describes"],
  [/\bTells\b.*\bapart\b/, "Distinguishes"],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|such|newer|use\b)[a-z]/i, "is not a"],
];

/** Lists the refused words of a text, as `12 "whoever": write the client, the user, the caller`. */
function findPoorWords(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    refused.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0];
      return found === undefined ? [] : [`${index + 1} "${found}": write ${instead}`];
    })
  );
}

/** Removes everything except comments, and keeps the line numbers. */
function commentText(source: string): string {
  return source.split("\n").map((line) => /^\s*(?:\/\*\*|\*|\/\/)/.test(line) ? line : "").join(
    "\n",
  );
}

/** The title of a call such as `Deno.test("…"`, `step("…"` or `testThorough("…"`. */
const titleOf = /\b(?:Deno\.test|test[A-Z]\w*|step)\(\s*["`]((?:[^"`\\\n]|\\.)+)["`]/g;

const read = (path: string): Promise<string> => Deno.readTextFile(join(root, path));

Deno.test("English: guides, examples and the files beside the code avoid the worst words", async () => {
  const top = ["README.md", "CHANGELOG.md", "SECURITY.md", "API.md", "CONTRIBUTING.md"];
  const faults: string[] = [];
  const guides = await listFiles("docs", [".md"]);
  for (const path of [...top, ...guides, ...await listFiles("examples", [".md"])]) {
    faults.push(...findPoorWords(await read(path)).map((fault) => `${path}:${fault}`));
  }
  assertEquals(faults, []);
});

/** Matches a row that neither follows another row nor is the heading of a table. */
const looseRow = /(?<!^\|.*\n)^\|(?!.*\n\|[ :]*-)/gm;

Deno.test("guides: every row belongs to a table", async () => {
  const faults: string[] = [];
  for (const path of ["README.md", "CONTRIBUTING.md", ...await listFiles("docs", [".md"])]) {
    const text = (await read(path)).replaceAll(/^```[^]*?^```$/gm, "");
    for (const { index } of text.matchAll(looseRow)) {
      faults.push(`${path}: ${text.slice(index, index + 40)}`);
    }
  }
  assertEquals(faults, []);
});

Deno.test("English: comments of the packages avoid the worst words", async () => {
  const faults: string[] = [];
  for (const path of await listPackageFiles()) {
    faults.push(...findPoorWords(commentText(await read(path))).map((fault) => `${path}:${fault}`));
  }
  assertEquals(faults, []);
});

Deno.test("English: titles of tests avoid the worst words", async () => {
  const faults: string[] = [];
  for (const path of await listFiles("tests", ["_test.ts", "_test.tsx"])) {
    for (const [, title = ""] of (await read(path)).matchAll(titleOf)) {
      faults.push(...findPoorWords(title).map((fault) => `${path} ${title}: ${fault}`));
    }
  }
  assertEquals(faults, []);
});

const rows: [name: string, text: string, count: number][] = [
  ["a mend", "with the mend below", 1],
  ["whoever", "for whoever asks", 1],
  ["nobody", "Nobody reads it", 1],
  ["there are", "headers, of which there are many", 1],
  ["a comment that starts with Says", "  /** Says what it is. */", 1],
  ["a line of a comment that starts with Gives", " * Gives back the id.", 1],
  ["says inside a comment", "/** Returns what the server says. */", 0],
  ["apart", "/** Tells the parts apart. */", 1],
  ["Gives the", "/** Gives the name. */", 2],
  ["recommend is no mend", "we recommend and amend", 0],
  ["is no", "an array is no template", 1],
  ["there is no", "There is no template, and it is no longer read", 0],
];
for (const [name, text, count] of rows) {
  Deno.test(`findPoorWords: ${name}`, () => assertEquals(findPoorWords(text).length, count));
}
