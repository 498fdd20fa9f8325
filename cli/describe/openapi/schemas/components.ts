import { compareText } from "../../../problem.ts";
import type { Schema } from "../document.ts";

/** Named schemas. Each name is unique; a later schema with a taken name gets another one. */
export class Components {
  readonly #schemas = new Map<string, Schema>();
  readonly #names = new Map<unknown, string>();

  /** Returns a reference to a schema, built on the first call; it may refer to itself. */
  refer(key: unknown, name: string, build: () => Schema): Schema {
    const known = this.#names.get(key);
    if (known !== undefined) return reference(known);
    const free = freeName(name, this.#schemas);
    this.#names.set(key, free);
    this.#schemas.set(free, {});
    const schema = build();
    const twin = this.#twinOf(name, free, schema);
    if (twin === undefined) this.#schemas.set(free, schema);
    else {
      this.#schemas.delete(free);
      this.#names.set(key, twin);
    }
    return reference(twin ?? free);
  }

  resolve(schema: Schema): Schema {
    const [name = ""] = namesIn({ $ref: schema["$ref"] });
    return this.#schemas.get(name) ?? schema;
  }

  usedBy(part: unknown): Record<string, Schema> {
    const used = new Set(namesIn(part));
    // The loop also visits the names that it adds to the set.
    for (const name of used) {
      for (const inner of namesIn(this.#schemas.get(name))) used.add(inner);
    }
    const all = [...this.#schemas].filter(([name]) => used.has(name));
    return Object.fromEntries(all.sort(([a], [b]) => compareText(a, b)));
  }

  /** Returns the name of an equal schema: a struct and its value type often share a form. */
  #twinOf(name: string, own: string, schema: Schema): string | undefined {
    if (own === name) return undefined;
    const text = JSON.stringify(schema);
    if (text.includes(JSON.stringify(reference(own).$ref))) return undefined;
    for (const [other, known] of this.#schemas) {
      const isSameName = other === name || other.replace(/\d+$/, "") === name;
      if (other !== own && isSameName && JSON.stringify(known) === text) return other;
    }
    return undefined;
  }
}

/** Returns a name, with a number if it is taken. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  for (let count = 1;; count++) {
    const free = count === 1 ? name : `${name}${count}`;
    if (!taken.has(free)) return free;
  }
}

const prefix = "#/components/schemas/";

function namesIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" && value.startsWith(prefix)
      ? value.slice(prefix.length)
      : namesIn(value)
  );
}

function reference(name: string): Schema {
  return { $ref: prefix + name };
}
