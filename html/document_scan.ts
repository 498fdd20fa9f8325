/**
 * Reads the tags of a document, or of a template in which a character stands for each hole, as the
 * browser's tokenizer does (WHATWG HTML, section 13.2.5). It returns start tags with their
 * attributes and code, and skips text.
 */

import { wordSet } from "./names.ts";
import { decodeReferences } from "./escape.ts";

export interface ScannedAttribute {
  /** The attribute's name in lower case. */
  readonly name: string;
  /** The value, with character references decoded. */
  readonly value: string;
  readonly start: number;
  /** The position after the value's closing quote. */
  readonly end: number;
}

export interface ScannedTag {
  /** The element's name in lower case. */
  readonly name: string;
  readonly start: number;
  /** Its end, after its `>`. */
  readonly end: number;
  /** The attributes; only the first of a repeated name. */
  readonly attributes: readonly ScannedAttribute[];
  /** The first attribute name that occurs twice in the tag; `undefined` if none does. */
  readonly repeated: string | undefined;
  /** The end of content that holds no markup or is code; `undefined` for other content. */
  readonly contentEnd: number | undefined;
  /** The text inside `script` and `style`, as a browser hashes it; `undefined` for other elements. */
  readonly code: string | undefined;
}

/** An end tag, or markup without content: a comment, the doctype. */
export interface ScannedMark {
  /** The element that an end tag closes, in lower case; `undefined` for other markup. */
  readonly ends: string | undefined;
  readonly start: number;
  /** Its end, after its `>`. */
  readonly end: number;
  /** Whether the source ends inside it. */
  readonly isCut: boolean;
}

/** The character for a hole, which no HTML contains. */
export const hole = "\0";

export function attributeOf(tag: ScannedTag, name: string): string | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)?.value;
}

const rawElements: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "script style xmp iframe noembed noframes title textarea plaintext",
);

const mathPoints = "mi mo mn ms mtext annotation-xml";

/** The elements that open foreign content, each with the elements inside whose content is HTML. */
const integrationPoints: Readonly<Record<string, string>> = {
  svg: "foreignobject desc title",
  math: mathPoints,
  mglyph: mathPoints,
  malignmark: mathPoints,
};

/** HTML elements whose start tag closes an open `svg` or `math` (section 13.2.6.5). */
const breakouts: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

export function* scanDocument(source: string): Generator<ScannedTag> {
  for (const token of scanMarkup(source)) if ("attributes" in token) yield token;
}

/**
 * Reads the start tags, end tags and other markup of a document; everything between them is text.
 * In a template, a tag may have several holes in place of attributes.
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

const textPattern = /[^<]*/y;
const dataStart = "<![CDATA[";

type Content = Pick<ScannedTag, "contentEnd" | "code">;
const markup: Content = { contentEnd: undefined, code: undefined };

type Attributes = Pick<ScannedTag, "attributes" | "repeated">;

class DocumentScanner {
  readonly #source: string;
  readonly #isTemplate: boolean;
  #at = 0;
  /** The open `svg`, `math` and integration points, which decide whether content is HTML. */
  readonly #open: string[] = [];
  /** The number of open elements by name: most end tags close none of them. */
  readonly #counts: Map<string, number> = new Map();
  /** The position of the next end tag by element name. */
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
    return Object.hasOwn(integrationPoints, this.#open.at(-1) ?? "");
  }

  #markup(): ScannedTag | ScannedMark | undefined {
    const start = this.#at;
    const [, slash, written = ""] = this.#take(tagPattern) ?? [];
    if (slash === undefined) return this.#declaration();
    const name = written.toLowerCase();
    const found = this.#attributes();
    // A tag cut off by the end of the source is dropped and does not count as text.
    if (found === undefined) return this.#mark(start, { isCut: true });
    const end = this.#at;
    if (slash === "/") {
      this.#close(name);
      return this.#mark(start, { ends: name });
    }
    // A slash before the bracket closes an SVG element at once; HTML ignores it.
    const isClosed = this.#source[end - 2] === "/" && found.attributes.at(-1)?.end !== end - 1;
    return { name, start, end, ...found, ...this.#enter(name, isClosed) };
  }

  #mark(start: number, { ends, isCut = false }: { ends?: string; isCut?: boolean }): ScannedMark {
    if (isCut) this.#at = this.#source.length;
    return { ends, start, end: this.#at, isCut };
  }

  /** Reads a comment, doctype or bogus comment; returns `undefined` for a `<` that is text. */
  #declaration(): ScannedMark | undefined {
    const start = this.#at;
    const isComment = this.#source.startsWith("<!--", start);
    const isData = this.#isForeign && this.#source.startsWith(dataStart, start);
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

  /** Reads the attributes up to the end of the tag; returns `undefined` if the source ends first. */
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

  /** Opens an element, and skips its content if that holds no markup. */
  #enter(name: string, isClosed: boolean): Content {
    const start = this.#at;
    if (this.#isForeign) {
      if (breakouts.has(name)) this.#leaveForeign();
      else return isClosed ? markup : this.#enterForeign(name);
    }
    // Only inside text of MathML are these two no HTML (section 13.2.6).
    const isGlyph = (name === "mglyph" || name === "malignmark") &&
      /^m(?:[inos]|text)$/.test(this.#open.at(-1) ?? "");
    if (name === "svg" || name === "math" || isGlyph) return isClosed ? markup : this.#push(name);
    if (!rawElements.has(name)) return markup;
    this.#at = name === "script" ? this.#scriptEnd() : this.#rawEnd(name);
    const code = name === "script" || name === "style"
      ? normalText(this.#source.slice(start, this.#at))
      : undefined;
    return { contentEnd: this.#at, code };
  }

  /** Opens an element of SVG or MathML, where code is ordinary text with character references. */
  #enterForeign(name: string): Content {
    const inside = integrationPoints[this.#open.at(-1) ?? ""]?.split(" ");
    if (name === "svg" || name === "math" || inside?.includes(name)) return this.#push(name);
    if (name !== "script" && name !== "style") return markup;
    const start = this.#at;
    const code = normalText(this.#foreignText());
    this.#at = start;
    return { contentEnd: this.#rawEnd(name), code };
  }

  #foreignText(): string {
    let text = "";
    for (;;) {
      text += decodeReferences(this.#take(textPattern)?.[0] ?? "");
      const start = this.#at;
      if (start === this.#source.length || this.#take(tagPattern) !== undefined) return text;
      if (this.#declaration() === undefined) text += "<";
      else if (this.#source.startsWith(dataStart, start)) {
        text += this.#source.slice(start + dataStart.length, this.#at).replace(/\]\]>$/, "");
      }
    }
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
   * Finds the end of a script: a comment in it can hide its end tag, and each `<script` in such a
   * comment hides another.
   */
  #scriptEnd(): number {
    const mark = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi;
    mark.lastIndex = this.#at;
    let depth: 0 | 1 | 2 = 0;
    for (let found = mark.exec(this.#source); found !== null; found = mark.exec(this.#source)) {
      const [text, slash] = found;
      if (text === "<!--") {
        if (depth === 0) depth = 1;
        // Its hyphens may also end the comment: `<!-->`.
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

/** Normalizes text as the parser does: it replaces CR, CR LF and NUL (section 13.2.3.5). */
function normalText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}
