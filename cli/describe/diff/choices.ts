/**
 * Pairs the choices of two `oneOf` or `anyOf`.
 *
 * @module
 */
import { entriesOf, memberOf, textOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";
import { jsonText, shown } from "./shown.ts";

/** Pairs equal choices; what is left is compared where one stands on each side. */
export function pairChoices(own: readonly unknown[], other: readonly unknown[]): {
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

/**
 * Returns what makes a choice the same one: its reference, the constants of its members, or all of
 * it.
 */
function choiceKey(schema: unknown): string {
  const ref = textOf(memberOf(schema, "$ref"));
  if (ref !== undefined) return `ref ${ref}`;
  const tags = entriesOf(memberOf(schema, "properties")).flatMap(([name, each]) => {
    const value = memberOf(each, "const");
    return value === undefined ? [] : [`${name}=${jsonText(value)}`];
  });
  return tags.length > 0 ? `tags ${tags.sort().join()}` : JSON.stringify(schema) ?? "";
}

/** Names a choice: by its reference, its title, or the whole of it. */
export function choiceText(document: unknown, schema: unknown): string {
  const ref = textOf(memberOf(schema, "$ref"));
  if (ref !== undefined) return ref.slice(ref.lastIndexOf("/") + 1);
  const title = textOf(memberOf(followReferences(document, schema), "title"));
  return title ?? shown(schema);
}
