/** Advances a context over static HTML, as the browser's tokenizer does (WHATWG HTML, section 13.2.5). */

import { attributeKind } from "./attributes.ts";
import {
  type Context,
  continueName,
  type Delimiter,
  faultContext,
  type Moved,
  type Piece,
  type State,
  textContext,
  typedScript,
  valueState,
} from "./context.ts";
import { quoteText } from "../run/quote.ts";

/** The state for reading an element whose content has no tags. */
const contentStates: ReadonlyMap<string, State> = new Map([
  ["script", "JS"],
  ["style", "CSS"],
  ...["title", "textarea"].map((element) => [element, "RCDATA"] as const),
  ...["xmp", "iframe", "noembed", "noframes", "plaintext"]
    .map((element) => [element, "RawText"] as const),
]);

const animations: ReadonlySet<string> = new Set(["animate", "set"]);

/** The elements whose content or attributes may be code. */
const codeElements: readonly string[] = ["script", "style", "meta", ...animations];

export const htmlSteps = {
  Text: stepText,
  Tag: stepTag,
  AttrName: stepName,
  AfterName: stepAfterName,
  BeforeValue: stepBeforeValue,
  HTMLCmt: stepComment,
} as const;

const tagStart = /<(\/?)([A-Za-z][^\t\n\f\r />"'<=\0]*)/y;

function stepText(_: Context, { source, end }: Piece, from: number): Moved {
  for (let at = source.indexOf("<", from); at >= 0; at = source.indexOf("<", at + 1)) {
    if (source.startsWith("<!--", at) && at + 4 <= end) {
      return { context: { ...textContext, state: "HTMLCmt" }, at: at + 4 };
    }
    tagStart.lastIndex = at;
    const [, slash = "", name = ""] = tagStart.exec(source) ?? [];
    const nameStart = at + 1 + slash.length;
    // Other markup is text here: its `<` is escaped unless it is a document type.
    if (name === "" || nameStart >= end) continue;
    const nameEnd = Math.min(nameStart + name.length, end);
    const lower = source.slice(nameStart, nameEnd).toLowerCase();
    const element = slash === "" ? special(lower) : "";
    const isOpen = slash === "" && nameEnd === end;
    const mayBeCode = isOpen && codeElements.some((name) => name.startsWith(lower));
    const attribute = mayBeCode ? "Element" : "None";
    return { context: { ...textContext, state: "Tag", element, attribute }, at: nameEnd };
  }
  return { context: textContext, at: end };
}

/** Returns the element if it affects contexts: tagless content, `meta` or an animation; else `""`. */
function special(element: string): string {
  const isKept = element === "meta" || animations.has(element) || contentStates.has(element);
  return isKept ? element : "";
}

const spaces = /[\t\n\f\r ]*/y;
// A slash separates attributes like white space.
const gap = /[\t\n\f\r /]*/y;

function skip({ source, end }: Piece, from: number, pattern = spaces): number {
  pattern.lastIndex = from;
  pattern.test(source);
  return Math.min(pattern.lastIndex, end);
}

function stepTag(context: Context, piece: Piece, from: number): Moved {
  const { source, end } = piece;
  const at = skip(piece, from, gap);
  if (at === end) return { context: { ...context, state: "Tag", attribute: "None" }, at };
  if (source[at] === ">") {
    const element = context.element.toLowerCase();
    const state = contentStates.get(element);
    const isContent = state !== undefined;
    const content = isContent ? { ...textContext, state, element } : textContext;
    return { context: content, at: at + 1 };
  }
  if (at === from && context.attribute === "Element") {
    return badHtml("write the element's name as one text", at, end);
  }
  if (source[at] !== "=") return stepName(context, piece, from);
  const found = quoteText(source.slice(at, end));
  return badHtml(`expected space, attr name, or end of tag, but got ${found}`, at, end);
}

function badHtml(description: string, at: number, end: number): Moved {
  return { context: faultContext("ErrBadHTML", description, at), at: end };
}

const nameEnd = /[\t\n\f\r /=>'"<]/g;

function stepName(context: Context, piece: Piece, from: number): Moved {
  const { source, end } = piece;
  const start = context.state === "Tag" ? skip(piece, from, gap) : from;
  nameEnd.lastIndex = start;
  const at = Math.min(nameEnd.exec(source)?.index ?? end, end);
  const wrong = source.charAt(at);
  if (at < end && /['"<]/.test(wrong)) {
    const rest = quoteText(source.slice(from, end).slice(0, 32));
    return badHtml(`${quoteText(wrong)} in attribute name: ${rest}`, at, end);
  }
  const state = at === end ? "AttrName" : "AfterName";
  if (context.state !== "Tag") {
    return { context: { ...(at > start ? continueName(context) : context), state }, at };
  }
  const name = source.slice(start, at).toLowerCase();
  const kind = valueKind(context.element, name);
  const element = kind === "ScriptType" ? typedScript : context.element;
  const attribute = at === end && kind === "None" && name.includes("-") ? "Custom" : kind;
  return { context: { ...textContext, state, element, attribute }, at };
}

function valueKind(element: string, name: string): Context["attribute"] {
  if (element === "script" && name === "type") return "ScriptType";
  if (element === "meta" && name === "content") return "MetaContent";
  if (animations.has(element) && /^(?:by|from|to|values)$/.test(name)) return "Animation";
  const kind = attributeKind(name);
  return kind === "Unsafe" ? "None" : kind;
}

function stepAfterName(context: Context, piece: Piece, from: number): Moved {
  const at = skip(piece, from);
  if (at === piece.end) return { context, at };
  if (piece.source[at] === "=") {
    return { context: { ...context, state: "BeforeValue" }, at: at + 1 };
  }
  return { context: { ...context, state: "Tag", attribute: "None" }, at };
}

const delimiters: Readonly<Record<string, Delimiter>> = { '"': "DoubleQuote", "'": "SingleQuote" };

function stepBeforeValue(context: Context, piece: Piece, from: number): Moved {
  const at = skip(piece, from);
  if (at === piece.end) return { context, at };
  const quote = delimiters[piece.source.charAt(at)];
  const delimiter = quote ?? "SpaceOrTagEnd";
  const state = valueState(context.attribute);
  return { context: { ...context, state, delimiter }, at: quote === undefined ? at : at + 1 };
}

const commentEnd = /--!?>/g;

function stepComment(context: Context, { source, end }: Piece, from: number): Moved {
  // `<!-->` and `<!--->` are comments too.
  const start = source.startsWith("<!--", from - 4) ? from - 2 : from;
  const [abrupt] = /^-{2,3}>/.exec(source.slice(start, Math.min(start + 4, end))) ?? [];
  if (start < from && abrupt !== undefined) {
    return { context: textContext, at: start + abrupt.length };
  }
  commentEnd.lastIndex = from;
  const isClosed = commentEnd.test(source) && commentEnd.lastIndex <= end;
  return isClosed ? { context: textContext, at: commentEnd.lastIndex } : { context, at: end };
}

const unquotedEnd = /[\t\n\f\r >]/g;

/** Finds the end of a value: its quote, white space or `>`; `undefined` if the text ends first. */
export function valueEnd(text: string, at: number, quote: string): number | undefined {
  unquotedEnd.lastIndex = at;
  const end = quote === "" ? unquotedEnd.exec(text)?.index : text.indexOf(quote, at);
  return end === -1 ? undefined : end;
}

const endTags = new Map<string, RegExp>();

/** Finds the end tag of an element with tagless content; `undefined` if the text ends first. */
export function endTagStart(text: string, at: number, element: string): number | undefined {
  const pattern = endTags.getOrInsertComputed(
    element,
    () => new RegExp(`</${element}[\\t\\n\\f\\r />]`, "gi"),
  );
  pattern.lastIndex = at;
  return pattern.exec(text)?.index;
}
