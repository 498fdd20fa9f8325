import { inertData } from "../../html/escape.ts";
import type { TemplateErrorCode } from "../error.ts";

type HtmlState = "Text" | "Tag" | "AttrName" | "AfterName" | "BeforeValue" | "HTMLCmt";
type ContentState = "RCDATA" | "RawText" | "Attr" | "Mixed" | LinkKind;
type JsLiteral = "JSDqStr" | "JSSqStr" | "JSTmplLit" | "JSRegexp";
type JsComment = "JSBlockCmt" | "JSLineCmt" | "JSHTMLOpenCmt" | "JSHTMLCloseCmt";
type CssText = "CSSDqStr" | "CSSSqStr" | "CSSDqURL" | "CSSSqURL" | "CSSURL";
type CssState = "CSS" | CssText | "CSSBlockCmt" | "CSSLineCmt";

/** `Error`: nothing valid; `Dead`: unreachable, after a `break` or `continue`. */
export type State =
  | (HtmlState | ContentState | "JS" | JsLiteral | JsComment)
  | (CssState | "Error" | "Dead");

type LinkKind = "URL" | "Srcset" | "MetaContent" | "Srcdoc" | "Animation";

/**
 * `Custom`: an unfinished name with a hyphen, which never has a special meaning; `Mixed`: a name in parts,
 * which may have any meaning; `Element`: no attribute, but an unfinished name of an element that may hold code.
 */
export type AttributeKind =
  | ("None" | "Script" | "ScriptType" | "Style" | LinkKind)
  | ("Custom" | "Mixed" | "Element");

export type Delimiter = "None" | "DoubleQuote" | "SingleQuote" | "SpaceOrTagEnd";

/** The current part of a URL; `Value`: after a value only, which may be the scheme; `Script`: code. */
export type UrlPart = "None" | "Value" | "PreQuery" | "QueryOrFrag" | "Script" | "Unknown";

/**
 * Whether a slash would begin a regular expression or divide. `Either`: the last token alone does
 * not decide it; `Unknown`: it depends on a branch; `Name`: after a dot, where a keyword is a name.
 */
export type SlashMeaning = "Regexp" | "DivOp" | "Either" | "Unknown" | "Name";

/** The parser state at a position; contexts with equal fields are interchangeable. */
export interface Context {
  readonly state: State;
  readonly delimiter: Delimiter;
  readonly urlPart: UrlPart;
  /** The possible texts of the URL so far that may become a code scheme; see {@link anyStart}. */
  readonly starts: readonly string[];
  readonly slash: SlashMeaning;
  readonly attribute: AttributeKind;
  /** The element with special content or a special tag, in lower case; otherwise empty. */
  readonly element: string;
  /** For each enclosing template literal, the number of open braces in its expression. */
  readonly braces: readonly number[];
  /** The kinds of a script's open parentheses; see `parenKind`. */
  readonly parens: string;
  readonly fault: {
    readonly code: TemplateErrorCode;
    readonly description: string;
    /** The position in the source, once known. */
    readonly at: number | undefined;
  } | undefined;
}

/** Marks where the parentheses of a loop or a called template begin. */
export const parensStart = "|";

/** The context between tags, in which a template starts. */
export const textContext: Context = {
  state: "Text",
  delimiter: "None",
  urlPart: "None",
  starts: [],
  slash: "Regexp",
  attribute: "None",
  element: "",
  braces: [],
  parens: "",
  fault: undefined,
};

export const deadContext: Context = { ...textContext, state: "Dead" };

export function faultContext(code: TemplateErrorCode, description: string, at?: number): Context {
  return { ...textContext, state: "Error", fault: { code, description, at } };
}

export function isSame(a: Context, b: Context): boolean {
  return a === b ||
    (a.state === b.state && a.delimiter === b.delimiter && a.urlPart === b.urlPart &&
      a.slash === b.slash && a.attribute === b.attribute && a.element === b.element &&
      a.fault === b.fault && a.parens === b.parens && a.braces.join() === b.braces.join() &&
      a.starts.length === b.starts.length && a.starts.join() === b.starts.join());
}

/** Returns the name of a template in a context, because each context gets its own copy. */
export function nameIn(context: Context, name: string): string {
  if (context.state === "Text") return name;
  const { state, delimiter, urlPart, starts, slash, attribute, element, braces } = context;
  const url = [urlPart, ...starts].join();
  return [name, state, delimiter, url, slash, attribute, element, ...braces].join("\0");
}

/** Formats a context as Go's messages do. */
export function contextText(context: Context): string {
  const { state, delimiter, slash, element } = context;
  const urlPart = context.urlPart === "Value" ? "None" : context.urlPart;
  const attribute = /^(?:Custom|Mixed|Element)$/.test(context.attribute)
    ? "None"
    : context.attribute;
  const shown = element === "" ? "None" : element[0]?.toUpperCase() + element.slice(1);
  return `{state${state} delim${delimiter} urlPart${urlPart} jsCtx${slash} attr${attribute} ` +
    `element${shown} <nil>}`;
}

export function isComment(state: State): boolean {
  return state.endsWith("Cmt");
}

export function isScriptLiteral(state: State): boolean {
  return state === "JSDqStr" || state === "JSSqStr" || state === "JSTmplLit" ||
    state === "JSRegexp";
}

export function valueState(kind: AttributeKind): State {
  if (kind === "Style") return "CSS";
  if (kind === "Script") return "JS";
  return ["None", "ScriptType", "Custom", "Element"].includes(kind) ? "Attr" : kind as State;
}

/** The tag of a `script` after its first `type`, because browsers ignore a second one. */
export const typedScript = "Script";

/** The kinds whose filter also fits every longer name with the same beginning. */
const openKinds: readonly AttributeKind[] = ["Script", "Style", "URL", "Srcset", "Custom"];

/** Returns the context of an attribute whose name continues after an action or another text. */
export function continueName(context: Context): Context {
  if (openKinds.includes(context.attribute)) return context;
  const element = context.element === "script" ? typedScript : context.element;
  return { ...context, attribute: "Mixed", element };
}

/** Returns the context in which an action begins: white space before it has been skipped. */
export function nudge(context: Context): Context {
  switch (context.state) {
    case "Tag":
    case "AfterName":
      return { ...context, state: "AttrName", attribute: "None" };
    case "BeforeValue":
      return {
        ...context,
        state: valueState(context.attribute),
        delimiter: "SpaceOrTagEnd",
        attribute: "None",
      };
    default:
      return context;
  }
}

/** A part of a text, whose start is passed separately. */
export interface Piece {
  readonly source: string;
  readonly end: number;
}

export interface Moved {
  readonly context: Context;
  readonly at: number;
}

/** A start of a URL that contains a value, so it may be anything. */
const anyStart = "*";

const codeSchemes: readonly string[] = ["javascript:", "vbscript:", "livescript:", "mocha:"];

/** Reports whether a start of a URL is code, or a document that may contain code. */
function isCode(start: string): boolean {
  return codeSchemes.some((scheme) => start.startsWith(scheme)) ||
    (start.startsWith("data:") && start.includes(",") && !isInertData(start));
}

/** Reports whether the text that follows a URL's start decides whether it runs code. */
function isUndecided(start: string): boolean {
  return codeSchemes.some((scheme) => scheme.startsWith(start)) || "data:".startsWith(start) ||
    (start.startsWith("data:") && !start.includes(","));
}

function isInertData(start: string): boolean {
  return inertData.test(start) || /^data:(?:text\/plain)?[;,]/.test(start);
}

/** Reports whether a value here may choose the media type of a `data:` URL. */
export function isInDataType({ starts }: Context): boolean {
  return starts.some((start) => start.startsWith("data:"));
}

function startsOf({ state, urlPart, starts }: Context): readonly string[] {
  return state === "URL" && urlPart === "None" && starts.length === 0 ? [""] : starts;
}

/** Appends text to a URL's start, without what browsers skip: tabs, line breaks, leading space, a quote in `meta`. */
function joinStart(start: string, text: string): string {
  return (start + text.replaceAll(/[\t\n\r]/g, "")).replace(/^[\0- "']+/, "").toLowerCase();
}

export function afterUrlText(context: Context, text: string): Context {
  const { urlPart } = context;
  // A browser percent-decodes the content and runs the result.
  if (urlPart === "Script") return context;
  const before = startsOf(context);
  if (before.includes(anyStart) && /^[^#/:?]*:/.test(text)) {
    return faultContext("ErrAmbigContext", "the value before the colon may be any scheme of a URL");
  }
  // A URL in CSS has no starts: only its text is checked.
  const written = (urlPart === "None" && before.length === 0 ? [""] : before)
    .filter((start) => start !== anyStart).map((start) => joinStart(start, text));
  const isDocument = context.state === "URL";
  if (written.some((start) => isCode(start) && (isDocument || !start.startsWith("data:")))) {
    return { ...context, urlPart: "Script", starts: [] };
  }
  const isAny = before.includes(anyStart) && !/[#/?]/.test(text);
  const starts = context.state !== "URL" ? [] : [
    ...(isAny ? [anyStart] : []),
    ...new Set(written.filter(isUndecided)),
  ].sort();
  if (/[#?]/.test(text)) return { ...context, urlPart: "QueryOrFrag", starts };
  if ((urlPart === "None" || urlPart === "Value") && /[^\t\n\f\r ]/.test(text)) {
    return { ...context, urlPart: "PreQuery", starts };
  }
  return { ...context, starts };
}

export function afterUrlValue(context: Context): Context {
  const starts = startsOf(context);
  if (starts.length === 0) return context;
  return {
    ...context,
    urlPart: context.urlPart === "None" ? "Value" : context.urlPart,
    starts: [...new Set([...starts, anyStart])].sort(),
  };
}

/** Returns the context after two branches, or `undefined` if they end in different contexts. */
export function joinContexts(a: Context, b: Context): Context | undefined {
  if (a.state === "Error") return a;
  if (b.state === "Error") return b;
  if (a.state === "Dead") return b;
  if (b.state === "Dead" || isSame(a, b)) return a;
  if (a.element !== b.element && a.element.toLowerCase() === b.element.toLowerCase()) {
    return joinContexts({ ...a, element: typedScript }, { ...b, element: typedScript });
  }
  if (isSame({ ...a, urlPart: b.urlPart, starts: b.starts }, b)) return joinUrls(a, b);
  if (isSame({ ...a, slash: b.slash, parens: b.parens }, b)) {
    const slash = a.slash === b.slash ? a.slash : "Unknown";
    return { ...a, slash, parens: a.parens === b.parens ? a.parens : "" };
  }
  const kinds = [a.attribute, b.attribute];
  const isName = a.state === "AttrName" && isSame({ ...a, attribute: b.attribute }, b);
  if (isName && kinds.every((kind) => /^(?:None|Custom|Mixed)$/.test(kind))) {
    return { ...a, attribute: kinds.includes("Mixed") ? "Mixed" : "None" };
  }
  // `title={{if .x}}{{.y}}{{end}}` ends in a value in both branches.
  const [first, second] = [nudge(a), nudge(b)];
  if (first === a && second === b) return undefined;
  return joinContexts(first, second);
}

/** Returns the context after two branches that end in different parts of a URL. */
function joinUrls(a: Context, b: Context): Context {
  const both = [a, b];
  if (both.some(({ urlPart }) => urlPart === "Script")) {
    return { ...a, urlPart: "Script", starts: [] };
  }
  const starts = [...new Set(both.flatMap(startsOf))].sort();
  if (a.urlPart === b.urlPart) return { ...a, starts };
  const isStart = both.every(({ urlPart }) => urlPart === "None" || urlPart === "Value");
  return { ...a, urlPart: isStart ? "Value" : "Unknown", starts };
}
