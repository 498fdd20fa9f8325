/** Advances a context over static text. */

import { decodeReferences } from "../../html/escape.ts";
import {
  afterUrlText,
  type Context,
  faultContext,
  isScriptLiteral,
  type Moved,
  type Piece,
  type State,
  textContext,
} from "./context.ts";
import { stepCss, stepCssComment, stepCssText } from "./css_transition.ts";
import { quoteText } from "../run/quote.ts";
import { endTagStart, htmlSteps, valueEnd } from "./html_transition.ts";
import { jsSteps } from "./js_transition.ts";

const quotes = { DoubleQuote: '"', SingleQuote: "'", SpaceOrTagEnd: "", None: "" } as const;

/** Advances a context to its next change in a string, or to the end of the text. */
export function move(context: Context, text: string, at: number): Moved {
  if (context.delimiter !== "None") return moveInValue(context, text, at);
  const piece = { source: text, end: text.length };
  if (!hasContent(context)) return step(context, piece, at);
  // An end tag in a script's literal does not end the element, because it is written as an escape.
  const hasNoEnd = context.element === "plaintext" ||
    (context.element === "script" && isScriptLiteral(context.state));
  const end = hasNoEnd ? undefined : endOfElement(text, at, context.element);
  if (end === at) return { context: textContext, at };
  return step(context, { source: text, end: end ?? text.length }, at);
}

/** The last end found, kept because each of a script's many steps needs it. */
let last = { text: "", element: "", from: 0, end: undefined as number | undefined };

/** Returns the end of the element that is open at a position of a string. */
function endOfElement(text: string, at: number, element: string): number | undefined {
  const isKnown = last.text === text && last.element === element && last.from <= at &&
    (last.end ?? at) >= at;
  if (isKnown) return last.end;
  const end = endTagStart(text, at, element);
  last = { text, element, from: at, end };
  return end;
}

/** Reports whether a context is inside an element with tagless content. */
export function hasContent({ element, state }: Context): boolean {
  return element !== "" && !["Tag", "AttrName", "AfterName", "BeforeValue"].includes(state);
}

function moveInValue(context: Context, text: string, at: number): Moved {
  const quote = quotes[context.delimiter];
  const end = valueEnd(text, at, quote);
  const value = text.slice(at, end);
  if (context.delimiter === "SpaceOrTagEnd") {
    const wrong = /["'<=`]/.exec(value)?.[0];
    if (wrong !== undefined) {
      const description = `${quoteText(wrong)} in unquoted attr: ${quoteText(value)}`;
      return { context: faultContext("ErrBadHTML", description), at: text.length };
    }
  }
  const { attribute, state } = context;
  if (end === undefined) {
    const after = afterValueText(context, value);
    // Positions in the decoded value do not match positions in the text.
    if (after.fault !== undefined) {
      return { context: { ...after, fault: { ...after.fault, at } }, at: text.length };
    }
    // A type with text after an action is unknown, so the script is read as JavaScript.
    const isType = attribute === "ScriptType" && after.state === state;
    return { context: isType ? { ...after, attribute: "None" } : after, at: text.length };
  }
  const isData = attribute === "ScriptType" && !isScriptType(decodeReferences(value));
  const element = isData ? "" : context.element;
  return { context: { ...textContext, state: "Tag", element }, at: end + quote.length };
}

/** Decodes references before reading a value: `onclick="f(&quot;` opens a string. */
function afterValueText(context: Context, value: string): Context {
  const source = decodeReferences(value);
  const piece = { source, end: source.length };
  let moved: Moved = { context, at: 0 };
  while (moved.at < source.length) moved = step(moved.context, piece, moved.at);
  return moved.context;
}

/** Advances a context in a part of a string, to its next change or to the end of the part. */
type Step = (context: Context, piece: Piece, at: number) => Moved;

const stepUrl: Step = (context, { source, end }, at) => ({
  context: afterUrlText(context, source.slice(at, end)),
  at: end,
});

/** After a tag in `srcdoc`, the context inside the inner document is unknown. */
const stepSrcdoc: Step = (context, { source, end }, at) => ({
  context: source.slice(at, end).includes("<") ? { ...context, urlPart: "Unknown" } : context,
  at: end,
});

/** After a colon, a value would complete a link: `values="#a;javascript:{{.}}"`. */
const stepAnimation: Step = (context, { source, end }, at) => {
  const isScheme = /(?:^|;)(?!\s*https?:)[^#/?:;]*:/i.test(source.slice(at, end));
  return { context: isScheme ? { ...context, urlPart: "Unknown" } : context, at: end };
};

/** The steps by state; other states change only at their end. */
const steps: Readonly<Partial<Record<State, Step>>> = {
  ...htmlSteps,
  URL: stepUrl,
  Srcset: stepUrl,
  MetaContent: stepMetaContent,
  Srcdoc: stepSrcdoc,
  Animation: stepAnimation,
  ...jsSteps,
  CSS: stepCss,
  CSSBlockCmt: stepCssComment,
  CSSLineCmt: stepCssComment,
  CSSDqStr: stepCssText,
  CSSSqStr: stepCssText,
  CSSDqURL: stepCssText,
  CSSSqURL: stepCssText,
  CSSURL: stepCssText,
};

/** Makes one step in any state, without checking for the end of a value or an element. */
export function step(context: Context, piece: Piece, at: number): Moved {
  return steps[context.state]?.(context, piece, at) ?? { context, at: piece.end };
}

/** Reads the content of a `meta`, which may be a delay and a URL. */
function stepMetaContent(context: Context, piece: Piece, at: number): Moved {
  // A comment may split the text: `0{{/* c */}} {{.}}`.
  const [before = ""] = context.starts;
  const text = before + piece.source.slice(at, piece.end);
  const found = /url[\t\n\f\r ]*=[\t\n\f\r ]*["']?/i.exec(text);
  if (found === null) {
    // After the seconds and a semicolon, comma or space, a value may be `url=` and any address.
    const isRefresh = /^[\t\n\f\r ]*[\d.]+[\t\n\f\r ,;]/.test(text);
    const urlPart = isRefresh ? "Unknown" : context.urlPart;
    return { context: { ...context, urlPart, starts: [text.slice(0, 40)] }, at: piece.end };
  }
  return {
    context: { ...context, state: "URL", urlPart: "None", starts: [] },
    at: Math.max(at, at + found.index + found[0].length - before.length),
  };
}

const scriptTypes: ReadonlySet<string> = new Set([
  "",
  "module",
  "importmap",
  "speculationrules",
  "text/jscript",
  "text/livescript",
  ...["text/", "application/"].flatMap((tree) =>
    ["ecmascript", "javascript", "x-ecmascript", "x-javascript"].map((name) => tree + name)
  ),
  ...["0", "1", "2", "3", "4", "5"].map((minor) => `text/javascript1.${minor}`),
]);

/** Reports whether a script type is JavaScript or JSON; other types are data and not executed. */
function isScriptType(type: string): boolean {
  const name = (type.split(";", 1)[0] ?? "").toLowerCase().trim();
  return scriptTypes.has(name) || /^application\/(?:[\w.-]+\+)?json$/.test(name);
}
