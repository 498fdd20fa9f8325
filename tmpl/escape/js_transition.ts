import {
  type Context,
  faultContext,
  isSame,
  type Moved,
  type Piece,
  type State,
} from "./context.ts";
import { quoteText } from "../run/quote.ts";
import { type CodeBefore, parenKind, slashAfter, slashAfterParen } from "./slash.ts";

type JsSteps = Readonly<
  Partial<Record<State, (context: Context, piece: Piece, from: number) => Moved>>
>;

export const specialScriptTag = /<(?=\/?script|!--)/i;

const jsToken = /["'`/{}()<#-]/g;

/** Reads JavaScript up to the next change; stops before a slash that may be either kind. */
function stepCode(context: Context, piece: Piece, from: number): Moved {
  const { source, end } = piece;
  jsToken.lastIndex = from;
  for (let found = jsToken.exec(source); found !== null; found = jsToken.exec(source)) {
    const at = found.index;
    if (at >= end) break;
    const moved = stepToken(context, piece, { from, at });
    if (moved !== undefined) return moved;
    jsToken.lastIndex = at + 1;
  }
  return { context: { ...context, slash: slashAfter(context, piece, { from, at: end }) }, at: end };
}

function stepJs(context: Context, piece: Piece, from: number): Moved {
  const moved = stepCode(context, piece, from);
  if (!isOpenSlash(moved, piece)) return moved;
  const { source, end } = piece;
  const { at } = moved;
  // If the element ends in this text, no value follows the slash and the rest stays as written.
  const isLast = end < source.length && !specialScriptTag.test(source.slice(at, end));
  if (isLast) return { context: moved.context, at: end };
  return readLine(moved, piece) ?? slashFault(piece, at);
}

function isOpenSlash({ context, at }: Moved, { source, end }: Piece): boolean {
  return context.state === "JS" && context.slash === "Either" && at < end && source[at] === "/";
}

/**
 * Decides a slash by the rest of its line, which stays as written. A line break in a regular expression or string
 * is a syntax error, which rules a reading out. `undefined` if both readings are valid but end differently.
 */
function readLine({ context, at }: Moved, { source, end }: Piece): Moved | undefined {
  const breakAt = source.slice(at, end).search(/[\n\r]/);
  const isBroken = breakAt >= 0;
  const line = { source, end: isBroken ? at + breakAt : end };
  // Comments are removed, and a comment in one reading may be code in the other.
  if (/\/[/*]|<!--|-->|#!|<\/?script/i.test(source.slice(at, line.end))) return undefined;
  const division = lineEndContext({ context: { ...context, slash: "Regexp" }, at: at + 1 }, line);
  const regexp = lineEndContext({ context: { ...context, state: "JSRegexp" }, at: at + 1 }, line);
  if (division === undefined || regexp === undefined) return undefined;
  const [first, second] = [division, regexp].filter((each) => !isBroken || !isOpenLiteral(each));
  if (first === undefined || (second !== undefined && !isSame(first, second))) return undefined;
  return first.fault === undefined ? { context: first, at: line.end } : undefined;
}

/** Returns the context at the end of a line; `undefined` if another slash may be either kind. */
function lineEndContext(start: Moved, line: Piece): Context | undefined {
  let { context, at } = start;
  while (at < line.end && context.state !== "Error") {
    const step = context.state === "JS" ? stepCode : jsSteps[context.state];
    const moved = step?.(context, line, at) ?? { context, at: line.end };
    if (isOpenSlash(moved, line)) return undefined;
    ({ context, at } = moved);
  }
  return context;
}

/** Reports whether a literal that allows no line break is still open. */
function isOpenLiteral({ state, fault }: Context): boolean {
  return state === "JSRegexp" || state === "JSDqStr" || state === "JSSqStr" ||
    fault?.code === "ErrPartialCharset";
}

const literals: Readonly<Record<string, Context["state"]>> = {
  '"': "JSDqStr",
  "'": "JSSqStr",
  "`": "JSTmplLit",
};

/** Returns the context after a token; `undefined` if the token does not change it. */
function stepToken(context: Context, piece: Piece, code: CodeBefore): Moved | undefined {
  const { source, end } = piece;
  const { at } = code;
  const char = source[at] ?? "";
  const literal = literals[char];
  if (literal !== undefined) {
    return { context: { ...context, state: literal, slash: "Regexp" }, at: at + 1 };
  }
  switch (char) {
    case "/":
      return stepSlash({ ...context, slash: slashAfter(context, piece, code) }, piece, at);
    case "{":
    case "}":
      return stepBrace(context, char === "{", at + 1);
    case "(": {
      const parens = context.parens + parenKind(context, piece, code);
      return { context: { ...context, slash: "Regexp", parens }, at: at + 1 };
    }
    case ")": {
      const slash = slashAfterParen(context.parens);
      return { context: { ...context, slash, parens: context.parens.slice(0, -1) }, at: at + 1 };
    }
  }
  const comment = commentAt(source.slice(0, end), at);
  if (comment === undefined) return undefined;
  const slash = slashAfter(context, piece, code);
  return { context: { ...context, slash, state: comment.state }, at: at + comment.length };
}

const lineStart = /(?:^|[\n\r\u2028\u2029]|<script[^<>]*>)[\t\v\f \u00a0\ufeff]*$/i;

/** Finds a comment that JavaScript inherited from HTML, or the hashbang of the first line. */
function commentAt(
  source: string,
  at: number,
): { readonly state: Context["state"]; readonly length: number } | undefined {
  if (source.startsWith("<!--", at)) return { state: "JSHTMLOpenCmt", length: 4 };
  if (source.startsWith("#!", at)) return { state: "JSLineCmt", length: 2 };
  // After code, `-->` is a decrement and a comparison: `while (n --> 0)`.
  const isClose = source.startsWith("-->", at) &&
    lineStart.test(source.slice(Math.max(0, at - 200), at));
  return isClose ? { state: "JSHTMLCloseCmt", length: 3 } : undefined;
}

function stepSlash(context: Context, { source, end }: Piece, at: number): Moved {
  const after = at + 1 < end ? source[at + 1] : undefined;
  if (after === "/") return { context: { ...context, state: "JSLineCmt" }, at: at + 2 };
  if (after === "*") return { context: { ...context, state: "JSBlockCmt" }, at: at + 2 };
  switch (context.slash) {
    case "Regexp":
      return { context: { ...context, state: "JSRegexp" }, at: at + 1 };
    case "DivOp":
      return { context: { ...context, slash: "Regexp" }, at: at + 1 };
    case "Either":
    case "Name":
      return { context: { ...context, slash: "Either" }, at };
    case "Unknown":
      return slashFault({ source, end }, at);
  }
}

function slashFault({ source, end }: Piece, at: number): Moved {
  const rest = quoteText(source.slice(at, end).slice(0, 32));
  const description = `'/' could start a division or regexp: ${rest}`;
  return { context: faultContext("ErrSlashAmbig", description, at), at: end };
}

/** Counts braces in the expression of a template literal, which the last one closes. */
function stepBrace(context: Context, isOpen: boolean, at: number): Moved | undefined {
  const depth = context.braces.at(-1);
  if (depth === undefined) return undefined;
  const outer = context.braces.slice(0, -1);
  const change = isOpen ? 1 : -1;
  if (isOpen || depth > 0) {
    const slash = isOpen ? "Regexp" : "Either";
    return { context: { ...context, slash, braces: [...outer, depth + change] }, at };
  }
  return { context: { ...context, state: "JSTmplLit", slash: "Regexp", braces: outer }, at };
}

function stepJsTemplate(
  context: Context,
  { source, end }: Piece,
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

const flags = /[\p{ID_Continue}$]*/uy;

function stepJsLiteral(context: Context, { source, end }: Piece, from: number): Moved {
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
      flags.lastIndex = at + 1;
      // Flags are not a keyword: `/a/in / 2`.
      const after = isRegexp && flags.test(source) ? Math.min(flags.lastIndex, end) : at + 1;
      return { context: { ...context, state: "JS", slash: "DivOp" }, at: after };
    }
  }
  if (!inSet) return { context, at: end };
  const description = `unfinished JS regexp charset: ${quoteText(source.slice(from, end))}`;
  return { context: faultContext("ErrPartialCharset", description, from), at: end };
}

/** Reports whether a slash belongs to an end tag, which is written as an escape. */
function isEndTag(source: string, at: number): boolean {
  return source.slice(at - 1, at + 7).toLowerCase() === "</script";
}

const lineEnd = /[\n\r\u2028\u2029]/g;

function stepJsComment(context: Context, { source, end }: Piece, from: number): Moved {
  if (context.state === "JSBlockCmt") {
    const close = source.indexOf("*/", from);
    if (close < 0 || close + 2 > end) return { context, at: end };
    return { context: { ...context, state: "JS" }, at: close + 2 };
  }
  lineEnd.lastIndex = from;
  const found = lineEnd.exec(source);
  // The line end is not part of the comment.
  if (found === null || found.index >= end) return { context, at: end };
  return { context: { ...context, state: "JS" }, at: found.index };
}

export const jsSteps: JsSteps = {
  JS: stepJs,
  JSTmplLit: stepJsTemplate,
  JSDqStr: stepJsLiteral,
  JSSqStr: stepJsLiteral,
  JSRegexp: stepJsLiteral,
  JSBlockCmt: stepJsComment,
  JSLineCmt: stepJsComment,
  JSHTMLOpenCmt: stepJsComment,
  JSHTMLCloseCmt: stepJsComment,
};
