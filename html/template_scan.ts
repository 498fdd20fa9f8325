/**
 * Finds the context of each hole of a template: what the browser's tokenizer would be reading where
 * the hole stands. A hole where escaping cannot help is refused, with the fix.
 */

import { attributeInfo, type AttributeName, dropsFirstNewline } from "./names.ts";
import { safeUrl } from "./url.ts";

/** Where a hole stands and what is needed to fill it. */
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

/** A tag that was read. */
interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
}

// What stands for a hole in the joined source; no HTML holds it.
const hole = "\0";

const rawElements: ReadonlySet<string> = new Set(
  "script style xmp iframe noembed noframes plaintext".split(" "),
);
const textOnlyElements: ReadonlySet<string> = new Set(["title", "textarea"]);

// What may go on with a scheme, then a number, or a name for what ends a scheme or is dropped in it.
const schemeReference = /^[\w+.\s-]*&(?:#|colon;|Tab;|NewLine;)/;

/**
 * Scans a template once.
 *
 * @param parts The static parts, one more than there are holes.
 * @returns The context of each hole.
 * @throws {TypeError} When a hole stands where it cannot be made safe, or the template ends inside
 * a tag, a comment or an element whose content is no HTML.
 */
export function scanTemplate(parts: readonly (string | undefined)[]): Hole[] {
  if (parts.some((part) => part === undefined || part.includes(hole))) {
    throw new TypeError(
      "Cannot use the template: it holds a NUL or a malformed escape; remove it.",
    );
  }
  return new Scanner(parts.join(hole)).scan();
}

/** One pass over the source. Everything but text, quoted values and tags is skipped whole. */
class Scanner {
  readonly #source: string;
  readonly #holes: Hole[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): Hole[] {
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === hole) this.#add({ kind: "text" });
      else if (char === "<") this.#markup();
      else this.#at = nextOf(this.#source, /[<\0]/g, this.#at);
    }
    return this.#holes;
  }

  #add(found: Hole): void {
    this.#holes.push(found);
    this.#at++;
  }

  #markup(): void {
    const tag = this.#take(/<(\/?)([A-Za-z][^\s/>\0]*)/y);
    if (tag !== undefined) return this.#tag({ isEnd: tag[1] === "/", name: lower(tag[2]) });
    const next = this.#source[this.#at + 1];
    if (next === hole || this.#source.startsWith("</" + hole, this.#at)) throw this.#refuseName();
    if (next === undefined) throw this.#unfinished("tag");
    if (this.#source.startsWith("<!--", this.#at)) {
      this.#skip(/<!--(?:-?>|[\s\S]*?--!?>)/y, "comment");
    } else if (next === "!" || next === "?" || next === "/") {
      if (this.#source.startsWith("<![CDATA[", this.#at)) throw this.#unfinished("CDATA section");
      this.#skip(/<[^>]*>/y, "declaration");
    } else {
      this.#at++;
    }
  }

  #skip(pattern: RegExp, what: string): void {
    const start = this.#at;
    const found = this.#take(pattern);
    if (found === undefined) throw this.#unfinished(what);
    const inside = found[0].indexOf(hole);
    if (inside >= 0) throw this.#refuse(start + inside, `a ${what}`, "move it out");
  }

  #tag(tag: Tag): void {
    if (this.#source[this.#at] === hole) throw this.#refuseName();
    const names = new Set<string>();
    for (;;) {
      this.#take(/[\s/]+/y);
      const char = this.#source[this.#at];
      if (char === undefined) throw this.#unfinished("tag");
      if (char === ">") break;
      if (char === hole) this.#attributes(tag, names);
      else this.#attribute(names);
    }
    this.#at++;
    if (!tag.isEnd) this.#content(tag.name);
  }

  #attributes(tag: Tag, names: ReadonlySet<string>): void {
    if (tag.isEnd) throw this.#refuse(this.#at, "an end tag", "move it out");
    const before = this.#source[this.#at - 1] ?? "";
    const after = this.#source[this.#at + 1] ?? "";
    if (/[^\s"'\0]/.test(before) || /[^\s/>\0]/.test(after)) {
      throw this.#refuse(this.#at, "a name", "put a space on both sides of an attribute node");
    }
    this.#add({ kind: "attributes", names });
  }

  #attribute(names: Set<string>): void {
    const name = this.#take(/[^\s/>=\0"'<`]+/y)?.[0];
    if (name === undefined) throw this.#unfinished("tag with a malformed attribute");
    if (this.#source[this.#at] === hole) throw this.#refuseName();
    const info = attributeInfo(name);
    names.add(info.lower);
    if (this.#take(/\s*=\s*/y) === undefined) return;
    const quote = this.#source[this.#at];
    if (quote === '"' || quote === "'") return this.#quoted(info, quote);
    this.#take(/[^\s>\0]+/y);
    if (this.#source[this.#at] === hole) {
      throw this.#refuse(this.#at, "an unquoted value", "put quotes around the value");
    }
  }

  #quoted(info: AttributeName, quote: string): void {
    const start = this.#at + 1;
    const end = this.#source.indexOf(quote, start);
    if (end < 0) throw this.#unfinished("attribute value");
    const pieces = this.#source.slice(start, end).split(hole);
    for (let i = 0; i + 1 < pieces.length; i++) {
      const before = pieces.slice(0, i + 1);
      this.#at = start + before.join(hole).length;
      this.#add(this.#valueHole(info, before, pieces[i + 1] ?? ""));
    }
    this.#at = end + 1;
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

  #content(name: string): void {
    const isRaw = rawElements.has(name);
    if (isRaw || textOnlyElements.has(name)) {
      const end = nextOf(this.#source, new RegExp(`</${name}[\\s/>]`, "gi"), this.#at);
      if (end === this.#source.length) throw this.#unfinished(`<${name}> element`);
      this.#textOnly(name, end, isRaw);
    } else if (dropsFirstNewline(name) && this.#source[this.#at] === hole) {
      this.#add({ kind: "line", isWhole: this.#source.startsWith("</", this.#at + 1) });
    }
  }

  #textOnly(name: string, end: number, isRaw: boolean): void {
    const content = this.#source.slice(this.#at, end);
    // A comment in a script can hide its end tag from the browser, but not from this scan.
    if (name === "script" && content.includes("<!--")) throw this.#unfinished("script's comment");
    const start = this.#at;
    for (let i = content.indexOf(hole); i >= 0; i = content.indexOf(hole, i + 1)) {
      this.#at = start + i;
      if (isRaw) {
        const fix = "hand the data over in a data- attribute, or build the element with h." + name;
        throw this.#refuse(this.#at, `<${name}>`, fix);
      }
      const isLine = i === 0 && dropsFirstNewline(name);
      this.#add(isLine ? { kind: "line", isWhole: content === hole } : { kind: "text" });
    }
    this.#at = end;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
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
    const near = JSON.stringify(
      this.#source.slice(0, this.#at + 20).split(hole).at(-1)?.slice(-40),
    );
    return new TypeError(
      `Cannot use the template, near ${near}: it has an unfinished ${what}; close it in the same template.`,
    );
  }
}

function nextOf(source: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? source.length;
}

function lower(name: string | undefined): string {
  return (name ?? "").toLowerCase();
}
