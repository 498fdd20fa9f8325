/**
 * Reads the tags of a document, or of a template in which a character stands for each hole, as the browser's
 * tokenizer does (WHATWG HTML, section 13.2.5). It finds start tags with their attributes and the code in them;
 * text is passed over.
 */

import { wordSet } from "./names.ts";
import { decodeReferences } from "./references.ts";

export interface ScannedAttribute {
  /** Its name in lower case. */
  readonly name: string;
  /** Its value, character references read. */
  readonly value: string;
  readonly start: number;
  /** Its end, after the value's quote. */
  readonly end: number;
}

export interface ScannedTag {
  /** The element's name in lower case. */
  readonly name: string;
  readonly start: number;
  /** Its end, after its `>`. */
  readonly end: number;
  /** The attributes; of two of one name the first. */
  readonly attributes: readonly ScannedAttribute[];
  /** The name of an attribute that stands in the tag twice; `undefined` for none. */
  readonly repeated: string | undefined;
  /** Where the content ends if it holds no markup, or is code; else `undefined`. */
  readonly contentEnd: number | undefined;
  /** The text inside `script` and `style`, as a browser hashes it; `undefined` for other elements. */
  readonly code: string | undefined;
}

/** An end tag, or markup without content: a comment, the doctype. */
export interface ScannedMark {
  /** The name of the element that ends, in lower case; `undefined` for other markup. */
  readonly ends: string | undefined;
  readonly start: number;
  /** Its end, after its `>`. */
  readonly end: number;
  /** The source ends before it does. */
  readonly isCut: boolean;
}

/** The character for a hole, which no HTML contains. */
export const hole = "\0";

/** Returns the value of a tag's attribute, or `undefined` when the tag lacks it. */
export function attributeOf(tag: ScannedTag, name: string): string | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)?.value;
}

const rawElements: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "script style xmp iframe noembed noframes title textarea plaintext",
);

/** Inside `svg` and `math`, elements whose content is HTML again. */
const integrationPoints: Readonly<Record<string, string>> = {
  svg: "foreignobject desc title",
  math: "mi mo mn ms mtext annotation-xml",
};

/** Elements that end `svg` and `math` where they begin (section 13.2.6.5). */
const breakouts: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

/** Reads the start tags of a document, in their order. */
export function* scanDocument(source: string): Generator<ScannedTag> {
  for (const token of scanMarkup(source)) if ("attributes" in token) yield token;
}

/**
 * Reads the start tags, end tags and other markup of a document; what is between them is text. In a template
 * several attributes may be holes.
 */
export function scanMarkup(
  source: string,
  { isTemplate } = { isTemplate: false },
): Generator<ScannedTag | ScannedMark> {
  return new DocumentScanner(source, isTemplate).scan();
}

const tagPattern = /<(\/?)([A-Za-z][^\t\n\f\r />]*)/y;
const gapPattern = /[\t\n\f\r /]*/y;
const attributePattern =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?/y;

/** What is text in an element of SVG or MathML, up to the next tag. */
const foreignText = /(?:[^<]+|<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>)*/y;

type Content = Pick<ScannedTag, "contentEnd" | "code">;
const markup: Content = { contentEnd: undefined, code: undefined };

type Attributes = Pick<ScannedTag, "attributes" | "repeated">;

class DocumentScanner {
  readonly #source: string;
  readonly #isTemplate: boolean;
  #at = 0;
  /** The open elements that decide whether content is HTML: `svg`, `math` and what ends them inside. */
  readonly #open: string[] = [];
  /** How many of these have a name: most end tags are none of theirs. */
  readonly #counts: Map<string, number> = new Map();
  /** Where elements of a name end next. */
  readonly #ends: Map<string, number> = new Map();

  constructor(source: string, isTemplate: boolean) {
    this.#source = source;
    this.#isTemplate = isTemplate;
  }

  *scan(): Generator<ScannedTag | ScannedMark> {
    for (;;) {
      this.#at = this.#source.indexOf("<", this.#at);
      if (this.#at < 0) return;
      const token = this.#markup();
      if (token !== undefined) yield token;
    }
  }

  get #isForeign(): boolean {
    const last = this.#open.at(-1);
    return last === "svg" || last === "math";
  }

  #markup(): ScannedTag | ScannedMark | undefined {
    const start = this.#at;
    const [, slash, written = ""] = this.#take(tagPattern) ?? [];
    if (slash === undefined) return this.#declaration();
    const name = written.toLowerCase();
    const found = this.#attributes();
    // A tag that the source cuts off is dropped, and is not text either.
    if (found === undefined) return this.#mark(start, { isCut: true });
    const end = this.#at;
    if (slash === "/") {
      this.#close(name);
      return this.#mark(start, { ends: name });
    }
    // A slash before the bracket ends an element of SVG at once, and means nothing in HTML.
    const isClosed = this.#source[end - 2] === "/" && found.attributes.at(-1)?.end !== end - 1;
    return { name, start, end, ...found, ...this.#enter(name, isClosed) };
  }

  #mark(start: number, { ends, isCut = false }: { ends?: string; isCut?: boolean }): ScannedMark {
    if (isCut) this.#at = this.#source.length;
    return { ends, start, end: this.#at, isCut };
  }

  /** Skips comments, the doctype and bogus comments; returns `undefined` for a bracket that is text. */
  #declaration(): ScannedMark | undefined {
    const start = this.#at;
    const isComment = this.#source.startsWith("<!--", start);
    const isData = this.#isForeign && this.#source.startsWith("<![CDATA[", start);
    if (!isComment && !isData && !/[!?/]/.test(this.#source[start + 1] ?? "")) {
      this.#at++;
      return undefined;
    }
    const pattern = isComment
      ? /<!--(?:-?>|[^]*?--!?>)/y
      : isData
      ? /<!\[CDATA\[[^]*?\]\]>/y
      : /<[^>]*>/y;
    return this.#mark(start, { isCut: this.#take(pattern) === undefined });
  }

  /** Reads the attributes up to the end of the tag; returns `undefined` when the source ends before it. */
  #attributes(): Attributes | undefined {
    const attributes: ScannedAttribute[] = [];
    const names = new Set<string>();
    let repeated: string | undefined;
    for (;;) {
      this.#take(gapPattern);
      const start = this.#at;
      if (this.#source[start] === ">") {
        this.#at++;
        return { attributes, repeated };
      }
      const [, written, double, single, bare] = this.#take(attributePattern) ?? [];
      const value = double ?? single ?? bare;
      const isOpen = value === undefined && /["']/.test(this.#source.charAt(this.#at));
      if (written === undefined || isOpen) return undefined;
      const name = written.toLowerCase();
      const isRepeated = names.has(name) && !(this.#isTemplate && name.startsWith(hole));
      if (isRepeated) repeated ??= name;
      else attributes.push({ name, value: decodeReferences(value ?? ""), start, end: this.#at });
      names.add(name);
    }
  }

  /** Keeps account of where HTML ends and begins again. */
  #close(name: string): void {
    if (name === "p" || name === "br") this.#leaveForeign();
    if ((this.#counts.get(name) ?? 0) === 0) return;
    while (this.#leave() !== name);
  }

  #push(name: string): Content {
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return markup;
  }

  #leave(): string {
    const name = this.#open.pop() ?? "";
    this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
    return name;
  }

  /** Skips the content of an element that holds no markup. */
  #enter(name: string, isClosed: boolean): Content {
    const start = this.#at;
    if (this.#isForeign) {
      if (breakouts.has(name)) this.#leaveForeign();
      else return isClosed ? markup : this.#enterForeign(name);
    }
    if (name === "svg" || name === "math") return isClosed ? markup : this.#push(name);
    if (!rawElements.has(name)) return markup;
    this.#at = name === "script" ? this.#scriptEnd() : this.#rawEnd(name);
    const code = name === "script" || name === "style"
      ? normalText(this.#source.slice(start, this.#at))
      : undefined;
    return { contentEnd: this.#at, code };
  }

  /** In SVG and MathML, code is text like any other: references are read. */
  #enterForeign(name: string): Content {
    const inside = integrationPoints[this.#open.at(-1) ?? ""]?.split(" ");
    if (name === "svg" || name === "math" || inside?.includes(name)) return this.#push(name);
    if (name !== "script" && name !== "style") return markup;
    const start = this.#at;
    const text = this.#take(foreignText)?.[0] ?? "";
    this.#at = start;
    const pieces = text.split(/<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>/);
    const code = pieces.map((piece, at) => at % 2 === 0 ? decodeReferences(piece) : piece ?? "");
    return { contentEnd: this.#rawEnd(name), code: normalText(code.join("")) };
  }

  #leaveForeign(): void {
    while (this.#isForeign) this.#leave();
  }

  #rawEnd(name: string): number {
    if (name === "plaintext") return this.#source.length;
    const known = this.#ends.get(name) ?? -1;
    if (known >= this.#at) return known;
    const end = new RegExp(`</${name}[\\t\\n\\f\\r />]`, "gi");
    end.lastIndex = this.#at;
    const found = end.exec(this.#source)?.index ?? this.#source.length;
    this.#ends.set(name, found);
    return found;
  }

  /**
   * Finds the end of a script: a comment in it can hide its end tag, and a `<script` in such a comment hides
   * one more.
   */
  #scriptEnd(): number {
    const mark = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi;
    mark.lastIndex = this.#at;
    let depth: 0 | 1 | 2 = 0;
    for (let found = mark.exec(this.#source); found !== null; found = mark.exec(this.#source)) {
      const [text, slash] = found;
      if (text === "<!--") {
        if (depth === 0) depth = 1;
        // Its hyphens may end it as well: `<!-->`.
        mark.lastIndex = found.index + 2;
      } else if (text === "-->") depth = 0;
      else if (slash === "") depth = depth === 0 ? 0 : 2;
      else if (depth === 2) depth = 1;
      else return found.index;
    }
    return this.#source.length;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}

/** Normalizes text as the parser does: one kind of line break, no NUL (section 13.2.3.5). */
function normalText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}
