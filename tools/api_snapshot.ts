/**
 * The exported surface of both packages, with one line per symbol and member, for
 * `api/current.txt`. `deno task api` writes the file; a house test compares it.
 */
import { type DocLocation, type DocSymbol, hasTag, readDocs } from "./doc_json.ts";
import { readEntries, root } from "./workspace.ts";
import { fromFileUrl, join } from "@std/path";
import ts from "npm:typescript@6.0.3";

export const snapshotPath = "api/current.txt";

/** Returns the full name, `@fw/fw Node`, of the declaration at a location. */
export type FindDeclared = (location: DocLocation) => string | undefined;

export async function readApi(): Promise<string> {
  const entries = await readEntries();
  const docs = await readDocs(entries);
  const declared = new Map<string, string>();
  entries.forEach(({ specifier }, index) => {
    for (const { name, declarations } of docs[index]?.symbols ?? []) {
      for (const { kind, location } of declarations) {
        const isFirst = kind !== "reference" && !declared.has(placeOf(location));
        if (isFirst) declared.set(placeOf(location), `${specifier} ${name}`);
      }
    }
  });
  const findDeclared: FindDeclared = (location) => declared.get(placeOf(location));
  const lines = entries.flatMap(({ specifier, path }, index) => {
    const first = entries.find((entry) => entry.path === path);
    if (first !== undefined && first.specifier !== specifier) {
      return [`${specifier} = ${first.specifier}`];
    }
    const symbols = docs[index]?.symbols ?? [];
    return symbolLines(symbols, findDeclared).map((line) => `${specifier} ${line}`);
  });
  return lines.map((line) => `${line}\n`).join("");
}

function placeOf({ filename, byteIndex }: DocLocation): string {
  return `${filename}:${byteIndex}`;
}

/** The declarations of each module by URL: several entries export from one module. */
const declaredIn = new Map<string, DeclaredLines>();

/** Writes the lines of symbols, sorted by name; `@internal` ones are left out. */
function symbolLines(
  symbols: DocSymbol[],
  findDeclared: FindDeclared = () => undefined,
): string[] {
  const sorted = symbols.toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return sorted.flatMap(({ name, declarations }) => {
    const [first] = declarations.filter(({ declarationKind, jsDoc }) =>
      declarationKind !== "private" && !hasTag(jsDoc, "internal")
    );
    if (first === undefined) return [];
    const { target } = first.def ?? {};
    if (first.kind === "reference" && target !== undefined) {
      return [`reference ${name} = ${findDeclared(target) ?? "unpublished"}`];
    }
    const { filename, byteIndex } = first.location;
    const declared = declaredIn.getOrInsertComputed(filename, readDeclaredLines);
    const local = declared.has(name) ? name : nameAt(filename, byteIndex) ?? name;
    const own = new RegExp(`(?<![\\w$])${RegExp.escape(local)}(?![\\w$])`);
    const lines = declared.get(local)?.map((line) => line.replace(own, name));
    if (lines === undefined) throw new Error(`Cannot find "${name}" in ${filename}.`);
    const isDeprecated = declarations.some(({ jsDoc }) => hasTag(jsDoc, "deprecated"));
    return isDeprecated ? lines.map((line, at) => at === 0 ? `${line} @deprecated` : line) : lines;
  });
}

export type DeclaredLines = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a module's declarations, as the compiler emits them for a package: without bodies, values
 * and comments, and without private or `@internal` members. Each member has its own line.
 */
export function readDeclaredLines(url: string): DeclaredLines {
  const fileName = fromFileUrl(url);
  const { outputText } = ts.transpileDeclaration(Deno.readTextFileSync(fileName), {
    fileName,
    compilerOptions: {
      removeComments: true,
      stripInternal: true,
      strict: true,
      target: ts.ScriptTarget.ESNext,
    },
  });
  const hasParents = true;
  const tree = ts.createSourceFile("a.d.ts", outputText, ts.ScriptTarget.ESNext, hasParents);
  const found = new Map<string, string[]>();
  for (const statement of tree.statements) {
    for (const [name, lines] of statementLines(statement)) {
      found.getOrInsertComputed(name, () => []).push(
        ...lines.map((line) => line.replace(/;$/, "").replace(/\s+/g, " ").trim()),
      );
    }
  }
  return found;
}

const declaredName =
  /^(?:(?:export|declare|abstract|async) )*(?:(?:function|const|let|class|interface|type|namespace)\b\*?)?\s*([\w$]+)/;

/** Returns the name of the declaration at a byte offset of a module. */
export function nameAt(url: string, byteIndex: number): string | undefined {
  const bytes = Deno.readFileSync(fromFileUrl(url)).subarray(byteIndex);
  return declaredName.exec(new TextDecoder().decode(bytes))?.[1];
}

function statementLines(statement: ts.Statement): [name: string, lines: string[]][] {
  if (ts.isVariableStatement(statement)) {
    const { declarations, flags } = statement.declarationList;
    const keyword = (flags & ts.NodeFlags.Const) === 0 ? "let" : "const";
    return declarations.map((each) => [each.name.getText(), [`${keyword} ${each.getText()}`]]);
  }
  if (!("name" in statement)) return [];
  const name = (statement as ts.DeclarationStatement).name?.getText() ?? "";
  const text = statement.getText().replace(/^(?:export |declare )+/, "");
  if (!ts.isClassDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) {
    return [[name, [text]]];
  }
  const { members } = statement;
  const head = statement.getText().slice(0, members.pos - statement.getStart() - 1);
  const lines = [...members].flatMap((member) => memberLine(member, name) ?? []);
  return [[name, [head.replace(/^(?:export |declare )+/, ""), ...lines]]];
}

/** Writes a member as `Owner.member`; omits private members. */
function memberLine(member: ts.ClassElement | ts.TypeElement, owner: string): string | undefined {
  const { name } = member;
  const text = member.getText();
  if (name !== undefined && ts.isPrivateIdentifier(name)) return undefined;
  // The compiler writes a method with a computed name a second time, as a property.
  const isComputed = name !== undefined && ts.isComputedPropertyName(name);
  if (isComputed && ts.isPropertyDeclaration(member)) return undefined;
  if (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) return undefined;
  if (ts.isConstructorDeclaration(member)) return text.replace("constructor", `new ${owner}`);
  if (name !== undefined) {
    const at = name.getStart() - member.getStart();
    return `${text.slice(0, at)}${owner}.${text.slice(at)}`;
  }
  return ts.isCallSignatureDeclaration(member)
    ? owner + text
    : text.replace(/^((?:static |readonly )*)/, `$1${owner}`);
}

if (import.meta.main) {
  const text = await readApi();
  await Deno.mkdir(join(root, "api"), { recursive: true });
  await Deno.writeTextFile(join(root, snapshotPath), text);
  console.log(`${snapshotPath}: ${text.split("\n").length - 1} lines`);
}
