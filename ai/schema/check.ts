import type { JsonSchema, StandardIssue } from "../../mod.ts";
import { asObject } from "../json.ts";

export interface SchemaRoot {
  readonly root: JsonSchema;
  readonly patterns: ReadonlyMap<string, RegExp>;
}

/** Maximum number of schemas applied in one check, because recursive `anyOf` grows exponentially. */
const maxSteps = 100_000;

/** Maximum depth of nested schemas, because a self-reference is infinite. */
const maxDepth = 512;

const maxIssues = 20;

/** Compiles every `pattern` of a schema and checks every `$ref`. @throws {TypeError} for an invalid one. */
export function compilePatterns(schema: JsonSchema): ReadonlyMap<string, RegExp> {
  const patterns = new Map<string, RegExp>();
  collectPatterns(schema, { patterns, root: schema });
  return patterns;
}

function collectPatterns(
  value: unknown,
  found: { readonly patterns: Map<string, RegExp>; readonly root: JsonSchema },
): void {
  const { patterns, root } = found;
  if (typeof value !== "object" || value === null) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (dataKeywords.has(keyword)) continue;
    if (keyword === "$ref" && typeof inner === "string") checkReference(inner, root);
    if (keyword === "pattern" && typeof inner === "string") {
      patterns.set(inner, compilePattern(inner));
    } else if (keyword === "patternProperties" && typeof inner === "object" && inner !== null) {
      for (const pattern of Object.keys(inner)) patterns.set(pattern, compilePattern(pattern));
    }
    if (namedKeywords.has(keyword) && typeof inner === "object" && inner !== null) {
      // These keys are names, and one may be "pattern" or "default".
      for (const named of Object.values(inner)) collectPatterns(named, found);
    } else collectPatterns(inner, found);
  }
}

/** Checks a `$ref`. @throws {TypeError} if its target is outside the schema or missing. */
function checkReference(reference: string, root: JsonSchema): void {
  if (resolveReference(root, reference) !== undefined) return;
  const start = JSON.stringify(reference.slice(0, 200));
  throw new TypeError(
    `Cannot follow the reference ${start} of a JSON Schema: use one that leads to a part of the ` +
      'same schema, such as "#/$defs/address".',
  );
}

/** Keywords that contain values, in which keyword names have no meaning. */
export const dataKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

const namedKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
]);

function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    // Retry without the flag, which forbids the redundant escapes, such as "\_", of many documents.
  }
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new TypeError(
      `Cannot check the pattern ${JSON.stringify(pattern)}: it is not a regular expression.`,
      { cause },
    );
  }
}

export function findIssues(value: unknown, schema: SchemaRoot): StandardIssue[] {
  const check = new Check(schema);
  check.apply(schema.root, value, []);
  // Fail closed: inside "not" or "oneOf" an aborted check would count as a mismatch.
  if (check.isTooComplex) return [{ message: "Too complex to check against its schema", path: [] }];
  return check.issues;
}

type Path = readonly PropertyKey[];

class Check {
  readonly #schema: SchemaRoot;
  issues: StandardIssue[] = [];
  /** Whether the check was aborted, so that the value counts as invalid. */
  isTooComplex = false;
  #steps = 0;
  #depth = 0;

  constructor(schema: SchemaRoot) {
    this.#schema = schema;
  }

  apply(schema: unknown, value: unknown, path: Path): void {
    if (schema === true || this.isTooComplex || this.issues.length >= maxIssues) return;
    if (schema === false) return this.#add("Not allowed", path);
    if (typeof schema !== "object" || schema === null) return;
    this.#steps++;
    if (this.#steps > maxSteps || this.#depth >= maxDepth) {
      this.isTooComplex = true;
      return;
    }
    this.#depth++;
    this.#applyKeywords(schema as JsonSchema, value, path);
    this.#depth--;
  }

  #add(message: string, path: Path): void {
    this.issues.push({ message, path });
  }

  #applyKeywords(schema: JsonSchema, value: unknown, path: Path): void {
    if (typeof schema.$ref === "string") this.#applyReference(schema.$ref, value, path);
    if (!this.#hasType(schema, value, path)) return;
    this.#applyChoices(schema, value, path);
    if (typeof value === "string") this.#applyText(schema, value, path);
    if (typeof value === "number") this.#applyNumber(schema, value, path);
    if (Array.isArray(value)) this.#applyArray(schema, value, path);
    else if (typeof value === "object" && value !== null) {
      this.#applyObject(schema, value as Record<string, unknown>, path);
    }
    this.#applyCombinations(schema, value, path);
  }

  #applyReference(reference: string, value: unknown, path: Path): void {
    const target = resolveReference(this.#schema.root, reference);
    if (target === undefined) return this.#add(`Unknown schema "${reference.slice(0, 80)}"`, path);
    this.apply(target, value, path);
  }

  #hasType({ type }: JsonSchema, value: unknown, path: Path): boolean {
    if (type === undefined) return true;
    const types = Array.isArray(type) ? type : [type];
    if (types.some((each) => isOfType(each, value))) return true;
    this.#add(`Expected ${types.join(" or ")}`, path);
    return false;
  }

  #applyChoices(schema: JsonSchema, value: unknown, path: Path): void {
    if (Array.isArray(schema.enum) && !schema.enum.some((each) => isEqual(each, value))) {
      const choices = schema.enum.slice(0, 20).map((each) => JSON.stringify(each)).join(", ");
      this.#add(`Expected one of ${choices}`, path);
    }
    if (schema.const !== undefined && !isEqual(schema.const, value)) {
      this.#add(`Expected ${JSON.stringify(schema.const)}`, path);
    }
  }

  #applyText(schema: JsonSchema, value: string, path: Path): void {
    const { minLength = 0, maxLength = Infinity, pattern } = schema;
    if (minLength > 0 || maxLength !== Infinity) {
      const length = countCodePoints(value);
      if (length < minLength) this.#add(`Expected at least ${minLength} characters`, path);
      if (length > maxLength) this.#add(`Expected at most ${maxLength} characters`, path);
    }
    if (pattern === undefined || this.#schema.patterns.get(pattern)?.test(value)) return;
    this.#add(`Expected a text that matches ${pattern}`, path);
  }

  #applyNumber(schema: JsonSchema, value: number, path: Path): void {
    for (const [keyword, words, holds] of numberRules) {
      const limit = schema[keyword];
      if (typeof limit === "number" && !holds(value, limit)) {
        this.#add(`Expected ${words} ${limit}`, path);
      }
    }
  }

  #applyArray(schema: JsonSchema, value: readonly unknown[], path: Path): void {
    const { minItems = 0, maxItems = Infinity, items, prefixItems, uniqueItems } = schema;
    if (value.length < minItems) this.#add(`Expected at least ${minItems} items`, path);
    if (value.length > maxItems) this.#add(`Expected at most ${maxItems} items`, path);
    if (uniqueItems === true && new Set(value.map(canonical)).size < value.length) {
      this.#add("Expected items that differ from each other", path);
    }
    const prefix: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    for (const [index, item] of value.entries()) {
      if (this.issues.length >= maxIssues) return;
      const inner = index < prefix.length ? prefix[index] : items;
      if (inner !== undefined) this.apply(inner, item, [...path, index]);
    }
  }

  #applyObject(schema: JsonSchema, value: Record<string, unknown>, path: Path): void {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) this.#add("Is required", [...path, name]);
    }
    const { properties = {}, additionalProperties, patternProperties } = schema;
    const byPattern = Object.entries(asObject(patternProperties));
    for (const [name, inner] of Object.entries(value)) {
      if (this.issues.length >= maxIssues) return;
      const isNamed = Object.hasOwn(properties, name);
      if (isNamed) this.apply(properties[name], inner, [...path, name]);
      const matching = byPattern.filter(([pattern]) =>
        this.#schema.patterns.get(pattern)?.test(name)
      );
      for (const [, each] of matching) this.apply(each, inner, [...path, name]);
      if (isNamed || matching.length > 0) continue;
      if (additionalProperties === false) {
        this.#add("Unknown field", [...path, name.slice(0, 80)]);
      } else if (typeof additionalProperties === "object") {
        this.apply(additionalProperties, inner, [...path, name]);
      }
    }
  }

  #applyCombinations(schema: JsonSchema, value: unknown, path: Path): void {
    const { allOf, anyOf, oneOf, not } = schema;
    for (const each of Array.isArray(allOf) ? allOf : []) this.apply(each, value, path);
    if (Array.isArray(anyOf) && this.#countMatches(anyOf, value, path) === 0) {
      this.#add("Matches none of the allowed forms", path);
    }
    if (Array.isArray(oneOf) && this.#countMatches(oneOf, value, path) !== 1) {
      this.#add("Expected exactly one of the allowed forms", path);
    }
    if (not !== undefined && this.#countMatches([not], value, path) > 0) {
      this.#add("Has a form that is not allowed", path);
    }
  }

  #countMatches(schemas: readonly unknown[], value: unknown, path: Path): number {
    const outer = this.issues;
    let matches = 0;
    for (const schema of schemas) {
      this.issues = [];
      this.apply(schema, value, path);
      if (this.issues.length === 0) matches++;
    }
    this.issues = outer;
    return matches;
  }
}

type NumberRule = readonly [
  keyword: string,
  words: string,
  holds: (value: number, limit: number) => boolean,
];

const numberRules: readonly NumberRule[] = [
  ["minimum", "at least", (value, limit) => value >= limit],
  ["maximum", "at most", (value, limit) => value <= limit],
  ["exclusiveMinimum", "more than", (value, limit) => value > limit],
  ["exclusiveMaximum", "less than", (value, limit) => value < limit],
  ["multipleOf", "a multiple of", isMultiple],
];

function isOfType(type: unknown, value: unknown): boolean {
  const actual = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return type === actual || (type === "integer" && Number.isInteger(value));
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function isMultiple(value: number, step: number): boolean {
  if (value % step === 0) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient) * 2;
}

function isEqual(left: unknown, right: unknown): boolean {
  return left === right || canonical(left) === canonical(right);
}

/** Serialises a JSON value with sorted members, so that equal values have equal strings. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`);
  return `{${members.join()}}`;
}

function resolveReference(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const name = decodeToken(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) {
      return undefined;
    }
    target = (target as Record<string, unknown>)[name];
  }
  return target;
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
