import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import { parseSource } from "../syntax.ts";
import ts from "npm:typescript@6.0.3";

/**
 * Names exported by several files, with their numbers. The list may only shrink: it has public
 * names of two entries, and a command beside the public function that it calls.
 */
const sharedNames: Readonly<Record<string, number>> = {
  migrate: 2,
  text: 2,
  toolResult: 2,
  values: 2,
};

/** Synchronous functions named `readX`, each with the reason. The list may only shrink. */
const synchronousReads: Readonly<Record<string, string>> = {
  readFormFields: "public",
  readFrame: "public",
  readTarget: "reads a request without waiting",
  readTextSync: "says so",
  readVariable: "public",
};

/** Whether a caller gets a promise or a stream; "maybe" if only some values are asynchronous. */
type Waits = "never" | "maybe" | "always";

/** Lists the functions that a source exports; overloads count as one. */
function exportedFunctions(source: string, path: string): ReadonlyMap<string, Waits> {
  const functions = new Map<string, Waits>();
  for (const statement of parseSource(source, path).statements.filter(isExported)) {
    if (ts.isFunctionDeclaration(statement)) {
      functions.set(statement.name?.text ?? "", readWaits(statement));
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)) {
          functions.set(name.text, readWaits(initializer));
        }
      }
    }
  }
  return functions;
}

/** Counts the files per name, for names exported by more than one file. */
function countShared(sources: ReadonlyMap<string, string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [path, source] of sources) {
    for (const name of exportedFunctions(source, path).keys()) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...counts].filter(([, count]) => count > 1).sort());
}

/**
 * Finds exported functions whose verb does not match: `parseX` is pure and synchronous, `readX` is
 * asynchronous and reads a request or an external source.
 */
function findWrongVerbs(source: string, path: string): string[] {
  return [...exportedFunctions(source, path)].filter(([name, waits]) =>
    /^parse([A-Z]|$)/.test(name)
      ? waits === "always"
      : /^read([A-Z]|$)/.test(name) && waits === "never"
  ).map(([name]) => name);
}

function isExported(node: ts.Statement): boolean {
  return ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

// The linter requires an explicit return type, so the type's name is in the source.
function readWaits({ modifiers, type }: ts.FunctionDeclaration | ts.ArrowFunction): Waits {
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return "always";
  if (type === undefined || !ts.isUnionTypeNode(type)) return isAwaited(type) ? "always" : "never";
  return type.types.some(isAwaited) ? "maybe" : "never";
}

function isAwaited(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) &&
    /^(Promise|Async(Iterable|Iterator|IterableIterator|Generator))$/.test(type.typeName.text);
}

const paths = await listPackageFiles();
const sources = new Map(
  await Promise.all(
    paths.map(async (path) => [path, await Deno.readTextFile(join(root, path))] as const),
  ),
);

Deno.test("function names: only the listed names are exported twice", () => {
  // The functions of `html` have the names of HTML elements and are written `h.form`.
  const others = [...sources].filter(([path]) => !path.startsWith("html/"));
  assertEquals(countShared(new Map(others)), sharedNames);
});

Deno.test("verbs: parseX is synchronous, and readX is asynchronous or listed", () => {
  const found = [...sources].flatMap(([path, source]) => findWrongVerbs(source, path));
  assertEquals(found.sort(), Object.keys(synchronousReads).sort());
});

Deno.test("verbs: the listed names are public", async () => {
  const api = await Deno.readTextFile(join(root, "api/current.txt"));
  const named = Object.entries(synchronousReads).filter(([, why]) => why.startsWith("public"));
  assertEquals(named.filter(([name]) => !api.includes(` function ${name}`)), []);
});

const rows: [name: string, source: string, found: string[], wrong: string[]][] = [
  ["a function", `export function a(): void {}`, ["a"], []],
  ["overloads", `export function a(b: 1): 1;export function a(b: 2): 2;`, ["a"], []],
  ["an arrow", `export const a = (): void => {}, b = 1;`, ["a"], []],
  ["inside the file", `function readA(): A {} const b = () => {};`, [], []],
  ["an async parse", `export async function parseA(): Promise<A> {}`, ["parseA"], ["parseA"]],
  ["a parse that may wait", `export function parseA(): A | Promise<A> {}`, ["parseA"], []],
  ["an async read", `export async function readA(): Promise<A> {}`, ["readA"], []],
  ["a read of a stream", `export function readA(): AsyncIterable<A> {}`, ["readA"], []],
  ["a synchronous read", `export const readA = (): A => a;`, ["readA"], ["readA"]],
  ["another word", `export function readyA(): A {}`, ["readyA"], []],
];

for (const [name, source, found, wrong] of rows) {
  Deno.test(`exportedFunctions and findWrongVerbs: ${name}`, () => {
    assertEquals([...exportedFunctions(source, "a.ts").keys()], found);
    assertEquals(findWrongVerbs(source, "a.ts"), wrong);
  });
}

Deno.test("countShared: counts a name of two files but not of one", () => {
  const both = `export function a(): void {}`;
  const files = new Map([["a.ts", both], ["b.ts", `${both} export function b(): void {}`]]);
  assertEquals(countShared(files), { a: 2 });
});
