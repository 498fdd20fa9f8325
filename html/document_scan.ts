/**
 * Reads the tags of a finished document as the browser's tokenizer does (WHATWG HTML, section 13.2.5).
 * It finds start tags with their attributes and the code in them; text is passed over.
 */

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
}

/** Returns the value of a tag's attribute, or `undefined` when the tag lacks it. */
export function attributeOf(tag: ScannedTag, name: string): string | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)?.value;
}

const rawElements: ReadonlySet<string> = new Set(
  "script style xmp iframe noembed noframes title textarea".split(" "),
);

/** Inside `svg` and `math`, elements whose content is HTML again. */
const integrationPoints: Readonly<Record<string, ReadonlySet<string>>> = {
  svg: new Set("foreignobject desc title".split(" ")),
  math: new Set("mi mo mn ms mtext annotation-xml".split(" ")),
};

/** Elements that end `svg` and `math` where they stand (section 13.2.6.5). */
const breakouts: ReadonlySet<string> = new Set(
  ("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var")
    .split(" "),
);

/** Reads the start tags of a document, in their order. */
export function* scanDocument(source: string): Generator<ScannedTag> {
  for (const token of scanMarkup(source)) if ("attributes" in token) yield token;
}

/** Reads the start tags, end tags and other markup of a document; what is between them is text. */
export function scanMarkup(source: string): Generator<ScannedTag | ScannedMark> {
  return new DocumentScanner(source).scan();
}

class DocumentScanner {
  readonly #source: string;
  #at = 0;
  /** The open elements that decide whether content is HTML: `svg`, `math` and what ends them inside. */
  readonly #open: string[] = [];

  constructor(source: string) {
    this.#source = source;
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
    const [, slash, written = ""] = this.#take(/<(\/?)([A-Za-z][^\t\n\f\r />]*)/y) ?? [];
    if (slash === undefined) return this.#declaration();
    const name = written.toLowerCase();
    const attributes = this.#attributes();
    // A tag that the source cuts off is dropped, and is not text either.
    if (attributes === undefined) return { ends: undefined, start, end: this.#source.length };
    if (slash === "/") {
      this.#close(name);
      return { ends: name, start, end: this.#at };
    }
    // A slash before the bracket ends an element of SVG at once, and means nothing in HTML.
    const isClosed = this.#source[this.#at - 2] === "/" && attributes.at(-1)?.end !== this.#at - 1;
    const end = this.#at;
    const code = this.#enter(name, isClosed);
    return { name, start, end, attributes, code };
  }

  /** Skips comments, the doctype and bogus comments; returns `undefined` for a bracket that is text. */
  #declaration(): ScannedMark | undefined {
    const source = this.#source;
    const start = this.#at;
    if (source.startsWith("<!--", this.#at)) {
      this.#skip(/<!--(?:-?>|[^]*?--!?>)/y);
    } else if (this.#isForeign && source.startsWith("<![CDATA[", this.#at)) {
      this.#skip(/<!\[CDATA\[[^]*?\]\]>/y);
    } else if (/[!?/]/.test(source[this.#at + 1] ?? "")) {
      this.#skip(/<[^>]*>/y);
    } else {
      this.#at++;
      return undefined;
    }
    return { ends: undefined, start, end: this.#at };
  }

  /** Reads the attributes up to the end of the tag; returns `undefined` when the source ends before it. */
  #attributes(): ScannedAttribute[] | undefined {
    const found: ScannedAttribute[] = [];
    for (;;) {
      this.#take(/[\t\n\f\r /]+/y);
      const char = this.#source[this.#at];
      if (char === undefined) return undefined;
      if (char === ">") {
        this.#at++;
        return found;
      }
      const attribute = this.#attribute();
      if (attribute === undefined) return undefined;
      if (!found.some(({ name }) => name === attribute.name)) found.push(attribute);
    }
  }

  #attribute(): ScannedAttribute | undefined {
    const start = this.#at;
    const name = this.#take(/[^\t\n\f\r />][^\t\n\f\r />=]*/y)?.[0].toLowerCase() ?? "";
    const nameEnd = this.#at;
    if (this.#take(/[\t\n\f\r ]*=[\t\n\f\r ]*/y) === undefined) {
      return { name, value: "", start, end: nameEnd };
    }
    const quote = this.#source[this.#at];
    if (quote === undefined) return undefined;
    if (quote !== '"' && quote !== "'") {
      const value = this.#take(/[^\t\n\f\r >]+/y)?.[0] ?? "";
      return { name, value: decodeReferences(value), start, end: this.#at };
    }
    const valueStart = this.#at + 1;
    const valueEnd = this.#source.indexOf(quote, valueStart);
    if (valueEnd < 0) {
      this.#at = this.#source.length;
      return undefined;
    }
    this.#at = valueEnd + 1;
    const value = decodeReferences(this.#source.slice(valueStart, valueEnd));
    return { name, value, start, end: this.#at };
  }

  /** Keeps account of where HTML ends and begins again. */
  #close(name: string): void {
    const index = this.#open.lastIndexOf(name);
    if (index >= 0) this.#open.length = index;
  }

  /** Skips the content of an element that holds no markup and returns its code. */
  #enter(name: string, isClosed: boolean): string | undefined {
    if (this.#isForeign) {
      if (breakouts.has(name)) this.#leaveForeign();
      else return this.#enterForeign(name, isClosed);
    }
    if (name === "svg" || name === "math") {
      if (!isClosed) this.#open.push(name);
      return undefined;
    }
    if (name === "plaintext") {
      this.#at = this.#source.length;
      return undefined;
    }
    if (!rawElements.has(name)) return undefined;
    const start = this.#at;
    this.#at = name === "script" ? this.#scriptEnd() : this.#rawEnd(name);
    if (name !== "script" && name !== "style") return undefined;
    return normalText(this.#source.slice(start, this.#at));
  }

  /** In SVG and MathML, code is text like any other: references are read. */
  #enterForeign(name: string, isClosed: boolean): string | undefined {
    if (isClosed) return undefined;
    const inside = integrationPoints[this.#open.at(-1) ?? ""];
    if (name === "svg" || name === "math" || inside?.has(name)) this.#open.push(name);
    if (name !== "script" && name !== "style") return undefined;
    const text = this.#source.slice(this.#at, this.#rawEnd(name));
    const pieces = text.split(/<!\[CDATA\[([^]*?)\]\]>/);
    const code = pieces.map((piece, i) => i % 2 === 0 ? decodeReferences(piece) : piece).join("");
    return normalText(code);
  }

  #leaveForeign(): void {
    while (this.#isForeign) this.#open.pop();
  }

  #rawEnd(name: string): number {
    const end = new RegExp(`</${name}[\\t\\n\\f\\r />]`, "gi");
    end.lastIndex = this.#at;
    return end.exec(this.#source)?.index ?? this.#source.length;
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

  #skip(pattern: RegExp): void {
    if (this.#take(pattern) === undefined) this.#at = this.#source.length;
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
