import { attributeOf, scanMarkup, type ScannedTag } from "../../html/document_scan.ts";
import { isVoid } from "../../html/names.ts";
import { decodeReferences } from "../../html/escape.ts";

const maxDepth = 512;

/** An element of a response's HTML, as `query` finds it. */
export class TestElement {
  /** The name in lower case. */
  readonly name: string;
  /** The element around it; `undefined` for the document, which has no name. */
  readonly parent: TestElement | undefined;
  /** The elements and texts inside, in their order. */
  readonly children: (TestElement | string)[] = [];
  readonly #tag: ScannedTag | undefined;
  #elements: readonly TestElement[] | undefined;

  /** Created by `query`. */
  constructor(tag: ScannedTag | undefined, parent: TestElement | undefined) {
    this.#tag = tag;
    this.name = tag?.name ?? "";
    this.parent = parent;
  }

  /** Returns an attribute's value, `""` for one without a value, or `undefined`. */
  attribute(name: string): string | undefined {
    return this.#tag && attributeOf(this.#tag, name.toLowerCase());
  }

  /** The text inside, without scripts and styles, with each run of white space as one space. */
  get text(): string {
    return this.rawText.replace(/[\t\n\f\r ]+/g, " ").trim();
  }

  /** The text inside with its white space, without scripts and styles. */
  get rawText(): string {
    const parts: string[] = [];
    for (const child of this.children) {
      if (typeof child === "string") parts.push(child);
      else if (!/^(?:script|style|template)$/.test(child.name)) parts.push(child.rawText);
    }
    return parts.join("");
  }

  /** Returns the first element inside that a CSS selector matches, as {@link TestResponse.query}. */
  query(selector: string): TestElement | undefined {
    const matches = parseSelector(selector);
    for (const element of this.descendants()) if (matches(element)) return element;
    return undefined;
  }

  /** Returns every element inside that a CSS selector matches, as {@link TestResponse.queryAll}. */
  queryAll(selector: string): TestElement[] {
    return [...this.descendants()].filter(parseSelector(selector));
  }

  /** Lists the elements inside in document order, without the content of a `template`. */
  *descendants(): Generator<TestElement> {
    const waiting: TestElement[] = this.name === "template" ? [] : this.elements.toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      yield next;
      if (next.name !== "template") {
        for (const child of next.elements.toReversed()) waiting.push(child);
      }
    }
  }

  /** Lists its ancestors from the inside out, without the document. */
  *ancestors(): Generator<TestElement> {
    for (let at = this.parent; at?.parent !== undefined; at = at.parent) yield at;
  }

  /** The elements directly inside. */
  get elements(): readonly TestElement[] {
    return this.#elements ??= this.children.filter((child) => typeof child !== "string");
  }
}

/** Elements whose content is text without character references. */
const rawNames = /^(?:script|style|xmp|iframe|noembed|noframes)$/;

/** Start tags, with the open elements that each implicitly closes and the elements that limit this. */
const implied = [
  ["li", "li", "ul ol menu"],
  ["dd dt", "dd dt", "dl"],
  ["option", "option", "select datalist"],
  ["optgroup", "option optgroup", "select"],
  ["td th", "td th", "tr table"],
  ["tr", "tr td th", "table"],
  ["thead tbody tfoot", "thead tbody tfoot tr td th", "table"],
  [
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul",
    "p",
    "button object table td th caption template svg math",
  ],
].map((lists) => lists.map((names) => new Set(names.split(" "))));

/** Parses HTML with omitted end tags; does not add elements or move misnested formatting. */
export function parseHtml(source: string): TestElement {
  const root = new TestElement(undefined, undefined);
  const open: TestElement[] = [root];
  let textStart = 0;
  for (const token of scanMarkup(source)) {
    addText(open, source.slice(textStart, token.start));
    textStart = token.end;
    if (!("attributes" in token)) {
      if (token.ends !== undefined) closeElement(open, token.ends);
      continue;
    }
    closeImplied(open, token.name);
    const parent = open.at(-1) ?? root;
    const element = new TestElement(token, parent);
    parent.children.push(element);
    const isClosed = isVoid(token.name) ||
      (source[token.end - 2] === "/" &&
        [...open, element].some(({ name }) => /^(?:svg|math)$/.test(name)));
    if (!isClosed && open.length < maxDepth) open.push(element);
  }
  addText(open, source.slice(textStart));
  return root;
}

function addText(open: readonly TestElement[], raw: string): void {
  const parent = open.at(-1);
  if (raw === "" || parent === undefined) return;
  const text = raw.replace(/\r\n?/g, "\n");
  parent.children.push(rawNames.test(parent.name) ? text : decodeReferences(text));
}

function closeElement(open: TestElement[], name: string): void {
  const index = open.findLastIndex((element) => element.name === name);
  // The document itself has no name and stays open.
  if (index > 0) open.length = index;
}

function closeImplied(open: TestElement[], name: string): void {
  for (const [starts, ends, stop] of implied) {
    if (starts?.has(name) !== true) continue;
    let endAt = -1;
    for (let at = open.length - 1; at > 0; at--) {
      const around = open[at]?.name ?? "";
      if (stop?.has(around) === true) break;
      if (ends?.has(around) === true) endAt = at;
    }
    if (endAt > 0) open.length = endAt;
  }
}

type Test = (element: TestElement) => boolean;

const name = /\*|[A-Za-z][\w-]*/y;
const word = /([#.])((?:[\w-]|[\u0080-\uffff]|\\[^\n])+)/y;
const attribute = /\[\s*([\w:-]+)\s*(?:([\^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]"']+))\s*)?\]/y;

/** Parses a selector: names, `*`, `#id`, `.class`, attributes, a blank or `>`, `:not()`, and lists. */
function parseSelector(text: string): Test {
  let at = 0;
  const fault = (reason: string): TypeError =>
    new TypeError(
      `Cannot use the selector ${JSON.stringify(text.slice(0, 200))}: ${reason} (at character ${
        at + 1
      }).`,
    );
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const list = (): Test => {
    const tests: Test[] = [];
    do {
      take(/\s*/y);
      tests.push(path());
      take(/\s*/y);
    } while (take(/,/y) !== null);
    return (element) => tests.some((test) => test(element));
  };
  const path = (): Test => {
    let test = compound();
    for (;;) {
      const written = take(/\s*>\s*|\s+(?=[^\s,)])/y)?.[0];
      if (written === undefined) return test;
      test = inside(test, compound(), { isChild: written.trim() === ">" });
    }
  };
  const compound = (): Test => {
    const own = take(name)?.[0].toLowerCase();
    const tests: Test[] = own === undefined
      ? []
      : [(element) => own === "*" || element.name === own];
    for (let test = simple(); test !== undefined; test = simple()) tests.push(test);
    if (tests.length > 0) return (element) => tests.every((test) => test(element));
    throw fault("it needs a name, #id, .class, [attribute] or :not()");
  };
  const simple = (): Test | undefined => {
    const [, mark, written = ""] = take(word) ?? [];
    const given = written.replace(/\\(.)/gs, "$1");
    if (mark === "#") return (element) => element.attribute("id") === given;
    if (mark === ".") {
      return (element) =>
        element.attribute("class")?.split(/[\t\n\f\r ]+/).includes(given) === true;
    }
    const found = take(attribute);
    if (found !== null) {
      const [, key = "", operator, double, single, bare] = found;
      const want = double ?? single ?? bare ?? "";
      return (element) => hasValue(element.attribute(key), operator, want);
    }
    if (take(/:not\(/y) === null) return undefined;
    const inner = list();
    if (take(/\)/y) === null) throw fault(":not( needs its )");
    return (element) => !inner(element);
  };
  const test = list();
  if (at < text.length) throw fault("it is malformed, or not supported");
  return test;
}

function inside(outer: Test, inner: Test, { isChild }: { readonly isChild: boolean }): Test {
  return (element) => {
    if (!inner(element)) return false;
    for (const around of element.ancestors()) {
      if (outer(around)) return true;
      if (isChild) return false;
    }
    return false;
  };
}

function hasValue(value: string | undefined, operator: string | undefined, want: string): boolean {
  if (value === undefined || operator === undefined) return value !== undefined;
  if (operator === "=") return value === want;
  if (want === "") return false;
  if (operator === "^=") return value.startsWith(want);
  return operator === "$=" ? value.endsWith(want) : value.includes(want);
}
