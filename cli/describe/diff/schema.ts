/**
 * Compares two JSON Schemas by a table that says for each keyword whether the newer one accepts
 * less (narrower) or more (wider).
 *
 * A narrower request breaks clients whose values are now refused; a wider response breaks clients
 * that do not expect the new values.
 */
import type { Messages } from "../../messages/catalog.ts";
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";

/** The meaning of a difference for clients of the older document, most serious first. */
export const changeLevels = ["breaking", "notice", "compatible"] as const;
export type ChangeLevel = typeof changeLevels[number];

export interface Change {
  readonly level: ChangeLevel;
  readonly kind: keyof Messages["diff"]["kinds"];
  /** The operation, such as `POST /api/events`; `""` for the document and for shared schemas. */
  readonly operation: string;
  /** `request.seats`, `response 200`, `query.page`, or `Event.seats` in a shared schema. */
  readonly place: string;
  /** The changed keyword with both values; only for the kind `changed`. */
  readonly name?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

export type Report = (change: Omit<Change, "operation">) => void;

export function isRequired(part: unknown): boolean {
  return Object(part).required === true;
}

export type Direction = "request" | "response";

type Effect = "narrower" | "wider" | "other" | "notice" | "none";
type Compare = (from: unknown, to: unknown) => Effect;

const lowerLimit = (floor: number): Compare => (from, to) =>
  limitEffect(Number(to ?? floor) - Number(from ?? floor));
const upperLimit: Compare = (from, to) =>
  limitEffect(Number(from ?? Infinity) - Number(to ?? Infinity));
/** A keyword that a value meets or does not, such as `pattern`. */
const constraint: Compare = (from, to) =>
  from === undefined ? "narrower" : to === undefined ? "wider" : "other";

/**
 * The effect of a changed keyword on the accepted values. An unlisted keyword counts as `other`,
 * which breaks both directions, so the check never passes by omission.
 */
const keywords = new Map<string, Compare>([
  ...same("type enum anyOf oneOf", setEffect),
  ...same("minimum exclusiveMinimum", lowerLimit(-Infinity)),
  ...same("minLength minItems minProperties", lowerLimit(0)),
  ...same("maximum exclusiveMaximum maxLength maxItems maxProperties", upperLimit),
  ...same("pattern format uniqueItems contentMediaType contentEncoding not", constraint),
  ...same("default deprecated readOnly writeOnly", () => "notice"),
]);

function same(names: string, compare: Compare): (readonly [string, Compare])[] {
  return names.split(" ").map((name) => [name, compare]);
}

/** Keywords that do not restrict values, and those that contain schemas. */
const passedOver =
  /^(?:title|description|examples?|\$comment|properties|required|items|prefixItems|additionalProperties)$/;

function limitEffect(by: number): Effect {
  // The difference of two infinities is NaN.
  return by > 0 ? "narrower" : by < 0 ? "wider" : "none";
}

function setEffect(from: unknown, to: unknown): Effect {
  const [old, now] = [textSet(from), textSet(to)];
  // Without the keyword, any value is accepted.
  const isWider = (set: ReadonlySet<string>, than: ReadonlySet<string>): boolean =>
    than.size > 0 &&
    (set.size === 0 ||
      [...set].some((each) => !than.has(each) && !(each === '"integer"' && than.has('"number"'))));
  const [isLost, isGained] = [isWider(old, now), isWider(now, old)];
  return isLost && isGained ? "other" : isLost ? "narrower" : isGained ? "wider" : "none";
}

function textSet(value: unknown): ReadonlySet<string> {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return new Set(list.map((each) => JSON.stringify(each)));
}

const prefix = "#/components/schemas/";

interface At {
  readonly place: string;
  readonly direction: Direction;
  readonly report: Report;
  readonly depth: number;
}

type Schema = Readonly<Record<string, unknown>>;

export class SchemaComparer {
  readonly #shared: readonly [before: unknown, after: unknown];
  readonly #pairs = new Set<string>();
  #left = 0;

  constructor(before: unknown, after: unknown) {
    const schemasOf = (document: unknown): unknown =>
      memberOf(memberOf(document, "components"), "schemas");
    this.#shared = [schemasOf(before), schemasOf(after)];
  }

  compareShared(report: Report): void {
    // Comparing adds pairs to the set, and the loop visits them too.
    for (const key of this.#pairs) {
      const [direction, from, to] = JSON.parse(key);
      const [before, after] = this.#shared;
      const at = { place: to, direction, report, depth: 0 };
      this.compare(memberOf(before, from), memberOf(after, to), at);
    }
  }

  compare(before: unknown, after: unknown, at: At): void {
    const [from, to] = [sharedName(before), sharedName(after)];
    if (from !== undefined && to !== undefined) {
      return void this.#pairs.add(JSON.stringify([at.direction, from, to]));
    }
    if (at.depth === 0) this.#left = 10_000;
    // A shared schema compared with an inline one may refer back to itself, several times.
    if (at.depth > 100 || this.#left-- <= 0) {
      return at.report({ level: "breaking", kind: "not compared", place: at.place });
    }
    const own = resolve(this.#shared[0], before);
    const other = resolve(this.#shared[1], after);
    for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {
      if (passedOver.test(name)) continue;
      const isChoice = name === "anyOf" || name === "oneOf";
      this.#reach(own[name], isChoice ? [at.direction] : ["request", "response"]);
      reportKeyword(name, [own[name], other[name]], at);
    }
    this.#compareMembers(own, other, at);
    this.#compareRest(own, other, at);
  }

  /** Queues the shared schemas below a keyword; below `not` and the like, in both directions. */
  #reach(value: unknown, directions: readonly Direction[]): void {
    const name = sharedName(value);
    for (const direction of name === undefined ? [] : directions) {
      this.#pairs.add(JSON.stringify([direction, name, name]));
    }
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) this.#reach(inner, directions);
  }

  #compareInner(before: unknown, after: unknown, at: At, end: string): void {
    this.compare(before, after, { ...at, place: at.place + end, depth: at.depth + 1 });
  }

  #compareMembers(before: Schema, after: Schema, at: At): void {
    const [own, other] = [
      objectOf(before["properties"]) ?? {},
      objectOf(after["properties"]) ?? {},
    ];
    const [was, is] = [textsOf(before["required"]), textsOf(after["required"])];
    const isRequest = at.direction === "request";
    for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {
      const place = `${at.place}.${name}`;
      const [wasRequired, isRequired] = [was.includes(name), is.includes(name)];
      if (!Object.hasOwn(other, name)) {
        // An open request ignores extra fields; optional fields of a response are not promised.
        const isBreaking = isRequest ? after["additionalProperties"] === false : wasRequired;
        at.report({ level: isBreaking ? "breaking" : "notice", kind: "removed", place });
      } else if (!Object.hasOwn(own, name)) {
        const isBreaking = isRequest && isRequired && memberOf(other[name], "readOnly") !== true;
        const kind = isRequired ? "added required" : "added";
        at.report({ level: isBreaking ? "breaking" : "compatible", kind, place });
      } else {
        const kind = isRequired ? "became required" : "became optional";
        const level = isRequest === isRequired ? "breaking" : "compatible";
        if (wasRequired !== isRequired) at.report({ level, kind, place });
        this.#compareInner(own[name], other[name], at, `.${name}`);
      }
    }
  }

  #compareRest(before: Schema, after: Schema, at: At): void {
    const name = "additionalProperties";
    const [from, to] = [before[name] ?? true, after[name] ?? true];
    if (from === false || to === false) reportKeyword(name, [from, to], at);
    else if (from !== true || to !== true) this.#compareInner(from, to, at, ".*");
    const [first, second] = [listOf(before["prefixItems"]), listOf(after["prefixItems"])];
    const [own, other] = [before["items"] ?? true, after["items"] ?? true];
    for (let index = 0; index < Math.max(first.length, second.length); index++) {
      this.#compareInner(first[index] ?? own, second[index] ?? other, at, `[${index}]`);
    }
    if (own !== true || other !== true) this.#compareInner(own, other, at, "[]");
  }
}

function reportKeyword(
  name: string,
  [from, to]: readonly [from: unknown, to: unknown],
  { direction, place, report }: At,
): void {
  if (JSON.stringify(from) === JSON.stringify(to)) return;
  const effect = name === "additionalProperties"
    ? to === false ? "narrower" : "wider"
    : keywords.get(name)?.(from, to) ?? "other";
  if (effect === "none") return;
  const isBreaking = effect === "other" || (direction === "request") === (effect === "narrower");
  const level = effect === "notice" ? effect : isBreaking ? "breaking" : "compatible";
  report({ level, kind: "changed", place, name, from, to });
}

function sharedName(schema: unknown): string | undefined {
  const ref = textOf(memberOf(schema, "$ref"));
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}

/** Returns a schema as an object, with references resolved and `const` written as `enum`. */
function resolve(shared: unknown, schema: unknown, steps = 0): Schema {
  if (schema === false) return { not: {} };
  const name = sharedName(schema);
  if (name !== undefined) {
    return steps > 32 ? {} : resolve(shared, memberOf(shared, name), steps + 1);
  }
  const { const: only, ...rest } = Object.fromEntries(entriesOf(schema));
  return only === undefined ? rest : { ...rest, enum: [only] };
}
