/**
 * Finds the schemas that two documents share unchanged, references included, so that a document of many
 * operations is compared in time that grows with what changed.
 *
 * @module
 */
import { entriesOf, memberOf, textOf } from "../../project/json.ts";

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

/** Whether two references lead to equal schemas. */
export function isSameTarget(
  same: SameTargets,
  before: string | undefined,
  after: string | undefined,
): boolean {
  return before !== undefined && before === after && same.has(before);
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
