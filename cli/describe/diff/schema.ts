/**
 * Compares two JSON Schemas: whether the newer one accepts less (narrower) or more (wider).
 *
 * A request that becomes narrower breaks the clients that send what is refused now; a response that
 * becomes wider breaks the clients that receive what they did not expect.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { findReference, followReferences } from "../document/values.ts";
import type { ChangeFacts, ChangeKind } from "./change.ts";
import { isSameTarget, type SameTargets } from "./same_targets.ts";

/** Who writes the values of a schema. */
export type Direction = "request" | "response";

/** Two documents, and what is known to be equal in both. */
export interface Documents {
  readonly before: unknown;
  readonly after: unknown;
  readonly same: SameTargets;
  /** Counts the schemas that are compared, over all operations. */
  readonly budget: { left: number };
}

/** One comparison of two schemas. */
export interface SchemaComparison {
  readonly documents: Documents;
  readonly direction: Direction;
  /** Receives what differs, and the member that differs. */
  readonly report: (field: string, facts: ChangeFacts) => void;
}

/** How deep schemas are compared without a reference. */
const maxDepth = 100;

/** What became of the values that a schema accepts. */
type Effect = "narrower" | "wider" | "other";

/** Compares two schemas and all that they contain. */
export function compareSchemas(
  before: unknown,
  after: unknown,
  comparison: SchemaComparison,
): void {
  new SchemaWalk(comparison).compare({ before, after, field: "", depth: 0 });
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly field: string;
  readonly depth: number;
}

class SchemaWalk {
  readonly #comparison: SchemaComparison;
  /** Pairs of references that were compared, so that a schema may contain itself. */
  readonly #seen = new Set<string>();

  constructor(comparison: SchemaComparison) {
    this.#comparison = comparison;
  }

  compare(pair: Pair): void {
    const { documents, report } = this.#comparison;
    const { field, depth } = pair;
    // Two absent or unchanged boolean schemas.
    if (pair.before === pair.after) return;
    if (--documents.budget.left < 0 || depth > maxDepth) {
      // What was not compared counts as broken: a check must not pass because it gave up.
      report(field, { kind: "too large", level: "breaking" });
      return;
    }
    const targets = [
      targetOf(documents.before, pair.before),
      targetOf(documents.after, pair.after),
    ] as const;
    const [from, to] = targets;
    if (isSameTarget(documents.same, from?.ref, to?.ref) && from?.isNullable === to?.isNullable) {
      return;
    }
    if (from !== undefined || to !== undefined) {
      // A pair of names differs in one way wherever it stands; a name and something else does not.
      const isPair = from?.isNullable === to?.isNullable;
      const key = JSON.stringify([from?.ref, to?.ref, isPair ? "" : field]);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    const before = normalize(documents.before, pair.before);
    const after = normalize(documents.after, pair.after);
    if (before === undefined || after === undefined) {
      return this.#compareAny({ before, after }, field);
    }
    this.#compareTypes({ before, after }, field);
    this.#compareValues({ before, after }, field);
    this.#compareLimits({ before, after }, field);
    this.#compareNotes({ before, after }, field);
    this.#compareMembers({ before, after }, { field, depth });
    this.#compareItems({ before, after }, { field, depth });
    this.#compareChoices({ before, after }, { field, depth });
  }

  #report(field: string, effect: Effect, facts: Omit<ChangeFacts, "level">): void {
    const { direction, report } = this.#comparison;
    const breaks = effect === "other" || (direction === "request") === (effect === "narrower");
    report(field, { ...facts, level: breaks ? "breaking" : "compatible" });
  }

  /** One of the schemas accepts nothing: `false`. */
  #compareAny(
    { before, after }: { readonly before: unknown; readonly after: unknown },
    field: string,
  ): void {
    if (before === undefined && after === undefined) return;
    const effect = after === undefined ? "narrower" : "wider";
    const text = (schema: unknown): string => schema === undefined ? "nothing" : "something";
    this.#report(field, effect, { kind: "type", from: text(before), to: text(after) });
  }

  #compareTypes({ before, after }: Schemas, field: string): void {
    const [from, to] = [typesOf(before), typesOf(after)];
    if (from === undefined && to === undefined) return;
    if (from !== undefined && to !== undefined) {
      if (from.has("null") !== to.has("null")) {
        const isAdded = to.has("null");
        this.#report(field, isAdded ? "wider" : "narrower", {
          kind: isAdded ? "null added" : "null removed",
        });
      }
      const [own, other] = [withoutNull(from), withoutNull(to)];
      const lost = [...own].some((type) => !accepts(other, type));
      const gained = [...other].some((type) => !accepts(own, type));
      if (lost || gained) {
        this.#report(field, effectOf(lost, gained), {
          kind: "type",
          from: typeText(own),
          to: typeText(other),
        });
      }
      return;
    }
    // Without `type`, every type is accepted, unless other keywords choose the values.
    if (hasChoices(before) || hasChoices(after)) return;
    this.#report(field, from === undefined ? "narrower" : "wider", {
      kind: "type",
      from: from === undefined ? "any" : typeText(from),
      to: to === undefined ? "any" : typeText(to),
    });
  }

  #compareValues({ before, after }: Schemas, field: string): void {
    const [from, to] = [valuesOf(before), valuesOf(after)];
    if (from !== undefined && to !== undefined) {
      for (const value of from) {
        if (!to.has(value)) this.#report(field, "narrower", { kind: "value removed", name: value });
      }
      for (const value of to) {
        if (!from.has(value)) this.#report(field, "wider", { kind: "value added", name: value });
      }
    } else if (to !== undefined) {
      this.#report(field, "narrower", { kind: "values limited", to: [...to].join(", ") });
    } else if (from !== undefined) {
      this.#report(field, "wider", { kind: "values unlimited", from: [...from].join(", ") });
    }
  }

  #compareLimits({ before, after }: Schemas, field: string): void {
    for (const [name, isLower] of limits) {
      const [from, to] = [numberOf(before, name), numberOf(after, name)];
      if (from === to) continue;
      const kind: ChangeKind = from === undefined
        ? "limit added"
        : to === undefined
        ? "limit removed"
        : "limit";
      const isNarrower = from === undefined ||
        to !== undefined && (isLower ? to > from : to < from);
      // "At least 0" says nothing about a length.
      if (isLower && name !== "minimum" && name !== "exclusiveMinimum") {
        if ((from ?? 0) === (to ?? 0)) continue;
      }
      this.#report(field, isNarrower ? "narrower" : "wider", {
        kind,
        name,
        from: String(from ?? ""),
        to: String(to ?? ""),
      });
    }
    for (const name of constraints) this.#compareConstraint({ before, after }, { field, name });
  }

  #compareConstraint(
    { before, after }: Schemas,
    { field, name }: { readonly field: string; readonly name: string },
  ): void {
    const [from, to] = [constraintOf(before, name), constraintOf(after, name)];
    if (from === to) return;
    if (from === undefined) {
      this.#report(field, "narrower", { kind: "constraint added", name, to: to ?? "" });
    } else if (to === undefined) {
      this.#report(field, "wider", { kind: "constraint removed", name, from });
    } else {this.#report(field, constraintEffect(name, from, to), {
        kind: "constraint",
        name,
        from,
        to,
      });}
  }

  #compareNotes({ before, after }: Schemas, field: string): void {
    const { report } = this.#comparison;
    const was = memberOf(before, "deprecated") === true;
    const is = memberOf(after, "deprecated") === true;
    if (was !== is) report(field, { kind: is ? "deprecated" : "not deprecated", level: "notice" });
    const [from, to] = [shown(memberOf(before, "default")), shown(memberOf(after, "default"))];
    if (from !== to) report(field, { kind: "default", level: "notice", from, to });
  }

  #compareMembers({ before, after }: Schemas, at: At): void {
    const own = new Map(entriesOf(memberOf(before, "properties")));
    const other = new Map(entriesOf(memberOf(after, "properties")));
    const required = {
      before: new Set(textsOf(memberOf(before, "required"))),
      after: new Set(textsOf(memberOf(after, "required"))),
    };
    for (const name of new Set([...own.keys(), ...other.keys()])) {
      const field = joinField(at.field, name);
      if (!other.has(name)) {
        this.#memberRemoved({ field, after, wasRequired: required.before.has(name) });
      } else if (!own.has(name)) {
        this.#memberAdded({ name, field, required, schema: other.get(name) });
      } else {
        this.#compareRequired(field, required.before.has(name), required.after.has(name));
        this.compare({
          before: own.get(name),
          after: other.get(name),
          field,
          depth: at.depth + 1,
        });
      }
    }
    this.#compareOthers({ before, after }, at);
  }

  #memberRemoved(
    { field, after, wasRequired }: {
      readonly field: string;
      readonly after: JsonObject;
      readonly wasRequired: boolean;
    },
  ): void {
    const { direction, report } = this.#comparison;
    // An open request ignores what clients still send; a response may have lacked an optional field.
    const isBreaking = direction === "request"
      ? memberOf(after, "additionalProperties") === false
      : wasRequired;
    report(field, { kind: "removed", level: isBreaking ? "breaking" : "notice" });
  }

  #memberAdded(
    { name, field, required, schema }: {
      readonly name: string;
      readonly field: string;
      readonly required: { readonly before: Set<string>; readonly after: Set<string> };
      readonly schema: unknown;
    },
  ): void {
    const { direction, report, documents } = this.#comparison;
    const isRequired = required.after.has(name);
    const isReadOnly = memberOf(followReferences(documents.after, schema), "readOnly") === true;
    const isBreaking = direction === "request" && isRequired && !isReadOnly &&
      !required.before.has(name);
    report(field, {
      kind: isRequired ? "added required" : "added",
      level: isBreaking ? "breaking" : "compatible",
    });
  }

  #compareRequired(field: string, was: boolean, is: boolean): void {
    if (was === is) return;
    this.#report(field, is ? "narrower" : "wider", {
      kind: is ? "became required" : "became optional",
    });
  }

  /** Compares what members without a name of their own must be. */
  #compareOthers({ before, after }: Schemas, { field, depth }: At): void {
    const from = memberOf(before, "additionalProperties") ?? true;
    const to = memberOf(after, "additionalProperties") ?? true;
    if (from === false || to === false) {
      if (from === to) return;
      this.#report(field, to === false ? "narrower" : "wider", {
        kind: to === false ? "members closed" : "members opened",
      });
      return;
    }
    this.compare({ before: from, after: to, field: joinField(field, "*"), depth: depth + 1 });
  }

  #compareItems({ before, after }: Schemas, { field, depth }: At): void {
    const [first, second] = [
      listOf(memberOf(before, "prefixItems")),
      listOf(memberOf(after, "prefixItems")),
    ];
    const [from, to] = [memberOf(before, "items") ?? true, memberOf(after, "items") ?? true];
    for (let at = 0; at < Math.max(first.length, second.length); at++) {
      this.compare({
        before: at < first.length ? first[at] : from,
        after: at < second.length ? second[at] : to,
        field: `${field}[${at}]`,
        depth: depth + 1,
      });
    }
    if (from === true && to === true) return;
    this.compare({ before: from, after: to, field: `${field}[]`, depth: depth + 1 });
  }

  #compareChoices({ before, after }: Schemas, { field, depth }: At): void {
    const { documents } = this.#comparison;
    for (const keyword of ["oneOf", "anyOf"]) {
      const own = [...listOf(memberOf(before, keyword))];
      const other = [...listOf(memberOf(after, keyword))];
      if (own.length === 0 && other.length === 0) continue;
      if (own.length === 0 || other.length === 0) {
        // A schema that became a choice of itself and others is still there.
        const isAdded = own.length === 0;
        this.#report(field, isAdded ? "narrower" : "wider", {
          kind: isAdded ? "constraint added" : "constraint removed",
          name: keyword,
        });
        continue;
      }
      const pairs = pairChoices(own, other);
      for (const [from, to] of pairs.both) {
        this.compare({ before: from, after: to, field, depth: depth + 1 });
      }
      for (const each of pairs.removed) {
        this.#report(field, "narrower", {
          kind: "choice removed",
          name: choiceText(documents.before, each),
        });
      }
      for (const each of pairs.added) {
        this.#report(field, "wider", {
          kind: "choice added",
          name: choiceText(documents.after, each),
        });
      }
    }
  }
}

interface Target {
  readonly ref: string;
  readonly isNullable: boolean;
}

/** The last of the references that lead to a schema, through choices of it and `null`. */
function targetOf(document: unknown, schema: unknown): Target | undefined {
  let target: Target | undefined;
  let found = schema;
  for (let step = 0; step < 32; step++) {
    const ref = textOf(memberOf(found, "$ref"));
    const choice = ref === undefined ? nullableReference(found) : undefined;
    const next = ref ?? choice;
    if (next === undefined) return target;
    target = { ref: next, isNullable: choice !== undefined || target?.isNullable === true };
    found = findReference(document, next);
  }
  return target;
}

/** The reference that a schema chooses beside `null`. */
function nullableReference(schema: unknown): string | undefined {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const refs = choices.flatMap((each) => textOf(memberOf(each, "$ref")) ?? []);
    const hasNull = choices.some((each) => memberOf(each, "type") === "null");
    if (choices.length === 2 && hasNull && refs.length === 1) return refs[0];
  }
  return undefined;
}

interface Schemas {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface At {
  readonly field: string;
  readonly depth: number;
}

function effectOf(lost: boolean, gained: boolean): Effect {
  if (lost && gained) return "other";
  return lost ? "narrower" : "wider";
}

/** A schema as an object without `$ref`, `allOf` and a choice of `null`; `undefined` for `false`. */
function normalize(document: unknown, schema: unknown, depth = 0): JsonObject | undefined {
  const found = followReferences(document, schema);
  if (found === false) return undefined;
  const object = objectOf(found) ?? {};
  const parts = listOf(memberOf(object, "allOf"));
  const whole = parts.length === 0 || depth > 20
    ? object
    : mergeParts(object, parts.map((part) => normalize(document, part, depth + 1) ?? {}));
  return withoutNullChoice(document, whole, depth);
}

/** Joins the parts of an `allOf`: members and required names of all; of other keywords the first. */
function mergeParts(own: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const { allOf: _, ...rest } = own;
  const merged = new Map<string, unknown>(Object.entries(rest));
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const before = merged.get(name);
      if (name === "properties") {
        merged.set(name, Object.fromEntries([...entriesOf(value), ...entriesOf(before)]));
      } else if (name === "required") {
        merged.set(name, [...new Set([...textsOf(before), ...textsOf(value)])]);
      } else if (before === undefined) merged.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}

/** Writes `anyOf: [X, { type: "null" }]` as X with the type `null` beside its own. */
function withoutNullChoice(document: unknown, schema: JsonObject, depth: number): JsonObject {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const others = choices.filter((choice) => memberOf(choice, "type") !== "null");
    const [only] = others;
    if (choices.length !== 2 || others.length !== 1 || depth > 20) continue;
    const inner = normalize(document, only, depth + 1);
    const types = inner === undefined ? undefined : typesOf(inner);
    if (inner === undefined || types === undefined) continue;
    const { [keyword]: _, ...rest } = schema;
    const values = valuesList(inner);
    return {
      ...inner,
      ...rest,
      type: [...types, "null"],
      ...(values === undefined ? {} : { enum: [...values, null], const: undefined }),
    };
  }
  return schema;
}

function valuesList(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const") && schema["const"] !== undefined) return [schema["const"]];
  const values = memberOf(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

/** The values that an `enum` or a `const` lists, without `null`, which the types tell. */
function valuesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const values = valuesList(schema);
  return values === undefined
    ? undefined
    : new Set(values.filter((value) => value !== null).map(shown));
}

/** The types that a schema names; `undefined` if it names none. */
function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const given = memberOf(schema, "type");
  const names = new Set(typeof given === "string" ? [given] : textsOf(given));
  if (names.size === 0) return undefined;
  if (memberOf(schema, "nullable") === true) names.add("null");
  return names;
}

function withoutNull(types: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...types].filter((type) => type !== "null"));
}

function accepts(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || type === "integer" && types.has("number");
}

function typeText(types: ReadonlySet<string>): string {
  return [...types].join(" | ");
}

function hasChoices(schema: JsonObject): boolean {
  return ["oneOf", "anyOf", "enum", "const"].some((name) => memberOf(schema, name) !== undefined);
}

/** The keywords that limit by a number, and whether they are lower limits. */
const limits: readonly (readonly [string, boolean])[] = [
  ["minimum", true],
  ["exclusiveMinimum", true],
  ["minLength", true],
  ["minItems", true],
  ["minProperties", true],
  ["minContains", true],
  ["maximum", false],
  ["exclusiveMaximum", false],
  ["maxLength", false],
  ["maxItems", false],
  ["maxProperties", false],
  ["maxContains", false],
];

/** The keywords that a value meets or does not. */
const constraints = [
  "pattern",
  "format",
  "multipleOf",
  "uniqueItems",
  "contentMediaType",
  "contentEncoding",
  "propertyNames",
  "contains",
  "not",
  "if",
  "dependentRequired",
];

function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = memberOf(schema, name);
  return typeof value === "number" ? value : undefined;
}

function constraintOf(schema: JsonObject, name: string): string | undefined {
  const value = memberOf(schema, name);
  if (value === undefined || name === "uniqueItems" && value !== true) return undefined;
  return typeof value === "string" ? value : shown(value);
}

function constraintEffect(name: string, from: string, to: string): Effect {
  if (name === "format") {
    if (from === "int32" && to === "int64") return "wider";
    if (from === "int64" && to === "int32") return "narrower";
    if (from === "float" && to === "double") return "wider";
    if (from === "double" && to === "float") return "narrower";
  }
  if (name === "multipleOf") {
    if (Number(to) % Number(from) === 0) return "narrower";
    if (Number(from) % Number(to) === 0) return "wider";
  }
  return "other";
}

function joinField(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}

/** The most characters of a value in a line. */
const maxShown = 120;

/** Writes a value on one line. */
export function shown(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value) ?? "";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Pairs equal choices; what is left is compared where one stands on each side. */
function pairChoices(own: readonly unknown[], other: readonly unknown[]): {
  readonly both: readonly (readonly [unknown, unknown])[];
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
} {
  const both: [unknown, unknown][] = [];
  const waiting = new Map<string, unknown[]>();
  for (const each of other) {
    const key = choiceKey(each);
    waiting.set(key, [...waiting.get(key) ?? [], each]);
  }
  const removed = own.filter((each) => {
    const found = waiting.get(choiceKey(each))?.shift();
    if (found !== undefined) both.push([each, found]);
    return found === undefined;
  });
  const added = [...waiting.values()].flat();
  const [from, to] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1) {
    return { both: [...both, [from, to]], removed: [], added: [] };
  }
  return { both, removed, added };
}

/** What makes a choice the same one: its reference, the constants of its members, or all of it. */
function choiceKey(schema: unknown): string {
  const ref = textOf(memberOf(schema, "$ref"));
  if (ref !== undefined) return `ref ${ref}`;
  const tags = entriesOf(memberOf(schema, "properties")).flatMap(([name, each]) => {
    const value = memberOf(each, "const");
    return value === undefined ? [] : [`${name}=${shown(value)}`];
  });
  return tags.length > 0 ? `tags ${tags.sort().join()}` : JSON.stringify(schema) ?? "";
}

function choiceText(document: unknown, schema: unknown): string {
  const ref = textOf(memberOf(schema, "$ref"));
  if (ref !== undefined) return ref.slice(ref.lastIndexOf("/") + 1);
  const title = textOf(memberOf(followReferences(document, schema), "title"));
  return title ?? shown(schema);
}
