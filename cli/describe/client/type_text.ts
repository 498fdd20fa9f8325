/**
 * Types of the language as data, and how they are written: `deno fmt` leaves the text as it is.
 *
 * @module
 */
import { docComment } from "./comment.ts";
import { memberName } from "../../gen/source_text.ts";

/** A type. */
export type TypeNode =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "union" | "intersection"; readonly parts: readonly TypeNode[] }
  | { readonly kind: "generic"; readonly name: string; readonly args: readonly TypeNode[] }
  | { readonly kind: "array" | "record"; readonly item: TypeNode }
  | { readonly kind: "tuple"; readonly items: readonly TupleItem[] }
  | { readonly kind: "object"; readonly members: readonly MemberNode[]; readonly isOpen: boolean };

/** An element of a tuple. */
export interface TupleItem {
  readonly type: TypeNode;
  readonly role: "required" | "optional" | "rest";
}

/** A member of an object type. */
export interface MemberNode {
  readonly name: string;
  readonly type: TypeNode;
  readonly isOptional: boolean;
  /** Paragraphs of its comment. */
  readonly comment: readonly (string | undefined)[];
}

/** The width of a line of `deno fmt`'s defaults. */
const lineWidth = 80;

/** Where a type is written. */
interface TextPlace {
  /** The spaces before the line. */
  readonly indent: string;
  /** The characters on the line before the type. */
  readonly column: number;
}

export function nameType(text: string): TypeNode {
  return { kind: "name", text };
}

/** Joins the alternatives of a union: each once, `unknown` alone, no `never` beside others. */
export function unionOf(types: readonly TypeNode[]): TypeNode {
  const parts = onlyOnce(types.flatMap((type) => type.kind === "union" ? type.parts : [type]));
  if (parts.some((part) => part.kind === "name" && part.text === "unknown")) {
    return nameType("unknown");
  }
  const some = parts.filter((part) => part.kind !== "name" || part.text !== "never");
  const [first, ...rest] = some;
  if (first === undefined) return nameType("never");
  return rest.length === 0 ? first : { kind: "union", parts: some };
}

/** Joins what a value must be all at once; `unknown` adds nothing. */
export function intersectionOf(types: readonly TypeNode[]): TypeNode {
  const parts = onlyOnce(
    types.flatMap((type) => type.kind === "intersection" ? type.parts : [type]),
  ).filter((part) => part.kind !== "name" || part.text !== "unknown");
  const [first, ...rest] = parts;
  if (first === undefined) return nameType("unknown");
  return rest.length === 0 ? first : { kind: "intersection", parts };
}

function onlyOnce(types: readonly TypeNode[]): TypeNode[] {
  const seen = new Map<string, TypeNode>();
  for (const type of types) seen.set(type.kind === "name" ? type.text : JSON.stringify(type), type);
  return [...seen.values()];
}

/**
 * Finds declarations that are nothing but themselves: the compiler refuses `type A = A | null`, while an
 * object or an array may contain the type that it stands in.
 *
 * @returns The names of which each circle needs one to be declared otherwise.
 */
export function findCircularNames(types: ReadonlyMap<string, TypeNode>): ReadonlySet<string> {
  const circular = new Set<string>();
  const done = new Set<string>();
  for (const start of types.keys()) {
    // A stack of its own: a chain of references may be longer than the calls that the engine allows.
    const open = new Set<string>();
    const stack = [{ name: start, isLeaving: false }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { name, isLeaving } = next;
      if (isLeaving) {
        open.delete(name);
        done.add(name);
      } else if (open.has(name)) circular.add(name);
      else if (!done.has(name)) {
        open.add(name);
        stack.push({ name, isLeaving: true });
        for (const each of directNames(types.get(name))) {
          stack.push({ name: each, isLeaving: false });
        }
      }
    }
  }
  return circular;
}

function directNames(type: TypeNode | undefined): string[] {
  if (type?.kind === "name") return [type.text];
  if (type?.kind !== "union" && type?.kind !== "intersection") return [];
  return type.parts.flatMap(directNames);
}

/** Writes a declaration, with a line break behind it. */
export function writeAlias(name: string, type: TypeNode): string {
  const head = `export type ${name} =`;
  return `${head}${writeType(type, { indent: "", column: head.length + 1 })};\n`;
}

/** Writes a member of an object type, with its comment and a line break behind it. */
function writeMember(member: MemberNode, indent: string): string {
  const head = `${indent}${memberName(member.name)}${member.isOptional ? "?" : ""}:`;
  const type = writeType(member.type, { indent, column: head.length + 1 });
  return `${docComment(member.comment, indent)}${head}${type};\n`;
}

/** Writes a type behind a colon or an equals sign: led by a space, or on lines of its own. */
function writeType(type: TypeNode, place: TextPlace): string {
  const text = print(type, place);
  if (text.startsWith("\n")) return text;
  const isTooLong = !text.includes("\n") && place.column + text.length + 1 > lineWidth;
  return isTooLong ? `\n${place.indent}  ${text}` : ` ${text}`;
}

/** Starts with a line break where the parts of a union stand on lines of their own. */
function print(type: TypeNode, place: TextPlace): string {
  switch (type.kind) {
    case "name":
      return type.text;
    case "union":
    case "intersection":
      return printJoined(type.parts, type.kind, place);
    case "array":
      return `${printGrouped(type.item, { ...place, column: place.column + 1 })}[]`;
    case "generic":
      return printGeneric(type.name, type.args, place);
    case "record":
      return printRecord(type.item, place);
    case "tuple":
      return printTuple(type.items, place);
    case "object":
      return printObject(type.members, { isOpen: type.isOpen, indent: place.indent });
  }
}

function printJoined(
  parts: readonly TypeNode[],
  kind: "union" | "intersection",
  { indent, column }: TextPlace,
): string {
  const sign = kind === "union" ? "|" : "&";
  const line = parts.map((part) => printPart(part, kind, { indent, column })).join(` ${sign} `);
  // Five characters may follow, such as `)[]>;`.
  if (!line.includes("\n") && column + line.length + 5 <= lineWidth) return line;
  const inner = { indent: `${indent}  `, column: indent.length + 4 };
  return parts.map((part) => `\n${inner.indent}${sign} ${printPart(part, kind, inner)}`).join("");
}

function printPart(
  part: TypeNode,
  kind: "union" | "intersection",
  place: TextPlace,
): string {
  const isOther = (part.kind === "union" || part.kind === "intersection") && part.kind !== kind;
  return isOther ? printGrouped(part, place) : print(part, place);
}

/** Writes unions and intersections in parentheses. */
function printGrouped(type: TypeNode, place: TextPlace): string {
  const text = print(type, place);
  if (type.kind !== "union" && type.kind !== "intersection") return text;
  return text.startsWith("\n") ? `(${text}\n${place.indent})` : `(${text})`;
}

function printGeneric(name: string, args: readonly TypeNode[], place: TextPlace): string {
  const { indent, column } = place;
  const flat = args.map((each) => print(each, { indent, column: column + name.length + 1 }));
  const line = `${name}<${flat.join(", ")}>`;
  if (!line.includes("\n") && column + line.length + 5 <= lineWidth) return line;
  const inner = { indent: `${indent}  `, column: indent.length + 2 };
  const lines = args.map((each) => {
    const text = print(each, inner);
    // A union that is broken is led by its sign, on the line of the argument.
    return text.startsWith("\n") ? text.slice(1) : inner.indent + text;
  });
  return `${name}<\n${lines.join(",\n")}\n${indent}>`;
}

/** An index signature: unlike `Record`, it may mention the type that it stands in. */
function printRecord(item: TypeNode, { indent }: TextPlace): string {
  const inner = `${indent}  `;
  const head = `${inner}[name: string]:`;
  return `{\n${head}${writeType(item, { indent: inner, column: head.length + 1 })};\n${indent}}`;
}

function printTuple(items: readonly TupleItem[], { indent }: TextPlace): string {
  const inner = { indent: `${indent}  `, column: indent.length + 5 };
  const lines = items.map(({ type, role }) => {
    if (role === "required") return print(type, inner).trimStart();
    const text = printGrouped(type, inner);
    return role === "rest" ? `...${text}[]` : `${text}?`;
  });
  return `[\n${lines.map((line) => `${inner.indent}${line},\n`).join("")}${indent}]`;
}

function printObject(
  members: readonly MemberNode[],
  { isOpen, indent }: { readonly isOpen: boolean; readonly indent: string },
): string {
  const inner = `${indent}  `;
  const lines = members.map((member) => writeMember(member, inner));
  if (isOpen) lines.push(`${inner}[name: string]: unknown;\n`);
  return `{\n${lines.join("")}${indent}}`;
}
