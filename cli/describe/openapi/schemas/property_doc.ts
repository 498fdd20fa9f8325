/**
 * Reads the doc comment of a type or a property: its description, and tags that are keywords.
 *
 * @module
 */
import type ts from "typescript";
import type { Schema } from "../document.ts";
import type { Compiler } from "../framework.ts";

/** Tags whose value is the keyword's. */
const keywords: ReadonlySet<string> = new Set([
  "default",
  "format",
  "maximum",
  "maxLength",
  "minimum",
  "minLength",
  "pattern",
]);

/** Returns the keywords that a doc comment adds. */
export function propertyDoc({ ts, checker }: Compiler, symbol: ts.Symbol | undefined): Schema {
  if (symbol === undefined) return {};
  const schema: Schema = {};
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (text !== "") schema["description"] = text.replace(/\s+/g, " ");
  for (const { name, text: parts } of symbol.getJsDocTags(checker)) {
    const value = ts.displayPartsToString(parts).trim();
    if (name === "deprecated") schema["deprecated"] = true;
    if (name === "example") schema["examples"] = [parseValue(value)];
    if (keywords.has(name)) schema[name] = parseValue(value);
  }
  return schema;
}

function parseValue(text: string): unknown {
  const fenced = /^```\w*\n([\s\S]*?)\n```$/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(fenced);
  } catch {
    return fenced;
  }
}
