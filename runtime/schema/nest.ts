import type { FormReader } from "./run.ts";

/** The form value passed to a schema of another library. */
export type NestedForm = { [name: string]: string | string[] | NestedForm };

/** Names with more dots than this are left out: a library may recurse into what they make. */
const MAX_DEPTH = 64;

/**
 * Nests a form by the dots in its names: `home.city` becomes `{ home: { city } }`. Objects have no
 * prototype. A name is left out when one of its parts is `__proto__`, when it has too many parts, or
 * when a name before it already is a value where it needs an object, or the other way around.
 */
export function nestForm(form: FormReader, lists: readonly string[]): NestedForm {
  const root: NestedForm = Object.create(null);
  const arrays = new Set(lists);
  for (const name of new Set([...form.names(), ...lists])) {
    const values = form.all(name);
    const first = values[0];
    if (arrays.has(name)) place(root, name, [...values]);
    else if (first !== undefined) place(root, name, values.length === 1 ? first : [...values]);
  }
  return root;
}

function place(root: NestedForm, name: string, value: string | string[]): void {
  const parts = name.split(".", MAX_DEPTH + 1);
  const last = parts.pop();
  if (last === undefined || parts.length === MAX_DEPTH) return;
  if (last === "__proto__" || parts.includes("__proto__")) return;
  let parent = root;
  for (const part of parts) {
    const child = parent[part] ??= Object.create(null) as NestedForm;
    if (typeof child === "string" || Array.isArray(child)) return;
    parent = child;
  }
  parent[last] ??= value;
}
