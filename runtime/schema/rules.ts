import { Absent, type Converted, parseParam, Unconvertible } from "./convert.ts";
import type { Wording } from "./messages.ts";
import type { FieldDef, LeafDef, ListDef } from "./types.ts";

/** The argument of a rule added with {@link addRule}. */
export interface RuleField {
  /** Form name of the field, or its JSON name for a JSON body. */
  readonly name: string;
  /** Text after `=` in the rule; empty without it. */
  readonly param: string;
  /** Submitted text; the first value of a list. */
  readonly text: string;
  /** The converted value. */
  readonly value: unknown;
  /** Reads another field as text. */
  other(name: string): string | undefined;
}

/** A test of the app; returns whether the value is accepted. */
export type RuleFunction = (field: RuleField) => boolean;

export type RuleSpec = { readonly name: string; readonly param: string | undefined };

export type RuleGroup = Exclude<Wording, "int">;

export type RulePlace = { readonly field: string; readonly def: LeafDef | ListDef };

export type ValueTest = (value: unknown) => boolean;

const groups: Readonly<Record<Exclude<FieldDef["kind"], "struct">, RuleGroup>> = {
  text: "text",
  texts: "list",
  list: "list",
  bool: "bool",
  int: "number",
  int64: "number",
  float: "number",
  date: "date",
  day: "date",
  money: "number",
};

const builtIns: Readonly<Record<string, readonly RuleGroup[]>> = {
  required: ["text", "number", "date", "list", "bool"],
  min: ["text", "number", "date", "list"],
  max: ["text", "number", "date", "list"],
  len: ["text", "list"],
  email: ["text"],
  url: ["text"],
  slug: ["text"],
  segment: ["text"],
  password: ["text"],
  oneof: ["text", "number"],
  eqfield: ["text", "number", "date"],
};

const withoutParam: ReadonlySet<string> = new Set(
  "required email url slug segment password".split(" "),
);
const appRules = new Map<string, RuleFunction>();

/**
 * Adds a rule that schemas may use, for example in `Setup`. Its name is a letter, then letters, digits and
 * `_`. Declare the name in {@link ValidationRules} and set its message in `validationMessages`. Its test is
 * not called for an empty value. Rules are shared by the process, like schemas; adding the same code again
 * changes nothing.
 *
 * @throws {TypeError} when the name is not valid, or is used by a built-in rule or by other code.
 * @example
 * ```ts
 * import { addRule, validationMessages } from "@fw/fw";
 *
 * addRule("even", (field) => Number(field.value) % 2 === 0);
 * validationMessages.even = "must be even";
 * ```
 */
export function addRule(name: string, fn: RuleFunction): void {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    throw new TypeError(
      `Cannot add the rule "${name}": a name is a letter, then letters, digits and "_".`,
    );
  }
  const known = appRules.get(name);
  // Each run of `Setup` creates a new function from the same code. A bound function hides its code.
  const code = String(fn);
  if (
    known !== undefined &&
    (known === fn || String(known) === code && !code.endsWith("{ [native code] }"))
  ) return;
  if (known !== undefined || Object.hasOwn(builtIns, name)) {
    throw new TypeError(`Cannot add the rule "${name}": it exists already; choose another name.`);
  }
  appRules.set(name, fn);
}

export function appRule(name: string): RuleFunction | undefined {
  return appRules.get(name);
}

export function groupOf({ def }: RulePlace): RuleGroup {
  return groups[def.kind];
}

export function parseRules(rules: string, place: RulePlace): RuleSpec[] {
  if (rules === "") return [];
  return rules.split(",").map((written) => {
    const equals = written.indexOf("=");
    const name = equals === -1 ? written : written.slice(0, equals);
    const param = equals === -1 ? undefined : written.slice(equals + 1);
    const applies = Object.hasOwn(builtIns, name) ? builtIns[name] : undefined;
    if (applies === undefined) {
      if (appRules.has(name)) return { name, param };
      throw ruleError(written, place, unknownRuleFix());
    }
    const takesParam = !withoutParam.has(name);
    const fault = !applies.includes(groupOf(place))
      ? `it applies to ${applies.join(", ")} fields only.`
      : takesParam && !param
      ? `it needs a parameter; write "${name}=…".`
      : !takesParam && param !== undefined
      ? `it takes no parameter; write "${name}".`
      : undefined;
    if (fault !== undefined) throw ruleError(written, place, fault);
    return { name, param };
  });
}

function unknownRuleFix(): string {
  const known = [...Object.keys(builtIns), ...appRules.keys()].join(", ");
  return `the rule is unknown; use one of ${known} (separated by commas, without spaces), ` +
    "or add it with addRule before the first request.";
}

export function ruleError(rule: string, place: RulePlace, fix: string): TypeError {
  return new TypeError(
    `Cannot use the rule "${rule}" on the ${place.def.kind} field "${place.field}": ${fix}`,
  );
}

/** Compiles the built-in rules that depend on the value alone: all but `required` and `eqfield`. */
export function valueTest(rule: RuleSpec, place: RulePlace): ValueTest {
  return /^(?:min|max|len)$/.test(rule.name)
    ? sizeTest(rule, place)
    : textTests[rule.name] ?? oneOfTest(rule, place);
}

const textTests: Readonly<Record<string, ValueTest>> = {
  email: isEmail as ValueTest,
  url: isWebUrl as ValueTest,
  slug: (value) => slug.test(value as string),
  segment: (value) => segment.test(value as string),
  // It lifts the restrictions of `text`: see `readerOf`.
  password: () => true,
};

export function limitOf(rule: RuleSpec, place: RulePlace): number | bigint {
  const text = rule.param ?? "";
  const isCount = groupOf(place) === "text" || groupOf(place) === "list";
  const limit: Converted = isCount
    ? (/^\d{1,9}$/.test(text) ? Number(text) : Unconvertible)
    : parseParam(place.def as LeafDef, text);
  if (typeof limit === "string") return Date.parse(limit);
  if (limit instanceof Date) {
    // Without a time it is the day's first moment, but "not after" includes the day.
    const isWholeDay = rule.name === "max" && !text.includes("T");
    return limit.getTime() + (isWholeDay ? dayMs - 1 : 0);
  }
  if (typeof limit === "number" || typeof limit === "bigint") return limit;
  throw ruleError(`${rule.name}=${text}`, place, `its parameter must be ${paramKind(place)}.`);
}

const dayMs = 86_400_000;

function paramKind(place: RulePlace): string {
  if (groupOf(place) === "date") return "a date such as 2026-12-31";
  if (groupOf(place) === "number") return `a number that the type ${place.def.kind} holds`;
  return "a whole number of at most 9 digits";
}

function sizeTest(rule: RuleSpec, place: RulePlace): ValueTest {
  const limit = limitOf(rule, place);
  const group = groupOf(place);
  if (group === "text") return lengthTest(rule.name, Number(limit));
  const sizeOf = sizes[group];
  if (rule.name === "min") return (value) => sizeOf(value) >= limit;
  if (rule.name === "max") return (value) => sizeOf(value) <= limit;
  return (value) => sizeOf(value) === limit;
}

/** A character has one or two code units, so most lengths decide without counting. */
function lengthTest(name: string, limit: number): ValueTest {
  const isEnough = (text: string): boolean =>
    text.length >= 2 * limit || (text.length >= limit && countCharacters(text) >= limit);
  const isShort = (text: string): boolean =>
    text.length <= limit || (text.length <= 2 * limit && countCharacters(text) <= limit);
  if (name === "min") return isEnough as ValueTest;
  if (name === "max") return isShort as ValueTest;
  return ((text: string) => isEnough(text) && isShort(text)) as ValueTest;
}

const asNumber = (value: unknown): number | bigint => value as number | bigint;

const sizes: Readonly<Record<Exclude<RuleGroup, "text">, (value: unknown) => number | bigint>> = {
  list: (value) => (value as readonly unknown[]).length,
  date: (value) => value instanceof Date ? value.getTime() : Date.parse(value as string),
  number: asNumber,
  bool: asNumber,
};

function oneOfTest(rule: RuleSpec, place: RulePlace): ValueTest {
  const options: Converted[] = (rule.param ?? "").split(" ").filter((option) => option !== "")
    .map((option) => parseParam(place.def as LeafDef, option));
  if (options.length === 0 || options.includes(Unconvertible) || options.includes(Absent)) {
    throw ruleError(
      `oneof=${rule.param}`,
      place,
      `its options, separated by spaces, must be of the type ${place.def.kind}.`,
    );
  }
  return (value) => options.includes(value);
}

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
export const maxEmailChars = 254;

/** RFC 9110, 4.1: the length that all recipients should support. */
export const maxUrlChars = 8_000;

/** White space, control characters and lone surrogates. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const blank = /[\s\0-\x1f\x7f-\x9f\ud800-\udfff]/u;

/**
 * Matches common URLs without a parser. Others need the parser, such as a host with "--" (Punycode may be
 * malformed) or whose last label starts with a digit (an address).
 */
const plainUrl =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\/[\w\-./~!$&'()*+,;=:@]*)?(?:[?#][\w\-./~!$&'()*+,;=:@?#]*)?$/i;

/** Matches common email addresses without the rules for other letters, Punycode and numbers. */
const plainEmail = /^[\w.+-]+@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+$/i;

/** Counts code points, CR LF as one: browsers submit line breaks as CR LF but count one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isPair = unit === 10
      ? text.charCodeAt(i - 1) === 13
      : (unit & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}

/**
 * Checks whether a string looks like an email address. Only a message sent to it proves more.
 *
 * Accepts what `type=email` of HTML accepts in ASCII, and other letters. Brackets, quotes and commas are
 * syntax of mail headers, where `<a@b.co>` is another spelling of the same mailbox. Control characters, lone
 * surrogates and invisible characters are refused on both sides. No part can match in two ways, so the time
 * is linear.
 *
 * @param text The address, without a name.
 * @returns Whether the rule `email` accepts it.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isEmail } from "@fw/fw/addon";
 *
 * assertEquals(["ada@example.org", "ada@localhost"].map(isEmail), [true, false]);
 * ```
 */
export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  if (at < 1 || at > 64 || text.length > maxEmailChars) return false;
  // See `bench/validate`.
  if (plainEmail.test(text)) return true;
  // Created here, so that Unicode classes do not slow down a start (`bench/start`).
  const email =
    /^[^\s@<>()[\],;:"\\\p{Cc}\p{Cf}\p{Cs}\p{DI}]+@(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-)(?:\.(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-))+$/u;
  if (!email.test(text)) return false;
  // No mail can be sent to these: a mailbox with more octets than RFC 5321 allows, a number as the host, and
  // an impossible name.
  const domain = text.slice(at + 1).toLowerCase();
  // Another spelling of a domain would not count towards the limits of its mailbox.
  if (domain !== domain.normalize("NFKC").toLowerCase()) return false;
  const host = /xn--|[^\0-\x7f]/i.test(domain)
    ? URL.parse(`http://${domain}`)?.hostname ?? ""
    : domain;
  return /^[^.]+(?:\.[^.]+)+$/.test(host) && !/\.(?:\d+|0x[\da-f]*)$/i.test(host);
}

/** Checks for an absolute `http` or `https` URL (WHATWG parser), with both slashes and no white space. */
function isWebUrl(text: string): boolean {
  if (text.length > maxUrlChars) return false;
  // See `bench/validate`.
  if (plainUrl.test(text)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(text) && !blank.test(text) && URL.canParse(text);
}

/** A readable part of a URL: lower-case letters, digits and single hyphens. */
export const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A valid segment of a path: no slash, no control character, and neither `.` nor `..`. */
export const segment =
  // deno-lint-ignore no-control-regex -- control characters are what it refuses
  /^(?:\.?[^./\\\x00-\x1f\x7f-\x9f][^/\\\x00-\x1f\x7f-\x9f]*|\.\.[^/\\\x00-\x1f\x7f-\x9f]+)$/;
