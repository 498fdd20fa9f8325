/** The places of a form's fields: which are there, in which order, and what stands around them. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";

/** A field, a group of fields or an upload, by the name that the options use. */
export interface Part {
  /** The path of the field in the value, or the name of an upload. */
  readonly path: string;
  /** The names of the fields of a struct. @default none */
  readonly inner: readonly string[];
  readonly render: () => Node;
}

/** The options that decide where a field stands. */
export interface PlaceOptions {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly layout?: (field: (...names: readonly string[]) => Node) => Child;
}

/** Renders each chosen field once, at its place. */
export class Places {
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #options: PlaceOptions;
  readonly #placed = new Set<string>();

  constructor(parts: ReadonlyMap<string, Part>, options: PlaceOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Renders the fields of the layout, then the others in their order. */
  render(): readonly Child[] {
    const { layout, only } = this.#options;
    const own = layout?.((...names) => h.fragment(names.map((name) => this.#placeNamed(name))));
    return [own, ...this.rest(only ?? this.#tops())];
  }

  /** Renders the fields that have no place yet; of a struct whose fields are split, those that remain. */
  rest(paths: readonly string[]): readonly Node[] {
    return paths.flatMap((path) => {
      const part = this.#parts.get(path);
      if (part === undefined || this.#placed.has(path) || this.#isLeftOut(path)) return [];
      const isSplit = part.inner.length > 0 &&
        [...this.#placed].some((placed) => placed.startsWith(`${path}.`));
      return isSplit ? this.rest(part.inner) : [this.#place(part)];
    });
  }

  #placeNamed(name: string): Node {
    const part = this.#parts.get(name);
    if (part === undefined) throw unknownField(name, this.#parts);
    if (this.#placed.has(name)) {
      throw new TypeError(
        `Cannot render the form field "${name}" twice: name it once in "layout", beside no struct that ` +
          "contains it.",
      );
    }
    return this.#isLeftOut(name) ? h.fragment() : this.#place(part);
  }

  #place(part: Part): Node {
    this.#placed.add(part.path);
    return part.render();
  }

  /** The parts that no struct contains. */
  #tops(): readonly string[] {
    const inner = new Set([...this.#parts.values()].flatMap((part) => part.inner));
    return [...this.#parts.keys()].filter((path) => !inner.has(path));
  }

  #isLeftOut(path: string): boolean {
    const { only, except = [] } = this.#options;
    const isIn = (names: readonly string[]): boolean =>
      names.some((name) => name === path || path.startsWith(`${name}.`));
    return isIn(except) || (only !== undefined && !isIn(only));
  }
}

/** Returns the error for an unknown field name, which the compiler cannot catch in a variable. */
export function unknownField(name: string, parts: ReadonlyMap<string, Part>): TypeError {
  return new TypeError(
    `Cannot render the form field "${name}": the schema has no such field; use one of ` +
      `${[...parts.keys()].join(", ")}, or add it to "files".`,
  );
}
