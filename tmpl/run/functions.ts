/** The functions of the language, and those that an app adds. */

import { isEqual, isLess, isLessOrEqual } from "./compare.ts";
import { escapeText } from "../escape/html.ts";
import { jsEscape } from "../escape/js.ts";
import { queryEscape } from "../escape/url.ts";
import { formatAll, printValue } from "./format.ts";
import { callFunction, isFunction, resolveMember } from "./members.ts";
import type { Delimiters } from "../parse/lexer.ts";
import type { Operand } from "../parse/nodes.ts";
import type { ParseSettings } from "../parse/pipeline_parser.ts";
import { bytesOf, Fault, goType, isTrue, kindOf, lengthOf, plainTextOf } from "./values.ts";

/** The type of a parameter of a {@linkcode TypedFunction}. */
export type ParameterType = "any" | "string" | "number" | "boolean" | "list" | "record";

/** A function with the types of its parameters: a wrong call is found when the template is parsed. */
export interface TypedFunction {
  /** The function. */
  readonly call: (...args: never[]) => unknown;
  /** The types of its parameters. */
  readonly params: readonly ParameterType[];
  /** The type of further arguments. @default none may follow */
  readonly rest?: ParameterType;
}

/** A function that templates may call: one whose arguments are not checked, or a typed one. */
export type TemplateFunction = ((...args: never[]) => unknown) | TypedFunction;

export interface BoundFunction {
  readonly name: string;
  readonly run: (args: readonly unknown[]) => unknown;
  readonly least: number;
  readonly most: number;
  readonly params: readonly ParameterType[];
  readonly rest: ParameterType | undefined;
}

type Run = (args: readonly unknown[]) => unknown;

function builtIn(
  name: string,
  range: readonly [least: number, most: number],
  run: Run,
): BoundFunction {
  return { name, run, least: range[0], most: range[1], params: [], rest: "any" };
}

const many = Infinity;

/** The functions that every template has. `and` and `or` are evaluated by the evaluator. */
export const builtIns: ReadonlyMap<string, BoundFunction> = new Map(
  [
    builtIn("and", [1, many], (args) => args.find((value) => !isTrue(value)) ?? args.at(-1)),
    builtIn("or", [1, many], (args) => args.find(isTrue) ?? args.at(-1)),
    builtIn("not", [1, 1], ([value]) => !isTrue(value)),
    builtIn("len", [1, 1], ([value]) => length(value)),
    builtIn("index", [1, many], ([value, ...keys]) => keys.reduce(index, required(value, "index"))),
    builtIn("slice", [1, 4], ([value, ...bounds]) => slice(value, bounds)),
    builtIn("call", [1, many], ([fn, ...args]) => call(fn, args)),
    builtIn("print", [0, many], printAll),
    builtIn("println", [0, many], printLine),
    builtIn("printf", [1, many], ([format, ...values]) => formatAll(text(format), values)),
    builtIn("html", [0, many], (args) => htmlEscape(shown(args))),
    builtIn("js", [0, many], (args) => jsEscape(shown(args))),
    builtIn("urlquery", [0, many], (args) => queryEscape(shown(args))),
    builtIn("eq", [1, many], ([first, ...others]) => isEqual(first, others)),
    builtIn("ne", [2, 2], ([a, b]) => !isEqual(a, [b])),
    builtIn("lt", [2, 2], ([a, b]) => isLess(a, b)),
    builtIn("le", [2, 2], ([a, b]) => isLessOrEqual(a, b)),
    builtIn("gt", [2, 2], ([a, b]) => !isLessOrEqual(a, b)),
    builtIn("ge", [2, 2], ([a, b]) => !isLess(a, b)),
  ].map((fn) => [fn.name, fn]),
);

function htmlEscape(value: string): string {
  // The contextual functions escape the plus sign too.
  return escapeText(value).replaceAll("&#43;", "+");
}

function shown(args: readonly unknown[]): string {
  return joined(args.map((arg) => arg === undefined || arg === null ? "<no value>" : arg));
}

export function joined(args: readonly unknown[]): string {
  return args.length === 1 && typeof args[0] === "string" ? args[0] : printAll(args);
}

/** Joins values as `print` does: with a space between two of which neither is a string. */
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

/** Joins values as `println` does: with spaces and a line break. */
function printLine(values: readonly unknown[]): string {
  return values.map(printAny).join(" ") + "\n";
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
const keywords: ReadonlySet<string> = new Set(
  "block break continue define else end if nil range template with true false".split(" "),
);

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
    if (!identifier.test(name) || keywords.has(name)) {
      throw new TypeError(
        `Cannot add the function "${name}": a name is letters, digits and "_", and no keyword.`,
      );
    }
    const typed: unknown = typeof value === "function" ? { call: value, params: [] } : value;
    if (!isTyped(typed)) {
      throw new TypeError(
        `Cannot add the function "${name}": pass a function, or { call, params }.`,
      );
    }
    bound.set(name, bind(name, typed, typeof value !== "function"));
  }
  return bound;
}

function isTyped(value: unknown): value is TypedFunction {
  return typeof value === "object" && value !== null && "call" in value &&
    typeof value.call === "function" && "params" in value && Array.isArray(value.params);
}

function bind(name: string, typed: TypedFunction, isChecked: boolean): BoundFunction {
  const fn = typed.call as (...args: unknown[]) => unknown;
  const { params, rest } = typed;
  const run = (args: readonly unknown[]): unknown => {
    if (isChecked) checkValues(name, args, typed);
    return callFunction(fn, { name, receiver: undefined, args });
  };
  const most = isChecked && rest === undefined ? params.length : Infinity;
  const least = isChecked ? params.length : fn.length;
  return { name, run, least, most, params, rest: isChecked ? rest : "any" };
}

function checkValues(name: string, args: readonly unknown[], typed: TypedFunction): void {
  for (const [i, value] of args.entries()) {
    const wanted = typed.params[i] ?? typed.rest ?? "any";
    if (wanted === "any" || hasType(value, wanted)) continue;
    throw new Fault(
      `wrong type for argument ${i + 1} of ${name}: want ${wanted} got ${goType(value)}`,
      `pass a ${wanted}`,
    );
  }
}

function hasType(value: unknown, wanted: ParameterType): boolean {
  const kind = kindOf(value);
  switch (wanted) {
    case "number":
      return kind === "int" || kind === "float";
    case "boolean":
      return kind === "bool";
    case "record":
      return kind === "map" || kind === "struct";
    default:
      return wanted === "any" || kind === wanted;
  }
}

const constantTypes: Readonly<Partial<Record<Operand["kind"], ParameterType>>> = {
  bool: "boolean",
  number: "number",
  string: "string",
};

/** Returns the settings for parsing with known functions; without them every name is one. */
export function parseSettings(
  functions?: ReadonlyMap<string, BoundFunction>,
  delimiters: Delimiters = { left: "{{", right: "}}" },
): ParseSettings {
  return {
    delimiters,
    hasFunction: (name) => functions?.has(name) ?? true,
    checkCall: (name, args, isPiped) => checkCall(functions?.get(name), args, isPiped),
  };
}

/** Returns what is wrong with a call as it is written; `undefined` for what only its data can tell. */
function checkCall(
  fn: BoundFunction | undefined,
  args: readonly Operand[],
  isPiped: boolean,
): string | undefined {
  if (fn === undefined) return undefined;
  const count = args.length + (isPiped ? 1 : 0);
  if (count < fn.least || count > fn.most) {
    const wanted = fn.least === fn.most
      ? `want ${fn.least}`
      : count < fn.least
      ? `want at least ${fn.least}`
      : `want at most ${fn.most}`;
    return `wrong number of args for ${fn.name}: ${wanted} got ${count}`;
  }
  for (const [i, arg] of args.entries()) {
    const wanted = fn.params[i] ?? fn.rest ?? "any";
    const given = constantTypes[arg.kind];
    if (wanted !== "any" && given !== undefined && given !== wanted) {
      return `wrong type for argument ${i + 1} of ${fn.name}: want ${wanted} got ${given}`;
    }
  }
  return undefined;
}
