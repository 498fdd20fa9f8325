/** The predefined functions and those that an app adds. */

import { isEqual, isLess, isLessOrEqual } from "./compare.ts";
import { escapeText } from "../escape/html.ts";
import { jsEscape } from "../escape/js.ts";
import { queryEscape } from "../escape/url.ts";
import { formatAll, printValue } from "./format.ts";
import { callFunction, isFunction, resolveMember } from "./members.ts";
import { type Delimiters, words } from "../parse/lexer.ts";
import type { ParseSettings } from "../parse/pipeline_parser.ts";
import { bytesOf, Fault, goType, isTrue, kindOf, lengthOf, plainTextOf } from "./values.ts";

/** A function that templates may call. A call with fewer arguments than it has parameters is refused. */
export type TemplateFunction = (...args: never[]) => unknown;

export interface BoundFunction {
  readonly name: string;
  readonly run: (args: readonly unknown[]) => unknown;
  readonly least: number;
  readonly most: number;
}

type Run = (args: readonly unknown[]) => unknown;

function bind(
  name: string,
  range: readonly [least: number, most: number],
  run: Run,
): BoundFunction {
  return { name, run, least: range[0], most: range[1] };
}

const many = Infinity;

/** The predefined functions. The evaluator handles `and` and `or`. */
export const builtIns: ReadonlyMap<string, BoundFunction> = new Map(
  [
    bind("and", [1, many], (args) => args.find((value) => !isTrue(value)) ?? args.at(-1)),
    bind("or", [1, many], (args) => args.find(isTrue) ?? args.at(-1)),
    bind("not", [1, 1], ([value]) => !isTrue(value)),
    bind("len", [1, 1], ([value]) => length(value)),
    bind("index", [1, many], ([value, ...keys]) => keys.reduce(index, required(value, "index"))),
    bind("slice", [1, 4], ([value, ...bounds]) => slice(value, bounds)),
    bind("call", [1, many], ([fn, ...args]) => call(fn, args)),
    bind("print", [0, many], printAll),
    bind("println", [0, many], (values) => `${values.map(printAny).join(" ")}\n`),
    bind("printf", [1, many], ([format, ...values]) => formatAll(text(format), values)),
    // The contextual functions escape the plus sign too.
    bind("html", [0, many], (args) => escapeText(shown(args)).replaceAll("&#43;", "+")),
    bind("js", [0, many], (args) => jsEscape(shown(args))),
    bind("urlquery", [0, many], (args) => queryEscape(shown(args))),
    bind("eq", [1, many], ([first, ...others]) => isEqual(first, others)),
    bind("ne", [2, 2], ([a, b]) => !isEqual(a, [b])),
    bind("lt", [2, 2], ([a, b]) => isLess(a, b)),
    bind("le", [2, 2], ([a, b]) => isLessOrEqual(a, b)),
    bind("gt", [2, 2], ([a, b]) => !isLessOrEqual(a, b)),
    bind("ge", [2, 2], ([a, b]) => !isLess(a, b)),
  ].map((fn) => [fn.name, fn]),
);

function shown(args: readonly unknown[]): string {
  return joined(args.map((arg) => arg === undefined || arg === null ? "<no value>" : arg));
}

export function joined(args: readonly unknown[]): string {
  return args.length === 1 && typeof args[0] === "string" ? args[0] : printAll(args);
}

/** Joins values as `print` does: with a space between two values if neither is a string. */
function printAll(values: readonly unknown[]): string {
  let out = "";
  let wasString = true;
  for (const [index, value] of values.entries()) {
    const isString = kindOf(value) === "string";
    if (index > 0 && !isString && !wasString) out += " ";
    out += isString ? plainTextOf(value) : printAny(value);
    wasString = isString;
  }
  return out;
}

function printAny(value: unknown): string {
  return kindOf(value) === "function" ? `%!v(${goType(value)})` : printValue(value);
}

function text(value: unknown): string {
  const found = plainTextOf(value);
  if (found !== undefined) return found;
  throw new Fault(`wrong type for value; expected string; got ${goType(value)}`, "pass a string");
}

function required(value: unknown, name: string): unknown {
  if (value !== undefined && value !== null) return value;
  throw new Fault(`error calling ${name}: ${name} of untyped nil`, "guard it with {{with}}");
}

function length(value: unknown): number {
  const found = lengthOf(value);
  if (found !== undefined) return found;
  throw new Fault(
    `error calling len: len of type ${goType(value)}`,
    "pass a string, a list or a map",
  );
}

function index(value: unknown, key: unknown): unknown {
  if (value === undefined || value === null) {
    throw new Fault("error calling index: index of nil pointer", "guard it with {{with}}");
  }
  const string = plainTextOf(value);
  if (string !== undefined) {
    const bytes = bytesOf(string);
    return bytes[position(key, bytes.length - 1)];
  }
  if (kindOf(value) === "list") {
    const list = value as ArrayLike<unknown>;
    return list[position(key, list.length - 1)];
  }
  if (value instanceof Map) return value.get(key);
  if (kindOf(value) === "map") return resolveMember(value, text(key), "empty");
  throw new Fault(
    `error calling index: can't index item of type ${goType(value)}`,
    "pass a list, a map or a string",
  );
}

function position(key: unknown, most: number): number {
  if (kindOf(key) !== "int") {
    const type = key === undefined || key === null ? "nil" : `type ${goType(key)}`;
    throw new Fault(
      `error calling index: cannot index slice/array with ${type}`,
      "pass a whole number",
    );
  }
  const at = Number(key);
  if (at >= 0 && at <= most) return at;
  throw new Fault(`error calling index: index out of range: ${at}`, "compare with len before");
}

function slice(value: unknown, bounds: readonly unknown[]): unknown {
  const string = plainTextOf(required(value, "slice"));
  const list = string === undefined ? value : bytesOf(string);
  if (kindOf(list) !== "list" || (string !== undefined && bounds.length === 3)) {
    const what = string === undefined
      ? `can't slice item of type ${goType(value)}`
      : "cannot 3-index slice a string";
    throw new Fault(`error calling slice: ${what}`, "pass a list or a string, and two positions");
  }
  const items = list as ArrayLike<unknown>;
  const ends = bounds.map((bound) => position(bound, items.length));
  const [from = 0, to = items.length, capacity = items.length] = ends;
  if (from > to || to > capacity) {
    const [a, b] = from > to ? [from, to] : [to, capacity];
    throw new Fault(`error calling slice: invalid slice index: ${a} > ${b}`, "swap the positions");
  }
  if (string === undefined) return Array.from(items).slice(from, to);
  return decode((items as Uint8Array).subarray(from, to));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault(
      "error calling slice: the positions cut a character in two",
      "positions count bytes of UTF-8; use a function of the app to cut characters",
    );
  }
}

function call(fn: unknown, args: readonly unknown[]): unknown {
  if (isFunction(fn)) return callFunction(fn, { name: "call", receiver: undefined, args });
  const what = fn === undefined || fn === null
    ? "call of nil"
    : `non-function of type ${goType(fn)}`;
  throw new Fault(`error calling call: ${what}`, "pass a function of the data");
}

const identifier = /^[_\p{L}][_\p{L}\p{Nd}]*$/u;

/**
 * Checks the functions of an app.
 *
 * @throws {TypeError} for a name or a value that cannot be called in a template.
 */
export function bindFunctions(
  functions: Readonly<Record<string, TemplateFunction>>,
): ReadonlyMap<string, BoundFunction> {
  const bound = new Map(builtIns);
  for (const [name, value] of Object.entries(functions)) {
    if (!identifier.test(name) || words.has(name)) {
      throw new TypeError(
        `Cannot add the function "${name}": a name is letters, digits and "_", and no keyword.`,
      );
    }
    if (typeof value !== "function") {
      throw new TypeError(`Cannot add the function "${name}": it is not a function; pass one.`);
    }
    const fn = value as (...args: unknown[]) => unknown;
    const run: Run = (args) => callFunction(fn, { name, receiver: undefined, args });
    bound.set(name, bind(name, [fn.length, many], run));
  }
  return bound;
}

/** Returns the settings for parsing with known functions; without them, any name is allowed. */
export function parseSettings(
  functions?: ReadonlyMap<string, BoundFunction>,
  delimiters: Delimiters = { left: "{{", right: "}}" },
): ParseSettings {
  return {
    delimiters,
    hasFunction: (name) => functions?.has(name) ?? true,
    checkCall: (name, argCount) => checkCall(functions?.get(name), argCount),
  };
}

/** Returns the fault of a call as written; `undefined` if only the data can show one. */
function checkCall(fn: BoundFunction | undefined, count: number): string | undefined {
  if (fn === undefined) return undefined;
  if (count >= fn.least && count <= fn.most) return undefined;
  const wanted = fn.least === fn.most
    ? `want ${fn.least}`
    : count < fn.least
    ? `want at least ${fn.least}`
    : `want at most ${fn.most}`;
  return `wrong number of args for ${fn.name}: ${wanted} got ${count}`;
}
