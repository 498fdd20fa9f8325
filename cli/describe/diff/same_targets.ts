/**
 * Finds the schemas that two documents share unchanged, references included, so that a document of many
 * operations is compared in time that grows with what changed.
 *
 * @module
 */
import { entriesOf, listOf, memberOf, textOf } from "../../project/json.ts";
import { findReference } from "../document/values.ts";

/** References whose targets are equal in both documents, with all that they refer to. */
export type SameTargets = ReadonlySet<string>;

const prefix = "#/components/schemas/";

/** Finds the schemas that are the same in both documents. */
export function findSameTargets(before: unknown, after: unknown): SameTargets {
  const others = new Map(schemasOf(after));
  const same = new Map<string, ReadonlySet<string>>();
  for (const [ref, schema] of schemasOf(before)) {
    const other = others.get(ref);
    if (other === undefined || JSON.stringify(schema) !== JSON.stringify(other)) continue;
    same.set(ref, referencesOf(schema));
  }
  // A schema that refers to one that differs is not the same either.
  const users = new Map<string, string[]>();
  for (const [ref, references] of same) {
    for (const each of references) users.set(each, [...users.get(each) ?? [], ref]);
  }
  const waiting = [...users.keys()].filter((ref) => !same.has(ref));
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    for (const user of users.get(ref) ?? []) if (same.delete(user)) waiting.push(user);
  }
  return new Set(same.keys());
}

/** Reports whether two references lead to equal schemas. */
export function isSameTarget(
  same: SameTargets,
  before: string | undefined,
  after: string | undefined,
): boolean {
  return before !== undefined && before === after && same.has(before);
}

/** The schema that references lead to. */
export interface Target {
  readonly ref: string;
  readonly isNullable: boolean;
}

/** Returns the last of the references that lead to a schema, through choices of it and `null`. */
export function targetOf(document: unknown, schema: unknown): Target | undefined {
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

/** Returns the reference that a schema chooses beside `null`. */
function nullableReference(schema: unknown): string | undefined {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const refs = choices.flatMap((each) => textOf(memberOf(each, "$ref")) ?? []);
    const hasNull = choices.some((each) => memberOf(each, "type") === "null");
    if (choices.length === 2 && hasNull && refs.length === 1) return refs[0];
  }
  return undefined;
}

/** Reports whether two values are equal, with all that they refer to. */
export function isSameValue(same: SameTargets, before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after) &&
    [...referencesOf(before)].every((ref) => same.has(ref));
}

function schemasOf(document: unknown): [string, unknown][] {
  return entriesOf(memberOf(memberOf(document, "components"), "schemas")).map(([name, schema]) => [
    prefix + name.replaceAll("~", "~0").replaceAll("/", "~1"),
    schema,
  ]);
}

function referencesOf(schema: unknown): ReadonlySet<string> {
  const references = new Set<string>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    const ref = textOf(memberOf(value, "$ref"));
    if (ref !== undefined) references.add(ref);
    for (const each of Object.values(value)) waiting.push(each);
  }
  return references;
}
