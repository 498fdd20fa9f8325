/** Parses the directives of a handler's doc comment that declare what it reads, as the text of types. */
import type { Directive } from "./doc_comment.ts";

export interface QueryDirective {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Returns the text of a declared type; `undefined` for one that the generated file cannot name. */
export type TypeNamed = (name: string) => string | undefined;

const words: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["int", "number"],
  ["boolean", "boolean"],
  ["date", "string"],
  ["date-time", "string"],
  ["uuid", "string"],
  ["uri", "string"],
  ["email", "string"],
  ["null", "null"],
]);

export function parseBodyDirective(
  directives: readonly Directive[],
  typeNamed: TypeNamed,
): string | undefined {
  const body = directives.find(({ name, text }) => name === "body" && text !== "");
  return body === undefined ? undefined : parseType(body.text, typeNamed);
}

/** Returns the parameters of `openapi:query <name> <type> [description]`. */
export function parseQueryDirectives(
  directives: readonly Directive[],
  typeNamed: TypeNamed,
): readonly QueryDirective[] {
  return directives.filter(({ name }) => name === "query").flatMap(({ text }) => {
    const [written = "", type] = text.split(/\s+/, 2);
    const [, name, required] = /^([^!]+)(!?)$/.exec(written) ?? [];
    if (name === undefined || type === undefined) return [];
    return {
      name,
      type: queryType(parseType(type, typeNamed)),
      isRequired: required === "!",
    };
  });
}

/** A value of a query may be written as a string; a schema tells the type of a body alone. */
function queryType(type: string | undefined): string {
  return type === undefined || type.startsWith("typeof ") ? "QueryValue" : `${type} | string`;
}

function parseType(text: string, typeNamed: TypeNamed): string | undefined {
  const parts = text.split("|").map((part) => part.trim());
  const types = parts.map((part) => parsePart(part, typeNamed));
  const isPlain = types.length === 1 || !types.some((type) => type?.startsWith("typeof "));
  return isPlain && types.every((type) => type !== undefined) ? types.join(" | ") : undefined;
}

function parsePart(text: string, typeNamed: TypeNamed): string | undefined {
  const item = /^(.+)\[\]$/.exec(text)?.[1];
  if (item !== undefined) {
    const type = parsePart(item, typeNamed);
    if (type === undefined || type.startsWith("typeof ")) return undefined;
    return `readonly ${/[ "]/.test(type) ? `(${type})` : type}[]`;
  }
  if (/^"[^"\\]*"$/.test(text) || /^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return words.get(text) ?? (/^[A-Za-z_$][\w$]*$/.test(text) ? typeNamed(text) : undefined);
}
