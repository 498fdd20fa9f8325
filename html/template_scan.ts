/**
 * Finds the context of each hole of a template: the tokenizer state that a browser would have
 * there. A hole that escaping cannot make safe is refused with a suggested fix.
 */

import {
  hole,
  scanMarkup,
  type ScannedAttribute,
  type ScannedMark,
  type ScannedTag,
} from "./document_scan.ts";
import { repeatedAttribute } from "./build.ts";
import { attributeInfo, type AttributeName, dropsFirstNewline, ruleOf } from "./names.ts";
import { safeUrl } from "./escape.ts";

/** A hole's position and what is needed to fill it. */
export type Hole =
  /** Between tags, or in `title` and `textarea`. */
  | { readonly kind: "text" }
  /** First in an element such as `pre`, whose first newline is dropped; `isWhole` if also last. */
  | { readonly kind: "line"; readonly isWhole: boolean }
  /** In a quoted attribute value. */
  | { readonly kind: "value"; readonly info: AttributeName }
  /** In a quoted URL, where the hole and the text around it may form the scheme. */
  | {
    readonly kind: "url";
    readonly info: AttributeName;
    readonly before: string;
    readonly after: string;
  }
  /**
   * In an opening tag, between attributes; `names` are already written and may not be repeated, nor may those
   * of the `earlier` holes of the tag.
   */
  | {
    readonly kind: "attributes";
    readonly names: ReadonlySet<string>;
    readonly earlier: readonly number[];
  };

// References that may continue a scheme: numbers, and characters that end a scheme or are dropped.
const schemeReference = /^[\w+.\s-]*&(?:#|colon;|Tab;|NewLine;)/;

/**
 * Scans a template once.
 *
 * @throws {TypeError} When a hole cannot be made safe, the template ends inside a tag, a comment or
 * an element whose content is not HTML, or a tag repeats an attribute.
 */
export function scanTemplate(parts: readonly (string | undefined)[]): Hole[] {
  if (parts.some((part) => part === undefined || part.includes(hole))) {
    throw new TypeError(
      "Cannot use the template: it contains a NUL or a malformed escape; remove it.",
    );
  }
  return new Scanner(parts.join(hole)).scan();
}

/** Collects the holes of the markup and of the text between it, in order. */
class Scanner {
  readonly #source: string;
  readonly #holes: Hole[] = [];
  /** Everything before this position has been read. */
  #at = 0;
  /** The position of the next hole, kept so that tags before it do not search again. */
  #hole = -1;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): Hole[] {
    for (const token of scanMarkup(this.#source, { isTemplate: true })) {
      this.#text(token.start);
      if ("attributes" in token) {
        this.#tag(token);
        this.#content(token);
      } else this.#mark(token);
      this.#at = Math.max(this.#at, token.end);
    }
    this.#text(this.#source.length);
    if (this.#source.endsWith("<")) throw this.#unfinished("tag");
    return this.#holes;
  }

  /** Moves to the next hole before `end`, or to `end` if there is none. */
  #hasHole(end: number): boolean {
    if (this.#hole < this.#at) {
      const at = this.#source.indexOf(hole, this.#at);
      this.#hole = at < 0 ? Infinity : at;
    }
    const isFound = this.#hole < end;
    this.#at = isFound ? this.#hole : Math.max(this.#at, end);
    return isFound;
  }

  #take(kind: Hole): void {
    this.#holes.push(kind);
    this.#at++;
  }

  #text(end: number): void {
    while (this.#hasHole(end)) {
      const isName = /<\/?$/.test(this.#source.slice(Math.max(0, this.#at - 2), this.#at));
      if (isName) {
        const fix = "write the name out, use h.el, or write a < of the text as &lt;";
        throw this.#refuse(this.#at, "a name", fix);
      }
      this.#take({ kind: "text" });
    }
  }

  /** Checks an end tag or markup without content, which may not contain a hole. */
  #mark({ start, end, isCut }: ScannedMark): void {
    const text = this.#source.slice(start, end);
    const isTag = /^<\/?[A-Za-z\0]/.test(text);
    const isComment = text.startsWith("<!--");
    if (text.startsWith("<![CDATA[")) throw this.#unfinished("CDATA section");
    if (this.#hasHole(end) && !(isTag && isCut)) {
      if (/^<\/[^\s>]*$/.test(this.#source.slice(start, this.#at))) throw this.#refuseName();
      const where = isTag ? "an end tag" : isComment ? "a comment" : "a declaration";
      throw this.#refuse(this.#at, where, "move it out");
    }
    if (isCut) throw this.#unfinished(isTag ? "tag" : isComment ? "comment" : "declaration");
  }

  #tag(tag: ScannedTag): void {
    if (tag.name.includes(hole)) {
      this.#hasHole(tag.end);
      throw this.#refuseName();
    }
    if (tag.repeated !== undefined) throw repeatedAttribute(tag.repeated);
    const malformed = [tag, ...tag.attributes].find(({ name }) => /["'<]|^=/.test(name));
    if (malformed !== undefined) throw this.#unfinished("tag with a malformed attribute");
    const names = new Set(
      tag.attributes.map(({ name }) => name).filter((name) => !name.startsWith(hole)),
    );
    const earlier: number[] = [];
    for (const attribute of tag.attributes) {
      const { name, start, end } = attribute;
      while (this.#hasHole(end)) {
        const isName = this.#at < start + name.length;
        if (!isName) this.#take(this.#quoted(attribute));
        else if (end === start + name.length && /^\0+$/.test(name)) {
          this.#take({ kind: "attributes", names, earlier: [...earlier] });
          earlier.push(this.#holes.length - 1);
        } else if (this.#at > start) throw this.#refuseName();
        else {
          throw this.#refuse(this.#at, "a name", "put a space on both sides of an attribute node");
        }
      }
    }
  }

  /** Reads the content of an element that contains only text. */
  #content({ name, end, contentEnd: written }: ScannedTag): void {
    this.#at = end;
    const isFirst = this.#source[end] === hole && dropsFirstNewline(name);
    if (isFirst) this.#take({ kind: "line", isWhole: this.#source.startsWith("</", end + 1) });
    if (written === undefined && name !== "script" && name !== "style") return;
    // A slash closes the element in SVG but not in HTML, and the markup around may decide which it is.
    const contentEnd = written ?? this.#source.length;
    if (name === "title" || name === "textarea") this.#text(contentEnd);
    else if (this.#hasHole(contentEnd)) {
      const fix = `pass the data in a data- attribute, or build the element with h.${name}`;
      throw this.#refuse(this.#at, `<${name}>`, fix);
    }
    if (contentEnd === this.#source.length) {
      throw this.#unfinished(`<${name}> element`);
    }
  }

  #quoted({ start, end, name }: ScannedAttribute): Hole {
    const written = this.#source.slice(start, end);
    const [, quote = "", value = ""] = /=[\t\n\f\r ]*(["']?)([^]*?)\1$/.exec(written) ?? [];
    if (quote === "") {
      throw this.#refuse(this.#at, "an unquoted value", "put quotes around the value");
    }
    const at = this.#at - (end - 1 - value.length);
    const before = value.slice(0, at).split(hole);
    const [after = ""] = value.slice(at + 1).split(hole, 1);
    const info = attributeInfo(written.slice(0, name.length), ruleOf);
    return this.#valueHole(info, before, after);
  }

  #valueHole(info: AttributeName, before: readonly string[], after: string): Hole {
    if (info.rule === "boolean") {
      const fix = `write \${h.attr("${info.written}", condition)} in its place`;
      throw this.#refuse(this.#at, `the boolean attribute "${info.written}"`, fix);
    }
    const isWhole = before.length === 1 && before[0] === "" && after === "";
    if (info.rule === "event" || info.rule === "srcdoc" || info.rule === "urlList") {
      if (isWhole) return { kind: "value", info };
      throw this.#refuse(this.#at, `a part of "${info.written}"`, "use it for the whole value");
    }
    return info.rule === "url" ? this.#urlHole(info, before, after) : { kind: "value", info };
  }

  #urlHole(info: AttributeName, before: readonly string[], after: string): Hole {
    const text = before.join("");
    if (safeUrl(text) !== text) {
      throw this.#refuse(this.#at, "a script or data URL", "pass h.raw(url) as the whole value");
    }
    // Only before any `&`, because a character reference could be part of the scheme.
    if (/^[^&]*[/?#:\\]/.test(text)) return { kind: "value", info };
    if (schemeReference.test(after)) {
      const fix = "write the character, not its reference";
      throw this.#refuse(this.#at, "a URL whose scheme a character reference may end", fix);
    }
    if (before.length === 1 && !text.includes("&")) {
      return { kind: "url", info, before: text, after };
    }
    throw this.#refuse(this.#at, "a URL's scheme with others", "join them in one hole");
  }

  #refuseName(): TypeError {
    return this.#refuse(this.#at, "a name", "write the name out, or use h.el and h.attr");
  }

  #refuse(at: number, where: string, fix: string): TypeError {
    const before = this.#source.slice(0, at).split(hole);
    const near = JSON.stringify((before.at(-1) ?? "").slice(-30));
    return new TypeError(
      `Cannot fill hole ${before.length} of the template, after ${near}: it stands in ${where}; ${fix}.`,
    );
  }

  #unfinished(what: string): TypeError {
    const start = Math.max(0, this.#source.lastIndexOf("<", this.#at));
    const near = JSON.stringify(this.#source.slice(start, start + 40).split(hole, 1)[0]);
    return new TypeError(
      `Cannot use the template, near ${near}: it has an unfinished ${what}; close it in the same template.`,
    );
  }
}
