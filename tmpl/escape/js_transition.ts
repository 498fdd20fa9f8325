/** How static JavaScript moves a context on. */

import type { MarkupPiece } from "../../html/markup.ts";
import { type Context, faultContext, type Moved, type SlashMeaning } from "./context.ts";
import { quoteText } from "../run/quote.ts";

/** White space and line ends of JavaScript. */
const space = /[\s\ufeff]/;

/** Keywords behind which a slash begins a regular expression. */
const keywords: ReadonlySet<string> = new Set(
  ("break case continue delete do else finally in instanceof return throw try typeof void")
    .split(" "),
);
const longestKeyword = "instanceof".length;

/** Returns what a slash behind some code means: looks back for one token, so the time is its length. */
function slashAfter(source: string, from: number, to: number, before: SlashMeaning): SlashMeaning {
  let end = to;
  while (end > from && space.test(source.charAt(end - 1))) end--;
  if (end === from) return before;
  const last = source.charAt(end - 1);
  const text = source.slice(Math.max(from, end - longestKeyword - 1), end);
  switch (last) {
    case "+":
    case "-": {
      // `x++ /` divides and `x + /` does not; `---` is `-- -`.
      let run = 1;
      while (end - run > from && source[end - run - 1] === last) run++;
      return run % 2 === 1 ? "Regexp" : "DivOp";
    }
    case ".":
      return /\d\.$/.test(text) ? "DivOp" : "Regexp";
  }
  if (",<>=*%&|^?!~([:;{}".includes(last)) return "Regexp";
  return keywords.has(/[\w$]*$/.exec(text)?.[0] ?? "") ? "Regexp" : "DivOp";
}

const jsToken = /["'`/{}<#-]/g;

/** One step among JavaScript. */
export function stepJs(context: Context, piece: MarkupPiece, from: number): Moved {
  const { source, end } = piece;
  jsToken.lastIndex = from;
  for (let found = jsToken.exec(source); found !== null; found = jsToken.exec(source)) {
    const at = found.index;
    if (at >= end) break;
    const moved = stepToken(
      { ...context, slash: slashAfter(source, from, at, context.slash) },
      piece,
      at,
    );
    if (moved !== undefined) return moved;
    jsToken.lastIndex = at + 1;
  }
  return {
    context: { ...context, slash: slashAfter(source, from, end, context.slash) },
    at: end,
  };
}

const literals: Readonly<Record<string, Context["state"]>> = {
  '"': "JSDqStr",
  "'": "JSSqStr",
  "`": "JSTmplLit",
};

/** Returns what a token begins or ends; `undefined` where it is a part of the code around it. */
function stepToken(context: Context, piece: MarkupPiece, at: number): Moved | undefined {
  const { source, end } = piece;
  const char = source[at] ?? "";
  const literal = literals[char];
  if (literal !== undefined) {
    return { context: { ...context, state: literal, slash: "Regexp" }, at: at + 1 };
  }
  switch (char) {
    case "/":
      return stepSlash(context, piece, at);
    case "{":
    case "}":
      return stepBrace(context, char === "{", at + 1);
  }
  const comment = commentAt(source.slice(0, end), at);
  if (comment === undefined) return undefined;
  return { context: { ...context, state: comment.state }, at: at + comment.length };
}

const lineStart = /(?:^|[\n\r\u2028\u2029]|<script[^<>]*>)[\t\v\f \u00a0\ufeff]*$/i;

/** Finds a comment that JavaScript inherited from HTML, or the hashbang of the first line. */
function commentAt(
  source: string,
  at: number,
): { readonly state: Context["state"]; readonly length: number } | undefined {
  if (source.startsWith("<!--", at)) return { state: "JSHTMLOpenCmt", length: 4 };
  if (source.startsWith("#!", at)) return { state: "JSLineCmt", length: 2 };
  // Behind code it is a decrement and a comparison: `while (n --> 0)`.
  const isClose = source.startsWith("-->", at) &&
    lineStart.test(source.slice(Math.max(0, at - 200), at));
  return isClose ? { state: "JSHTMLCloseCmt", length: 3 } : undefined;
}

function stepSlash(context: Context, { source, end }: MarkupPiece, at: number): Moved {
  const after = at + 1 < end ? source[at + 1] : undefined;
  if (after === "/") return { context: { ...context, state: "JSLineCmt" }, at: at + 2 };
  if (after === "*") return { context: { ...context, state: "JSBlockCmt" }, at: at + 2 };
  switch (context.slash) {
    case "Regexp":
      return { context: { ...context, state: "JSRegexp" }, at: at + 1 };
    case "DivOp":
      return { context: { ...context, slash: "Regexp" }, at: at + 1 };
    case "Unknown": {
      const rest = quoteText(source.slice(at, end).slice(0, 32));
      const description = `'/' could start a division or regexp: ${rest}`;
      return { context: faultContext("ErrSlashAmbig", description, at), at: end };
    }
  }
}

/** Braces count in the expressions of template literals, where the last one closes the expression. */
function stepBrace(context: Context, isOpen: boolean, at: number): Moved | undefined {
  const depth = context.braces.at(-1);
  if (depth === undefined) return undefined;
  const slash = "Regexp";
  const outer = context.braces.slice(0, -1);
  if (isOpen) return { context: { ...context, slash, braces: [...outer, depth + 1] }, at };
  if (depth > 0) return { context: { ...context, slash, braces: [...outer, depth - 1] }, at };
  return { context: { ...context, state: "JSTmplLit", slash, braces: outer }, at };
}

/** One step in a template literal. */
export function stepJsTemplate(
  context: Context,
  { source, end }: MarkupPiece,
  from: number,
): Moved {
  for (let at = from; at < end; at++) {
    const char = source[at];
    if (char === "\\") {
      at++;
      if (at >= end) return partialEscape(source.slice(from, end), end);
    } else if (char === "$" && source[at + 1] === "{" && at + 1 < end) {
      return {
        context: { ...context, state: "JS", slash: "Regexp", braces: [...context.braces, 0] },
        at: at + 2,
      };
    } else if (char === "`") {
      return { context: { ...context, state: "JS", slash: "DivOp" }, at: at + 1 };
    }
  }
  return { context, at: end };
}

function partialEscape(text: string, end: number): Moved {
  const description = `unfinished escape sequence in JS string: ${quoteText(text)}`;
  return { context: faultContext("ErrPartialEscape", description, end - 1), at: end };
}

/** One step in a string or a regular expression. */
export function stepJsLiteral(context: Context, { source, end }: MarkupPiece, from: number): Moved {
  const { state } = context;
  const isRegexp = state === "JSRegexp";
  const close = isRegexp ? "/" : state === "JSDqStr" ? '"' : "'";
  let inSet = false;
  for (let at = from; at < end; at++) {
    const char = source[at];
    if (char === "\\") {
      at++;
      if (at >= end) return partialEscape(source.slice(from, end), end);
    } else if (isRegexp && (char === "[" || char === "]")) {
      inSet = char === "[";
    } else if (char === close && !inSet && !(isRegexp && isEndTag(source, at))) {
      return { context: { ...context, state: "JS", slash: "DivOp" }, at: at + 1 };
    }
  }
  if (!inSet) return { context, at: end };
  const description = `unfinished JS regexp charset: ${quoteText(source.slice(from, end))}`;
  return { context: faultContext("ErrPartialCharset", description, from), at: end };
}

/** Reports whether the slash is that of an end tag, which is written as an escape. */
function isEndTag(source: string, at: number): boolean {
  return source.slice(at - 1, at + 7).toLowerCase() === "</script";
}

const lineEnd = /[\n\r\u2028\u2029]/g;

/** One step in a comment. */
export function stepJsComment(context: Context, { source, end }: MarkupPiece, from: number): Moved {
  if (context.state === "JSBlockCmt") {
    const close = source.indexOf("*/", from);
    if (close < 0 || close + 2 > end) return { context, at: end };
    return { context: { ...context, state: "JS" }, at: close + 2 };
  }
  lineEnd.lastIndex = from;
  const found = lineEnd.exec(source);
  // The line end is no part of the comment.
  if (found === null || found.index >= end) return { context, at: end };
  return { context: { ...context, state: "JS" }, at: found.index };
}
