import { type Context, isComment, isScriptLiteral, textContext } from "./context.ts";
import { specialScriptTag } from "./js_transition.ts";
import { hasContent, move, step } from "./transition.ts";

/** A string, split at the positions of nonce attributes. */
export type StaticText = readonly string[];

const specialScriptTags = new RegExp(specialScriptTag, "gi");

/** Returns the context after a text, and its replacement if it changes. */
export function editText(
  start: Context,
  source: string,
): { context: Context; text: StaticText | undefined } {
  const writer = new TextWriter(source);
  let context = start;
  for (let at = 0; at < source.length;) {
    const moved = move(context, source, at);
    const next = moved.context;
    if (context.state === "Text" || context.state === "RCDATA") {
      writer.text(
        at,
        endOfText(source, { at, end: moved.at, hasChanged: next.state !== context.state }),
      );
    } else if (isComment(context.state) && context.delimiter === "None") {
      writer.comment(context, moved.at);
    } else if (
      isScriptLiteral(context.state) && context.delimiter === "None" && context.element === "script"
    ) {
      writer.replace(at, source.slice(at, moved.at).replace(specialScriptTags, "\\x3C"), moved.at);
    }
    if (context.state !== next.state && isComment(next.state) && next.delimiter === "None") {
      writer.skip(moved.at - markLength(next.state), moved.at);
    }
    if (opensCode(context, next) && !hasNonce(source, moved.at)) writer.cut(moved.at);
    context = next;
    at = moved.at;
  }
  const isDropped = isComment(context.state) && context.delimiter === "None";
  return { context, text: context.state === "Error" ? undefined : writer.finish(isDropped) };
}

/** Drops the tags and comments of a fragment; character references are unchanged. */
export function stripTags(html: string): string {
  if (!html.includes("<")) return html;
  const piece = { source: html, end: html.length };
  let context: Context = textContext;
  let out = "";
  let isAllText = true;
  for (let at = 0; at < html.length;) {
    if (context.delimiter !== "None") {
      const moved = move({ ...context, state: "Attr" }, html, at);
      if (moved.context.delimiter !== "None" || moved.context.state === "Error") {
        context = { ...context, state: "Error" };
        break;
      }
      context = { ...moved.context, element: context.element };
      at = moved.at;
      continue;
    }
    const isContent = hasContent(context);
    const moved = isContent
      ? move({ ...context, state: "RCDATA" }, html, at)
      : step(context, piece, at);
    const next = isContent && moved.context.state === "RCDATA" ? context : moved.context;
    // The content of scripts and styles is dropped.
    if (["Text", "RCDATA", "RawText"].includes(context.state)) {
      out += html.slice(
        at,
        endOfText(html, { at, end: moved.at, hasChanged: next.state !== context.state }),
      );
    } else isAllText = false;
    context = next;
    if (context.state === "Error") break;
    at = moved.at;
  }
  return isAllText ? html : out;
}

function endOfText(
  source: string,
  step: { readonly at: number; readonly end: number; readonly hasChanged: boolean },
): number {
  const open = step.hasChanged ? source.lastIndexOf("<", step.end - 1) : -1;
  return open >= step.at ? open : step.end;
}

function markLength(state: Context["state"]): number {
  if (state === "HTMLCmt" || state === "JSHTMLOpenCmt") return 4;
  return state === "JSHTMLCloseCmt" ? 3 : 2;
}

function opensCode(before: Context, after: Context): boolean {
  return before.state === "Text" && after.state === "Tag" &&
    (after.element === "script" || after.element === "style");
}

function hasNonce(source: string, at: number): boolean {
  const end = source.indexOf(">", at);
  return /[\s"'/]nonce(?=[\s=>/]|$)/i.test(source.slice(at, end < 0 ? undefined : end));
}

const docType = /<!DOCTYPE/iy;

class TextWriter {
  readonly #source: string;
  readonly #pieces: string[] = [];
  #out = "";
  #written = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Escapes each `<` that does not begin a tag or document type. */
  text(from: number, to: number): void {
    for (let at = this.#source.indexOf("<", from); at >= 0 && at < to;) {
      docType.lastIndex = at;
      if (!docType.test(this.#source)) this.replace(at, "&lt;", at + 1);
      at = this.#source.indexOf("<", at + 1);
    }
  }

  /** Drops a comment; in code, white space replaces it to keep words apart. */
  comment(context: Context, to: number): void {
    if (context.state === "JSBlockCmt") {
      const hasLine = /[\n\r\u2028\u2029]/.test(this.#source.slice(this.#written, to));
      this.#out += hasLine ? "\n" : " ";
    } else if (context.state === "CSSBlockCmt") this.#out += " ";
    this.#written = to;
  }

  skip(from: number, to: number): void {
    this.#out += this.#source.slice(this.#written, from);
    this.#written = to;
  }

  replace(from: number, text: string, to: number): void {
    if (this.#source.slice(from, to) === text) return;
    this.skip(from, to);
    this.#out += text;
  }

  cut(at: number): void {
    this.skip(at, at);
    this.#pieces.push(this.#out);
    this.#out = "";
  }

  finish(isDropped: boolean): StaticText | undefined {
    if (this.#written === 0 && this.#pieces.length === 0) return undefined;
    if (!isDropped) this.#out += this.#source.slice(this.#written);
    return [...this.#pieces, this.#out];
  }
}
