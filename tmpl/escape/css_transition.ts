/** Advances a context over static CSS. Strings are read as URLs, which many of them are. */

import {
  afterUrlText,
  type Context,
  faultContext,
  type Moved,
  type Piece,
  type State,
} from "./context.ts";
import { quoteText } from "../run/quote.ts";

const cssToken = /[("'/]/g;
const urlFunction = /(?:^|[^\w\u0080-\uffff-])url$/i;
const openQuote = /[\t\n\f\r ]*(["']?)/y;

export function stepCss(context: Context, { source, end }: Piece, from: number): Moved {
  cssToken.lastIndex = from;
  for (let found = cssToken.exec(source); found !== null; found = cssToken.exec(source)) {
    const at = found.index;
    if (at >= end) break;
    const next = (state: State, length: number): Moved => ({
      context: { ...context, state },
      at: at + length,
    });
    const after = at + 1 < end ? source[at + 1] : undefined;
    if (found[0] === '"') return next("CSSDqStr", 1);
    if (found[0] === "'") return next("CSSSqStr", 1);
    if (found[0] === "/" && after === "/") return next("CSSLineCmt", 2);
    if (found[0] === "/" && after === "*") return next("CSSBlockCmt", 2);
    if (found[0] === "(" && isUrlFunction(source, from, at)) {
      openQuote.lastIndex = at + 1;
      const quote = openQuote.exec(source.slice(0, end))?.[1];
      const state = quote === '"' ? "CSSDqURL" : quote === "'" ? "CSSSqURL" : "CSSURL";
      return { context: { ...context, state }, at: Math.min(openQuote.lastIndex, end) };
    }
  }
  return { context, at: end };
}

function isUrlFunction(source: string, from: number, at: number): boolean {
  let end = at;
  while (end > from && /[\t\n\f\r ]/.test(source.charAt(end - 1))) end--;
  // Each letter may be an escape of up to seven characters and a space: `\\000075rl(`.
  return urlFunction.test(decodeCss(source.slice(Math.max(from, end - 28), end)));
}

const stringEnds: Readonly<Partial<Record<State, RegExp>>> = {
  CSSDqStr: /[\\"]/g,
  CSSDqURL: /[\\"]/g,
  CSSSqStr: /[\\']/g,
  CSSSqURL: /[\\']/g,
  CSSURL: /[\\\t\n\f\r )]/g,
};

export function stepCssText(context: Context, { source, end }: Piece, from: number): Moved {
  const pattern = stringEnds[context.state] ?? /\\/g;
  let here = context;
  for (let at = from;;) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null || found.index >= end) {
      return { context: afterUrlText(here, decodeCss(source.slice(at, end))), at: end };
    }
    if (found[0] !== "\\") {
      return { context: { ...here, state: "CSS" }, at: found.index + 1 };
    }
    if (found.index + 1 >= end) {
      const shown = quoteText(source.slice(from, end));
      const description = `unfinished escape sequence in CSS string: ${shown}`;
      return { context: faultContext("ErrPartialEscape", description, end - 1), at: end };
    }
    here = afterUrlText(here, decodeCss(source.slice(from, found.index + 2)));
    at = found.index + 2;
  }
}

export function stepCssComment(
  context: Context,
  { source, end }: Piece,
  from: number,
): Moved {
  const isBlock = context.state === "CSSBlockCmt";
  const pattern = isBlock ? /\*\//g : /[\n\f\r]/g;
  pattern.lastIndex = from;
  const found = pattern.exec(source);
  if (found === null || found.index + found[0].length > end) return { context, at: end };
  return { context: { ...context, state: "CSS" }, at: found.index + (isBlock ? 2 : 0) };
}

const escape = /\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|[\t\n\f\r ])?|([^]|$))/gu;

export function decodeCss(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(escape, (_, hex: string | undefined, char: string) => {
    if (hex === undefined) return char;
    let code = Number.parseInt(hex, 16);
    let rest = "";
    if (code > 0x10ffff) {
      rest = hex.slice(-1);
      code = code >> 4;
    }
    const isScalar = code < 0xd800 || code > 0xdfff;
    return (isScalar ? String.fromCodePoint(code) : "\ufffd") + rest;
  });
}
