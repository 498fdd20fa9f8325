/**
 * Finds the context of each hole of a template: what the browser's tokenizer would be reading where
 * the hole stands. A hole where escaping cannot help is refused, with the fix.
 */

import {
  contentKindOf,
  type MarkupState,
  type MarkupStep,
  type Quote,
  stepMarkup,
  valueEnd,
} from "./markup.ts";
import { attributeInfo, type AttributeName, dropsFirstNewline, ruleOf } from "./names.ts";
import { safeUrl } from "./escape.ts";

/** A hole's position and what is needed to fill it. */
export type Hole =
  /** Between tags, or in `title` and `textarea`. */
  | { readonly kind: "text" }
  /** First in an element whose first newline parsers drop; `isWhole` when nothing follows it there. */
  | { readonly kind: "line"; readonly isWhole: boolean }
  /** In a quoted attribute value. */
  | { readonly kind: "value"; readonly info: AttributeName }
  /** In a quoted URL whose scheme it may decide; its neighbours may complete the scheme. */
  | {
    readonly kind: "url";
    readonly info: AttributeName;
    readonly before: string;
    readonly after: string;
  }
  /** In an opening tag, between attributes; the names that the tag has cannot come again. */
  | { readonly kind: "attributes"; readonly names: ReadonlySet<string> };

// The character for a hole in the joined source, which no HTML contains.
const hole = "\0";

// A scheme may continue here, as a number, or as a name of a character that ends a scheme or is dropped in it.
const schemeReference = /^[\w+.\s-]*&(?:#|colon;|Tab;|NewLine;)/;

/**
 * Scans a template once.
 *
 * @throws {TypeError} When a hole stands where it cannot be made safe, or the template ends inside
 * a tag, a comment or an element whose content is not HTML.
 */
export function scanTemplate(parts: readonly (string | undefined)[]): Hole[] {
  if (parts.some((part) => part === undefined || part.includes(hole))) {
    throw new TypeError(
      "Cannot use the template: it holds a NUL or a malformed escape; remove it.",
    );
  }
  return new Scanner(parts.join(hole)).scan();
}

/** Reads the pieces between the holes, one after the other, and looks where each ends. */
class Scanner {
  readonly #source: string;
  readonly #holes: Hole[] = [];
  #at = 0;
  #state: MarkupState = "text";
  /** Of the tag or the content that is being read; empty in an end tag. */
  #element = "";
  #isEnd = false;
  /** The end of the tag's name, and the start of an element's content. */
  #nameEnd = 0;
  #contentStart = 0;
  #names: Set<string> = new Set();
  #info: AttributeName | undefined;
  #quote: Quote = "";
  #valueStart = 0;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): Hole[] {
    for (;;) {
      const index = this.#source.indexOf(hole, this.#at);
      const end = index < 0 ? this.#source.length : index;
      while (this.#at < end) this.#step(end);
      if (index < 0) break;
      this.#holes.push(this.#holeHere());
      this.#at++;
    }
    this.#finish();
    return this.#holes;
  }

  #step(end: number): void {
    const piece = { source: this.#source, end };
    if (this.#state === "value") {
      const close = valueEnd(piece, this.#at, this.#quote);
      this.#at = close === undefined ? end : close + this.#quote.length;
      if (close !== undefined) this.#state = "tag";
      return;
    }
    const before = this.#state;
    const step = stepMarkup(before, piece, this.#at, this.#element);
    if (step.fault !== undefined) throw this.#unfinished("tag with a malformed attribute");
    if (before === "content" && step.state === "text") this.#checkContent(step.at);
    this.#at = step.at;
    this.#state = step.state;
    if (before === "text") this.#enter(step);
    else if (step.attribute !== "" && step.state === "afterName") this.#name(step.attribute);
    else if (step.state === "value") this.#value(step.quote);
    else if (before === "tag" && this.#element !== "") this.#contentStart = step.at;
  }

  #enter(step: MarkupStep): void {
    if (step.state === "tag") {
      this.#element = step.isEnd ? "" : step.element;
      this.#isEnd = step.isEnd;
      this.#nameEnd = step.at;
      this.#names = new Set();
    } else if (step.state === "declaration" && this.#source.startsWith("<![CDATA[", step.at - 2)) {
      throw this.#unfinished("CDATA section");
    }
  }

  #name(name: string): void {
    this.#info = attributeInfo(name, ruleOf);
    this.#names.add(this.#info.lower);
  }

  #value(quote: Quote): void {
    this.#quote = quote;
    this.#valueStart = this.#at;
  }

  /** A comment in a script can hide its end tag from the browser, but not from this scan. */
  #checkContent(end: number): void {
    const content = this.#source.slice(this.#contentStart, end);
    if (this.#element === "script" && content.includes("<!--")) {
      throw this.#unfinished("script's comment");
    }
  }

  #holeHere(): Hole {
    switch (this.#state) {
      case "text":
        if (/<\/?$/.test(this.#source.slice(Math.max(0, this.#at - 2), this.#at))) {
          throw this.#refuseName();
        }
        return this.#textHole();
      case "content":
        if (contentKindOf(this.#element) === "text") return this.#textHole();
        throw this.#refuse(
          this.#at,
          `<${this.#element}>`,
          `hand the data over in a data- attribute, or build the element with h.${this.#element}`,
        );
      case "tag":
      case "afterName":
        return this.#attributes();
      case "name":
        throw this.#refuseName();
      case "beforeValue":
        throw this.#refuse(this.#at, "an unquoted value", "put quotes around the value");
      case "value":
        return this.#quoted();
      case "comment":
      case "declaration":
        throw this.#refuse(this.#at, `a ${this.#state}`, "move it out");
    }
  }

  #textHole(): Hole {
    const isFirst = this.#at === this.#contentStart && dropsFirstNewline(this.#element);
    if (!isFirst) return { kind: "text" };
    return { kind: "line", isWhole: this.#source.startsWith("</", this.#at + 1) };
  }

  #attributes(): Hole {
    if (this.#at === this.#nameEnd) throw this.#refuseName();
    if (this.#isEnd) throw this.#refuse(this.#at, "an end tag", "move it out");
    const before = this.#source[this.#at - 1] ?? "";
    const after = this.#source[this.#at + 1] ?? "";
    if (/[^\s"'\0]/.test(before) || /[^\s/>\0]/.test(after)) {
      throw this.#refuse(this.#at, "a name", "put a space on both sides of an attribute node");
    }
    this.#state = "tag";
    return { kind: "attributes", names: this.#names };
  }

  #quoted(): Hole {
    if (this.#quote === "" || this.#info === undefined) {
      throw this.#refuse(this.#at, "an unquoted value", "put quotes around the value");
    }
    const before = this.#source.slice(this.#valueStart, this.#at).split(hole);
    const piece = { source: this.#source, end: this.#source.length };
    const end = valueEnd(piece, this.#at, this.#quote);
    if (end === undefined) throw this.#unfinished("attribute value");
    const after = this.#source.slice(this.#at + 1, end).split(hole, 1)[0] ?? "";
    return this.#valueHole(this.#info, before, after);
  }

  #finish(): void {
    switch (this.#state) {
      case "text":
        if (this.#source.endsWith("<") || this.#source.endsWith("</")) {
          throw this.#unfinished("tag");
        }
        return;
      case "content":
        throw this.#unfinished(`<${this.#element}> element`);
      case "value":
        throw this.#unfinished("attribute value");
      case "comment":
      case "declaration":
        throw this.#unfinished(this.#state);
      default:
        throw this.#unfinished("tag");
    }
  }

  #valueHole(info: AttributeName, before: readonly string[], after: string): Hole {
    if (info.rule === "boolean") {
      const fix = `write \${h.attr("${info.written}", condition)} in its place`;
      throw this.#refuse(this.#at, `the boolean attribute "${info.written}"`, fix);
    }
    const isWhole = before.length === 1 && before[0] === "" && after === "";
    if (info.rule === "event" || info.rule === "srcdoc" || info.rule === "urlList") {
      if (isWhole) return { kind: "value", info };
      throw this.#refuse(this.#at, `a part of "${info.written}"`, "let it fill the whole value");
    }
    return info.rule === "url" ? this.#urlHole(info, before, after) : { kind: "value", info };
  }

  #urlHole(info: AttributeName, before: readonly string[], after: string): Hole {
    const text = before.join("");
    if (safeUrl(text) !== text) {
      throw this.#refuse(this.#at, "a script or data URL", "pass h.raw(url) as the whole value");
    }
    // Before any `&`: a character reference could stand for a part of the scheme.
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
    const at = this.#source.indexOf(hole, this.#at);
    return this.#refuse(at, "a name", "write the name out, or use h.el and h.attr");
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
