/** Values as text: `print`, `println`, and what an action writes. */

import { formatFloat } from "./numbers.ts";
import { safeKindOf } from "./safe.ts";
import { Fault, kindOf, sortedEntries, textOf, typeName } from "./values.ts";

/** How deep printed values may be nested: beyond it they hold themselves. */
const maxDepth = 100;

/** Returns the text of a value as `%v` has it. */
export function printValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return printNested(value, 0);
}

/** The text of a value within others; `depth` says how many. */
export function printNested(value: unknown, depth: number): string {
  if (depth > maxDepth) throw tooDeep();
  switch (kindOf(value)) {
    case "nil":
      return "<nil>";
    case "int":
      return String(value === 0 ? 0 : value);
    case "float":
      return formatFloat(value as number, "g", undefined);
    case "bool":
      return String(value);
    case "string":
      return textOf(value) ?? "";
    case "list":
      return `[${
        Array.from(value as Iterable<unknown>, (item) => printNested(item, depth + 1)).join(" ")
      }]`;
    case "map":
      return `map[${
        (sortedEntries(value as object) ?? []).filter(([, item]) => typeof item !== "function")
          .map(([key, item]) => `${printNested(key, depth + 1)}:${printNested(item, depth + 1)}`)
          .join(" ")
      }]`;
    case "function":
      throw new Fault("can't print a function", "call it: {{call .name}}");
    default:
      return printObject(value, depth);
  }
}

function printObject(value: unknown, depth: number): string {
  const text = stringOf(value);
  if (text !== undefined) return text;
  if (typeof value !== "object" || value === null) {
    throw new Fault(`can't print a ${typeof value}`, "pass a string");
  }
  return `{${
    Object.values(value).filter((item) => typeof item !== "function")
      .map((item) => printNested(item, depth + 1)).join(" ")
  }}`;
}

/**
 * The text of an object whose class says how it is written: a date by ISO 8601, an error by its message,
 * others by the `toString` of their class. `undefined` for records and lists.
 */
export function stringOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  }
  if (value instanceof Error) return value.message;
  if (value instanceof Promise) {
    throw new Fault("can't print a promise", "await it before the template is rendered");
  }
  if (safeKindOf(value) !== undefined || kindOf(value) === "list") return undefined;
  const method: unknown = Reflect.get(value, "toString");
  if (typeof method !== "function" || method === Object.prototype.toString) return undefined;
  const text: unknown = method.call(value);
  return typeof text === "string" ? text : undefined;
}

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

/** The fault of a value that holds itself. */
export function tooDeep(): Fault {
  return new Fault(
    `the value is nested deeper than ${maxDepth} levels, or holds itself`,
    "pass the part of it that is shown",
  );
}
