/**
 * Compares the keywords of two schemas that limit a value by itself: its type, its values and its limits.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { memberOf } from "../../project/json.ts";
import type { ChangeFacts, ChangeKind } from "./change.ts";
import { typesOf, valuesList } from "./normalize.ts";
import { jsonText, shorten } from "./shown.ts";

/** What became of the values that a schema accepts. */
export type Effect = "narrower" | "wider" | "other";

/** Receives a difference, and what it does to the accepted values. */
export type ReportEffect = (effect: Effect, facts: Omit<ChangeFacts, "level">) => void;

/** Two schemas in their normal form. */
export interface Schemas {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Compares the types, values, limits and constraints of two schemas. */
export function compareKeywords(schemas: Schemas, report: ReportEffect): void {
  compareTypes(schemas, report);
  compareValues(schemas, report);
  compareLimits(schemas, report);
}

function compareTypes({ before, after }: Schemas, report: ReportEffect): void {
  const [from, to] = [typesOf(before), typesOf(after)];
  if (from === undefined && to === undefined) return;
  if (from !== undefined && to !== undefined) {
    if (from.has("null") !== to.has("null")) {
      const isAdded = to.has("null");
      report(isAdded ? "wider" : "narrower", {
        kind: isAdded ? "null added" : "null removed",
      });
    }
    const [own, other] = [withoutNull(from), withoutNull(to)];
    const lost = [...own].some((type) => !accepts(other, type));
    const gained = [...other].some((type) => !accepts(own, type));
    if (lost || gained) {
      report(effectOf(lost, gained), {
        kind: "type",
        from: typeText(own),
        to: typeText(other),
      });
    }
    return;
  }
  // Without `type`, every type is accepted, unless other keywords choose the values.
  if (hasChoices(before) || hasChoices(after)) return;
  report(from === undefined ? "narrower" : "wider", {
    kind: "type",
    from: from === undefined ? "any" : typeText(from),
    to: to === undefined ? "any" : typeText(to),
  });
}

function compareValues({ before, after }: Schemas, report: ReportEffect): void {
  const [from, to] = [valuesOf(before), valuesOf(after)];
  if (from !== undefined && to !== undefined) {
    for (const value of from) {
      if (!to.has(value)) report("narrower", { kind: "value removed", name: shorten(value) });
    }
    for (const value of to) {
      if (!from.has(value)) report("wider", { kind: "value added", name: shorten(value) });
    }
  } else if (to !== undefined) {
    report("narrower", { kind: "values limited", to: [...to].map(shorten).join(", ") });
  } else if (from !== undefined) {
    report("wider", { kind: "values unlimited", from: [...from].map(shorten).join(", ") });
  }
}

function compareLimits({ before, after }: Schemas, report: ReportEffect): void {
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
    report(isNarrower ? "narrower" : "wider", {
      kind,
      name,
      from: String(from ?? ""),
      to: String(to ?? ""),
    });
  }
  for (const name of constraints) compareConstraint({ before, after }, { name, report });
}

function compareConstraint(
  { before, after }: Schemas,
  { name, report }: { readonly name: string; readonly report: ReportEffect },
): void {
  const [from, to] = [constraintOf(before, name), constraintOf(after, name)];
  if (from === to) return;
  if (from === undefined) {
    report("narrower", { kind: "constraint added", name, to: shorten(to ?? "") });
  } else if (to === undefined) {
    report("wider", { kind: "constraint removed", name, from: shorten(from) });
  } else {
    const texts = { from: shorten(from), to: shorten(to) };
    report(constraintEffect(name, from, to), { kind: "constraint", name, ...texts });
  }
}

function effectOf(lost: boolean, gained: boolean): Effect {
  if (lost && gained) return "other";
  return lost ? "narrower" : "wider";
}

/**
 * Returns the values that an `enum` or a `const` lists, without `null`, which is part of the types.
 */
function valuesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const values = valuesList(schema);
  return values === undefined
    ? undefined
    : new Set(values.filter((value) => value !== null).map(jsonText));
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
  return typeof value === "string" ? value : jsonText(value);
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
