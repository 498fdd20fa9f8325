/** `print` and `println`. */

import { printValue } from "./format.ts";
import { kindOf, textOf, typeName } from "./values.ts";

/** Joins values as `print` does: with a space between two of which neither is a string. */
export function printAll(values: readonly unknown[]): string {
  let out = "";
  let wasString = true;
  for (const [index, value] of values.entries()) {
    const isString = kindOf(value) === "string";
    if (index > 0 && !isString && !wasString) out += " ";
    out += isString ? textOf(value) : printAny(value);
    wasString = isString;
  }
  return out;
}

/** Joins values as `println` does: with spaces and a line break. */
export function printLine(values: readonly unknown[]): string {
  return values.map(printAny).join(" ") + "\n";
}

function printAny(value: unknown): string {
  return kindOf(value) === "function" ? `%!v(${typeName(value)})` : printValue(value);
}
