/** What a selector asks of an element. */
export interface Selectable {
  readonly name: string;
  readonly children: readonly unknown[];
  readonly siblings: readonly Selectable[];
  readonly place: { readonly index: number; readonly count: number };
  attribute(name: string): string | undefined;
  ancestors(): Iterable<Selectable>;
  descendants(): Iterable<Selectable>;
}

/** A list of selectors of which one must match. */
export type Selector = readonly Complex[];

/** Compounds with the combinators between them, read from the right. */
interface Complex {
  readonly compound: Compound;
  /** What stands to the left. */
  readonly left?: { readonly combinator: Combinator; readonly complex: Complex };
}

type Combinator = " " | ">" | "+" | "~";

/** Tests that one element must pass, all of them. */
type Compound = readonly ((element: Selectable) => boolean)[];

const maxSelectorChars = 1_000;

/**
 * Parses a CSS selector: names, `*`, `#id`, `.class`, attributes with every operator, the four
 * combinators, lists, `:not()`, `:is()`, `:has()`, `:first-child`, `:last-child`, `:nth-child(2)` (also
 * `odd` and `even`), `:checked`, `:disabled` and `:empty`.
 *
 * @throws {TypeError} for a selector that is malformed or not among these.
 */
export function parseSelector(text: string): Selector {
  return new SelectorParser(text).parse();
}

/** Checks whether an element matches one of the selectors. */
export function matches(element: Selectable, selector: Selector): boolean {
  return selector.some((complex) => matchesComplex(element, complex));
}

function matchesComplex(element: Selectable, { compound, left }: Complex): boolean {
  if (!compound.every((test) => test(element))) return false;
  if (left === undefined) return true;
  for (const near of neighbours(element, left.combinator)) {
    if (matchesComplex(near, left.complex)) return true;
  }
  return false;
}

/** Returns the elements that a combinator leads to. */
function* neighbours(element: Selectable, combinator: Combinator): Generator<Selectable> {
  if (combinator === " ") return yield* element.ancestors();
  if (combinator === ">") {
    for (const parent of element.ancestors()) return yield parent;
    return;
  }
  const { siblings } = element;
  const { index } = element.place;
  const before = siblings.slice(combinator === "+" ? Math.max(0, index - 1) : 0, index);
  yield* before.reverse();
}

const pseudos: Readonly<Record<string, (element: Selectable) => boolean>> = {
  "first-child": (element) => element.place.index === 0,
  "last-child": ({ place }) => place.index === place.count - 1,
  checked: (element) =>
    element.attribute("checked") !== undefined || element.attribute("selected") !== undefined,
  disabled: (element) => element.attribute("disabled") !== undefined,
  empty: ({ children }) => children.length === 0,
};

class SelectorParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.length > maxSelectorChars) {
      throw this.#fault(`it is over ${maxSelectorChars} characters`);
    }
  }

  parse(): Selector {
    const selector = this.#list();
    if (this.#at < this.#text.length) throw this.#fault("it ends too late");
    return selector;
  }

  #list(): Selector {
    const list: Complex[] = [];
    do {
      this.#take(/\s*/y);
      list.push(this.#complex());
      this.#take(/\s*/y);
    } while (this.#take(/,/y) !== undefined);
    return list;
  }

  #complex(): Complex {
    let complex: Complex = { compound: this.#compound() };
    for (;;) {
      const written = this.#take(/\s*[>+~]\s*|\s+(?=[^\s,)])/y)?.[0];
      if (written === undefined) return complex;
      const combinator = (written.trim() || " ") as Combinator;
      complex = { compound: this.#compound(), left: { combinator, complex } };
    }
  }

  #compound(): Compound {
    const tests: ((element: Selectable) => boolean)[] = [];
    const name = this.#take(/\*|[A-Za-z][\w-]*/y)?.[0].toLowerCase();
    if (name !== undefined) tests.push((element) => name === "*" || element.name === name);
    for (;;) {
      const test = this.#simple();
      if (test === undefined) break;
      tests.push(test);
    }
    if (tests.length === 0) {
      throw this.#fault("it needs a name, #id, .class, [attribute] or :pseudo-class");
    }
    return tests;
  }

  #simple(): ((element: Selectable) => boolean) | undefined {
    switch (this.#text[this.#at]) {
      case "#": {
        const id = this.#name();
        return (element) => element.attribute("id") === id;
      }
      case ".": {
        const name = this.#name();
        return (element) => wordsOf(element.attribute("class")).includes(name);
      }
      case "[":
        return this.#attribute();
      case ":":
        return this.#pseudo();
      default:
        return undefined;
    }
  }

  /** Reads a name behind its mark, with escapes such as `\:`. */
  #name(): string {
    const written = this.#take(/[#.]((?:[\w-]|[\u0080-\uffff]|\\[^\n])+)/y)?.[1];
    if (written === undefined) throw this.#fault("a name must follow its mark");
    return written.replace(/\\(.)/gs, "$1");
  }

  #attribute(): (element: Selectable) => boolean {
    const found = this.#take(
      /\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]"']+))\s*([is])?\s*)?\]/y,
    );
    if (found === undefined) throw this.#fault('an attribute is written [name] or [name="value"]');
    const [, name = "", operator, double, single, bare, flag] = found;
    if (operator === undefined) return (element) => element.attribute(name) !== undefined;
    const fold = (text: string): string => flag === "i" ? text.toLowerCase() : text;
    const want = fold(double ?? single ?? bare ?? "");
    return (element) => {
      const value = element.attribute(name);
      return value !== undefined && compare(fold(value), { operator, want });
    };
  }

  #pseudo(): (element: Selectable) => boolean {
    const [, name = "", paren] = this.#take(/:([a-z-]+)(\()?/y) ?? [];
    if (paren === undefined) {
      const test = Object.hasOwn(pseudos, name) ? pseudos[name] : undefined;
      if (test === undefined) throw this.#fault(`:${name} is not supported`);
      return test;
    }
    const test = this.#function(name);
    if (this.#take(/\s*\)/y) === undefined) throw this.#fault(`:${name}( needs its )`);
    return test;
  }

  #function(name: string): (element: Selectable) => boolean {
    if (name === "nth-child") {
      const [, written = ""] = this.#take(/\s*(odd|even|\d+)/y) ?? [];
      if (written === "") throw this.#fault(":nth-child takes a number, odd or even");
      if (written === "odd") return ({ place }) => place.index % 2 === 0;
      if (written === "even") return ({ place }) => place.index % 2 === 1;
      return ({ place }) => place.index === Number(written) - 1;
    }
    if (name === "has") {
      this.#take(/\s*/y);
      if (/[>+~]/.test(this.#text[this.#at] ?? "")) {
        throw this.#fault(":has takes no combinator at its start");
      }
    }
    if (name !== "not" && name !== "is" && name !== "has") {
      throw this.#fault(`:${name}() is not supported`);
    }
    const inner = this.#list();
    if (name === "is") return (element) => matches(element, inner);
    if (name === "not") return (element) => !matches(element, inner);
    return (element) => {
      for (const below of element.descendants()) if (matches(below, inner)) return true;
      return false;
    };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #fault(reason: string): TypeError {
    return new TypeError(
      `Cannot use the selector ${
        JSON.stringify(this.#text.slice(0, 200))
      }: ${reason} (at character ${this.#at + 1}).`,
    );
  }
}

function wordsOf(text = ""): string[] {
  return text.split(/[\t\n\f\r ]+/);
}

function compare(
  value: string,
  { operator, want }: { readonly operator: string; readonly want: string },
): boolean {
  switch (operator) {
    case "=":
      return value === want;
    case "~=":
      return want !== "" && wordsOf(value).includes(want);
    case "|=":
      return value === want || value.startsWith(`${want}-`);
    case "^=":
      return want !== "" && value.startsWith(want);
    case "$=":
      return want !== "" && value.endsWith(want);
    default:
      return want !== "" && value.includes(want);
  }
}
