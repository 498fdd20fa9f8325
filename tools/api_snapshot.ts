/**
 * The exported surface of both packages, one line a symbol and one a member, for `api/current.txt`.
 * `deno task api` writes the file; a house test compares it.
 */
import { join } from "@std/path";
import {
  type ClassDef,
  type Declaration,
  type DocLocation,
  type DocSymbol,
  hasTag,
  readDocs,
} from "./doc_json.ts";
import {
  memberTexts,
  signatureText,
  typeArgumentsText,
  typeParamsText,
  typeText,
} from "./type_text.ts";
import { readEntries, root } from "./workspace.ts";

/** Where the snapshot lies, relative to the root. */
export const snapshotPath = "api/current.txt";

/** Returns the full name, `@fw/fw Node`, of the declaration at a location. */
export type FindDeclared = (location: DocLocation) => string | undefined;

/** Options of {@linkcode symbolLines}. */
export interface SymbolLinesOptions {
  /** What each name is prefixed with, such as `"Namespace."`. @default "" */
  prefix?: string;
  /** Finds what a reference stands for. @default finds nothing */
  findDeclared?: FindDeclared;
}

/** Reads the whole exported surface as the text of `api/current.txt`. */
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
    return symbolLines(symbols, { findDeclared }).map((line) => `${specifier} ${line}`);
  });
  return lines.map((line) => `${line}\n`).join("");
}

function placeOf({ filename, byteIndex }: DocLocation): string {
  return `${filename}:${byteIndex}`;
}

/** Writes the lines of symbols, sorted by name; `@internal` ones are left out. */
export function symbolLines(symbols: DocSymbol[], options: SymbolLinesOptions = {}): string[] {
  const { prefix = "", findDeclared = () => undefined } = options;
  const sorted = symbols.toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return sorted.flatMap(({ name, declarations }) => {
    const overloads = declarations.filter(({ kind }) => kind === "function").length;
    return declarations
      .filter((declaration) => isPublished(declaration, overloads > 1))
      .flatMap((declaration) => declarationLines(declaration, prefix + name, findDeclared));
  });
}

function isPublished(declaration: Declaration, isOverloaded: boolean): boolean {
  if (declaration.declarationKind === "private") return false;
  if (hasTag(declaration.jsDoc, "internal")) return false;
  // The implementation behind overloads cannot be called.
  return !(declaration.kind === "function" && isOverloaded && declaration.def.hasBody);
}

function declarationLines(
  declaration: Declaration,
  name: string,
  findDeclared: FindDeclared,
): string[] {
  const [head = "", ...members] = plainLines(declaration, name, findDeclared);
  const mark = hasTag(declaration.jsDoc, "deprecated") ? " @deprecated" : "";
  return [head + mark, ...members].map((line) => line.replace(/\s+/g, " "));
}

function plainLines(
  declaration: Declaration,
  name: string,
  findDeclared: FindDeclared,
): string[] {
  switch (declaration.kind) {
    case "function":
      return [`function ${name}${signatureText(declaration.def)}`];
    case "variable":
      return [`${declaration.def.kind} ${name}: ${typeText(declaration.def.tsType)}`];
    case "typeAlias": {
      const { typeParams, tsType } = declaration.def;
      return [`type ${name}${typeParamsText(typeParams)} = ${typeText(tsType)}`];
    }
    case "enum":
      return [`enum ${name}`, ...declaration.def.members.map((member) => `${name}.${member.name}`)];
    case "namespace":
      return [
        `namespace ${name}`,
        ...symbolLines(declaration.def.elements, { prefix: `${name}.`, findDeclared }),
      ];
    case "reference":
      return [`reference ${name} = ${findDeclared(declaration.def.target) ?? "unpublished"}`];
    case "class":
      return [classHead(declaration.def, name), ...memberTexts(declaration.def, name)];
    case "interface": {
      const { typeParams, extends: bases = [] } = declaration.def;
      const extended = bases.length === 0 ? "" : ` extends ${bases.map(typeText).join(", ")}`;
      const head = `interface ${name}${typeParamsText(typeParams)}${extended}`;
      return [head, ...memberTexts(declaration.def, name)];
    }
  }
}

function classHead(def: ClassDef, name: string): string {
  const { extends: base, superTypeParams, implements: promises = [] } = def;
  const extended = base === undefined
    ? ""
    : ` extends ${base}${typeArgumentsText(superTypeParams)}`;
  const promised = promises.length === 0 ? "" : ` implements ${promises.map(typeText).join(", ")}`;
  const keyword = def.isAbstract ? "abstract class" : "class";
  return `${keyword} ${name}${typeParamsText(def.typeParams)}${extended}${promised}`;
}

/** Describes how two snapshots differ, or returns `undefined` when they are the same. */
export function describeDifference(
  recorded: string,
  actual: string,
  options: { maxLines?: number } = {},
): string | undefined {
  if (recorded === actual) return undefined;
  const { maxLines = 10 } = options;
  const before = recorded.split("\n");
  const after = actual.split("\n");
  const known = new Set(before);
  const wanted = new Set(after);
  const changes = [
    ...before.filter((line) => !wanted.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ];
  if (changes.length === 0) return "the same lines in another order or number";
  const more = changes.length > maxLines ? [`… and ${changes.length - maxLines} more`] : [];
  return [...changes.slice(0, maxLines), ...more].join("\n");
}

if (import.meta.main) {
  const text = await readApi();
  await Deno.mkdir(join(root, "api"), { recursive: true });
  await Deno.writeTextFile(join(root, snapshotPath), text);
  console.log(`${snapshotPath}: ${text.split("\n").length - 1} lines`);
}
