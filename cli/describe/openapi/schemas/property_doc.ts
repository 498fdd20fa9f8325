import ts from "npm:typescript@6.0.3";
import type { Schema } from "../document.ts";
import type { Compiler } from "../../../facts/compiler.ts";

/** Tags whose value becomes the keyword's value. */
const keywords: ReadonlySet<string> = new Set([
  "default",
  "format",
  "maximum",
  "maxLength",
  "minimum",
  "minLength",
  "pattern",
]);

export function withPropertyDoc(
  { checker }: Compiler,
  symbol: ts.Symbol | undefined,
  described: Schema,
): Schema {
  if (symbol === undefined) return described;
  const schema: Schema = { ...described };
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (text !== "") schema["description"] = text.replace(/\s+/g, " ");
  for (const { name, text: parts } of symbol.getJsDocTags(checker)) {
    const value = ts.displayPartsToString(parts).trim();
    if (name === "deprecated") schema["deprecated"] = true;
    if (name === "example") schema["examples"] = [parseValue(value)];
    if (keywords.has(name)) schema[name] = parseValue(value);
    // TypeScript has no integers, so this is the only type that a comment may set.
    if (name === "type" && /^(?:integer|\{\s*integer\s*\})$/.test(value)) {
      schema["type"] = withInteger(schema["type"]);
    }
  }
  return schema;
}

function withInteger(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(withInteger);
  return type === "number" ? "integer" : type;
}

function parseValue(text: string): unknown {
  const fenced = /^```\w*\n([\s\S]*?)\n```$/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(fenced);
  } catch {
    return fenced;
  }
}
