/**
 * Compares two JSON Schemas: whether the newer one accepts less (narrower) or more (wider).
 *
 * A request that becomes narrower breaks the clients that send what is refused now; a response that
 * becomes wider breaks the clients that receive what they did not expect.
 */
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { type ChangeKind, type Difference, difference } from "./change.ts";

export type Direction = "request" | "response";

type Effect = "narrower" | "wider" | "other" | "notice" | "none";
type Compare = (from: unknown, to: unknown) => Effect;

const lowerLimit = (floor: number): Compare => (from, to) =>
  limitEffect(Number(to ?? floor) - Number(from ?? floor));
const upperLimit: Compare = (from, to) =>
  limitEffect(Number(from ?? Infinity) - Number(to ?? Infinity));
const notice: Compare = () => "notice";
/** A keyword that a value meets or does not, such as `pattern`. */
const constraint: Compare = (from, to) =>
  from === undefined ? "narrower" : to === undefined ? "wider" : "other";

/**
 * What a changed value of a keyword does to the accepted values. A keyword that is not listed, and is no
 * note, counts as `other`, which breaks both: a check must not pass because it does not know a keyword.
 */
const keywords: Readonly<Record<string, Compare>> = {
  type: (from, to) => setEffect(typesOf(from), typesOf(to)),
  enum: (from, to) => setEffect(valuesOf(from), valuesOf(to)),
  minimum: lowerLimit(-Infinity),
  exclusiveMinimum: lowerLimit(-Infinity),
  minLength: lowerLimit(0),
  minItems: lowerLimit(0),
  minProperties: lowerLimit(0),
  maximum: upperLimit,
  exclusiveMaximum: upperLimit,
  maxLength: upperLimit,
  maxItems: upperLimit,
  maxProperties: upperLimit,
  pattern: constraint,
  uniqueItems: constraint,
  contentMediaType: constraint,
  contentEncoding: constraint,
  not: constraint,
  format: (from, to) => {
    const wider = ["int32 int64", "float double"];
    if (wider.includes(`${from} ${to}`)) return "wider";
    return wider.includes(`${to} ${from}`) ? "narrower" : constraint(from, to);
  },
  multipleOf: (from, to) => {
    if (from === undefined || to === undefined) return constraint(from, to);
    if (Number(to) % Number(from) === 0) return "narrower";
    return Number(from) % Number(to) === 0 ? "wider" : "other";
  },
  default: notice,
  deprecated: notice,
  readOnly: notice,
  writeOnly: notice,
};

/** Keywords that say nothing about the accepted values. */
const notes = new Set(["title", "description", "examples", "example", "$comment"]);
/** Keywords that hold schemas, or are compared with them. */
const nested = new Set(["properties", "required", "items", "prefixItems", "additionalProperties"]);
const choices = ["anyOf", "oneOf"];

function limitEffect(by: number): Effect {
  // The difference of two infinities is not a number.
  return by > 0 ? "narrower" : by < 0 ? "wider" : "none";
}

function setEffect(from: ReadonlySet<string>, to: ReadonlySet<string>): Effect {
  const accepts = (set: ReadonlySet<string>, each: string): boolean =>
    set.size === 0 || set.has(each) || each === "integer" && set.has("number");
  const isLost = to.size > 0 && (from.size === 0 || [...from].some((each) => !accepts(to, each)));
  const isGained = from.size > 0 && (to.size === 0 || [...to].some((each) => !accepts(from, each)));
  if (isLost && isGained) return "other";
  return isLost ? "narrower" : isGained ? "wider" : "none";
}

function typesOf(type: unknown): ReadonlySet<string> {
  return new Set(typeof type === "string" ? [type] : textsOf(type));
}

function valuesOf(values: unknown): ReadonlySet<string> {
  return new Set(listOf(values).map((each) => JSON.stringify(each)));
}

const prefix = "#/components/schemas/";

/** The place of two schemas, and who writes their values. */
interface At {
  readonly place: string;
  readonly direction: Direction;
  readonly depth: number;
}

/** A comparison up to the shared schemas that it reached. */
interface Walk {
  readonly found: Difference[];
  /** The pairs of shared schemas, as keys of {@linkcode SchemaComparer}. */
  readonly pairs: Set<string>;
}

/** Compares the schemas of two documents; a pair of shared schemas is compared once. */
export class SchemaComparer {
  readonly #before: unknown;
  readonly #after: unknown;
  /** By direction and both names, as JSON. */
  readonly #walks = new Map<string, Walk>();
  #walk: Walk = { found: [], pairs: new Set() };

  constructor(before: unknown, after: unknown) {
    this.#before = memberOf(memberOf(before, "components"), "schemas");
    this.#after = memberOf(memberOf(after, "components"), "schemas");
  }

  compare(before: unknown, after: unknown, at: Omit<At, "depth">): readonly Difference[] {
    const own = this.#start(before, after, at);
    const found = [...own.found];
    const reached = new Set(own.pairs);
    // A set that grows while it is walked.
    for (const key of reached) {
      const known = this.#walks.get(key) ?? this.#startPair(key);
      this.#walks.set(key, known);
      found.push(...known.found);
      for (const next of known.pairs) reached.add(next);
    }
    return found;
  }

  #startPair(key: string): Walk {
    const [direction, from, to] = JSON.parse(key);
    const [before, after] = [memberOf(this.#before, from), memberOf(this.#after, to)];
    return this.#start(before, after, { place: to, direction });
  }

  #start(before: unknown, after: unknown, at: Omit<At, "depth">): Walk {
    this.#walk = { found: [], pairs: new Set() };
    this.#compare(before, after, { ...at, depth: 0 });
    return this.#walk;
  }

  #compare(before: unknown, after: unknown, at: At): void {
    const [from, to] = [sharedName(before), sharedName(after)];
    if (from !== undefined && to !== undefined) {
      this.#walk.pairs.add(JSON.stringify([at.direction, from, to]));
      return;
    }
    const own = resolve(this.#before, before);
    const other = resolve(this.#after, after);
    // A shared schema beside one that is written out may lead back to itself.
    if (at.depth > 100) {
      this.#walk.found.push(difference(at.place, "not compared", { level: "breaking" }));
      return;
    }
    if (own === undefined || other === undefined) {
      if (own !== other) this.#report(at, other === undefined ? "narrower" : "wider", "type");
      return;
    }
    if (isAny(own) || isAny(other)) {
      if (isAny(own) && isAny(other)) return this.#compareKeywords(own, other, at);
      const [was, is] = [isAny(own) ? "any" : own["type"], isAny(other) ? "any" : other["type"]];
      return this.#report(at, isAny(own) ? "narrower" : "wider", "type", was, is);
    }
    const [first, second] = [choicesOf(own), choicesOf(other)];
    if (first !== undefined || second !== undefined) {
      return this.#compareChoices(first ?? [before], second ?? [after], at);
    }
    this.#compareKeywords(own, other, at);
    this.#compareMembers(own, other, at);
    this.#compareOthers(own, other, at);
    this.#compareItems(own, other, at);
  }

  #compareInner(before: unknown, after: unknown, at: At, place = at.place): void {
    this.#compare(before, after, { ...at, place, depth: at.depth + 1 });
  }

  #report(at: At, effect: Effect, name: string, from?: unknown, to?: unknown): void {
    this.#add(at, "changed", { effect, name, from, to });
  }

  #add(
    { place, direction }: At,
    kind: ChangeKind,
    { effect, ...values }: {
      readonly effect: Effect;
      readonly name?: string;
      readonly from?: unknown;
      readonly to?: unknown;
    },
  ): void {
    if (effect === "none") return;
    const breaks = effect === "other" || (direction === "request") === (effect === "narrower");
    const level = effect === "notice" ? effect : breaks ? "breaking" : "compatible";
    this.#walk.found.push(difference(place, kind, { level, ...values }));
  }

  #compareKeywords(before: Schema, after: Schema, at: At): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (notes.has(name) || nested.has(name) || choices.includes(name)) continue;
      const [from, to] = [before[name], after[name]];
      this.#reachBoth(from);
      if (JSON.stringify(from) === JSON.stringify(to)) continue;
      this.#report(at, keywords[name]?.(from, to) ?? "other", name, from, to);
    }
    for (const name of choices) {
      const [from, to] = [listOf(before[name]), listOf(after[name])];
      if (from.length > 0 && to.length > 0) this.#compareChoices(from, to, at);
      else if (from.length > 0) this.#report(at, "wider", name, from);
      else if (to.length > 0) this.#report(at, "narrower", name, undefined, to);
    }
  }

  /** Any difference of a schema below a keyword such as `not` counts, since it may work either way. */
  #reachBoth(value: unknown): void {
    const name = sharedName(value);
    for (const direction of name === undefined ? [] : ["request", "response"]) {
      this.#walk.pairs.add(JSON.stringify([direction, name, name]));
    }
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) this.#reachBoth(inner);
  }

  #compareMembers(before: Schema, after: Schema, at: At): void {
    const own = new Map(entriesOf(before["properties"]));
    const other = new Map(entriesOf(after["properties"]));
    const was = new Set(textsOf(before["required"]));
    const is = new Set(textsOf(after["required"]));
    const isRequest = at.direction === "request";
    for (const name of new Set([...own.keys(), ...other.keys()])) {
      const place = `${at.place}.${name}`;
      if (!other.has(name)) {
        // An open request ignores what clients still send; a response may have lacked the field.
        const isBreaking = isRequest ? after["additionalProperties"] === false : was.has(name);
        this.#add({ ...at, place }, "removed", { effect: isBreaking ? "other" : "notice" });
      } else if (!own.has(name)) {
        const isBreaking = isRequest && is.has(name) &&
          memberOf(other.get(name), "readOnly") !== true;
        this.#walk.found.push(
          difference(place, is.has(name) ? "added required" : "added", {
            level: isBreaking ? "breaking" : "compatible",
          }),
        );
      } else {
        if (was.has(name) !== is.has(name)) {
          const kind = is.has(name) ? "became required" : "became optional";
          this.#add({ ...at, place }, kind, { effect: is.has(name) ? "narrower" : "wider" });
        }
        this.#compareInner(own.get(name), other.get(name), at, place);
      }
    }
  }

  /** Compares what members without a name of their own must be. */
  #compareOthers(before: Schema, after: Schema, at: At): void {
    const name = "additionalProperties";
    const [from, to] = [before[name] ?? true, after[name] ?? true];
    if (from === false && to === false) return;
    if (from !== false && to !== false) {
      return this.#compareInner(from, to, at, `${at.place}.*`);
    }
    this.#report(at, to === false ? "narrower" : "wider", name, before[name], after[name]);
  }

  #compareItems(before: Schema, after: Schema, at: At): void {
    const [first, second] = [listOf(before["prefixItems"]), listOf(after["prefixItems"])];
    const [from, to] = [before["items"] ?? true, after["items"] ?? true];
    for (let index = 0; index < Math.max(first.length, second.length); index++) {
      this.#compareInner(first[index] ?? from, second[index] ?? to, at, `${at.place}[${index}]`);
    }
    this.#compareInner(from, to, at, `${at.place}[]`);
  }

  /** Compares equal choices, and two that are left alone; the others came or went. */
  #compareChoices(before: readonly unknown[], after: readonly unknown[], at: At): void {
    const others = new Map(after.map((each) => [choiceKey(each), each]));
    const removed = before.filter((each) => {
      const key = choiceKey(each);
      if (!others.has(key)) return true;
      this.#compareInner(each, others.get(key), at);
      others.delete(key);
      return false;
    });
    const added = [...others.values()];
    if (removed.length === 1 && added.length === 1) {
      return this.#compareInner(removed[0], added[0], at);
    }
    for (const each of removed) this.#report(at, "narrower", "anyOf", choiceText(each));
    for (const each of added) this.#report(at, "wider", "anyOf", undefined, choiceText(each));
  }
}

type Schema = Readonly<Record<string, unknown>>;

function sharedName(schema: unknown): string | undefined {
  const ref = textOf(memberOf(schema, "$ref"));
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}

/** Returns a schema as an object, `const` written as `enum`; `undefined` if it accepts nothing. */
function resolve(shared: unknown, schema: unknown, steps = 0): Schema | undefined {
  if (schema === false) return undefined;
  const name = sharedName(schema);
  if (name !== undefined) {
    return steps > 32 ? {} : resolve(shared, memberOf(shared, name), steps + 1);
  }
  const { const: only, ...rest } = objectOf(schema) ?? {};
  return only === undefined ? rest : { ...rest, enum: [only] };
}

function isAny(schema: Schema): boolean {
  return Object.keys(schema).every((name) => notes.has(name) || keywords[name] === notice);
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  const [name, ...others] = Object.keys(schema).filter((each) => !notes.has(each));
  return name !== undefined && others.length === 0 && choices.includes(name)
    ? listOf(schema[name])
    : undefined;
}

/** Returns what makes a choice the same one: its reference, the constants of its members, or all of it. */
function choiceKey(schema: unknown): string {
  const name = sharedName(schema);
  if (name !== undefined) return `ref ${name}`;
  const tags = entriesOf(memberOf(schema, "properties")).flatMap(([name, each]) => {
    const value = memberOf(each, "const");
    return value === undefined ? [] : `${name}=${JSON.stringify(value)}`;
  });
  return tags.length > 0 ? `tags ${tags.sort().join()}` : JSON.stringify(schema);
}

function choiceText(schema: unknown): unknown {
  return sharedName(schema) ?? memberOf(schema, "title") ?? schema;
}
