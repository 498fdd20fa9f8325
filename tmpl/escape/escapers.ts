/** The functions that make a value safe in a context, and their place in an action's pipeline. */

import { type Context, isInDataType, type State } from "./context.ts";
import { escapeCss, filterCss } from "./css.ts";
import {
  escapeAttribute,
  escapeHtml,
  escapeRcdata,
  escapeUnquoted,
  filterElementName,
  filterName,
} from "./html.ts";
import { escapeJsRegexp, escapeJsString, escapeJsTemplate, escapeJsValue } from "./js.ts";
import {
  escapeSrcset,
  escapeUrl,
  filterAnimation,
  filterUrl,
  normalizeCssUrl,
  normalizeUrl,
} from "./url.ts";
import { builtIns } from "../run/functions.ts";
import type { PipeNode } from "../parse/nodes.ts";

export const escaperFunctions = {
  html: escapeHtml,
  attribute: escapeAttribute,
  rcdata: escapeRcdata,
  unquoted: escapeUnquoted,
  name: filterName,
  elementName: filterElementName,
  // Comments are not sent.
  comment: (): string => "",
  css: escapeCss,
  cssUrl: normalizeCssUrl,
  cssValue: filterCss,
  jsValue: escapeJsValue,
  jsString: escapeJsString,
  jsTemplate: escapeJsTemplate,
  jsRegexp: escapeJsRegexp,
  urlFilter: filterUrl,
  urlNormalize: normalizeUrl,
  url: escapeUrl,
  srcset: escapeSrcset,
  animation: filterAnimation,
  srcdoc: escapeHtml,
  // Predefined functions that replace the contextual ones when a template calls them.
  "{{html}}": (value: unknown) => builtIns.get("html")?.run([value]),
  "{{urlquery}}": (value: unknown) => builtIns.get("urlquery")?.run([value]),
} as const;

export type EscaperName = keyof typeof escaperFunctions;

export interface Plan {
  readonly commands: number;
  /** Whether the first command is a predefined function, whose arguments are only joined. */
  readonly joinsArguments: boolean;
  /** The functions that follow; the last one returns the text. */
  readonly steps: readonly EscaperName[];
}

/** Returns the functions for a context; `undefined` if it is ambiguous. */
export function escapersOf(context: Context): readonly EscaperName[] | undefined {
  const inner = innerEscapers(context);
  if (inner === undefined) return undefined;
  if (context.delimiter === "None") return inner;
  return [...inner, context.delimiter === "SpaceOrTagEnd" ? "unquoted" : "attribute"];
}

/** The functions for states that need only one set. Values in unlisted states are dropped. */
const byState: Readonly<Partial<Record<State, readonly EscaperName[]>>> = {
  JS: ["jsValue"],
  JSDqStr: ["jsString"],
  JSSqStr: ["jsString"],
  JSTmplLit: ["jsTemplate"],
  JSRegexp: ["jsRegexp"],
  CSS: ["cssValue"],
  Text: ["html"],
  RawText: ["html"],
  RCDATA: ["rcdata"],
  Attr: [],
  AttrName: ["name"],
  Tag: ["name"],
  Srcset: ["srcset"],
};

function innerEscapers(context: Context): readonly EscaperName[] | undefined {
  const { state, urlPart, starts } = context;
  if (state === "Mixed") return undefined;
  if (state === "MetaContent") return urlPart === "Unknown" ? undefined : [];
  if (state === "Animation") return urlPart === "Unknown" ? undefined : ["animation"];
  if (state === "Srcdoc") return urlPart === "Unknown" ? undefined : ["srcdoc"];
  const isCssText = state === "CSSDqStr" || state === "CSSSqStr";
  if (!isCssText && !state.endsWith("URL")) return byState[state] ?? ["comment"];
  if (state === "URL" && isInDataType(context)) return undefined;
  const normalize = isCssText ? "css" : state === "URL" ? "urlNormalize" : "cssUrl";
  switch (urlPart) {
    case "None":
    case "Value":
      return ["urlFilter", normalize];
    case "PreQuery":
      // The text so far may be the start of a scheme that runs code: `java{{.}}`.
      return state === "URL" && starts.length > 0 ? ["urlFilter", normalize] : [normalize];
    case "QueryOrFrag":
      return ["url"];
    case "Script":
    case "Unknown":
      return undefined;
  }
}

const equivalents: Readonly<Partial<Record<EscaperName, EscaperName>>> = {
  attribute: "{{html}}",
  html: "{{html}}",
  rcdata: "{{html}}",
  url: "{{urlquery}}",
  urlNormalize: "{{urlquery}}",
  cssUrl: "{{urlquery}}",
};

/** The functions that change nothing after a given one. */
const redundant: Readonly<Partial<Record<EscaperName, readonly EscaperName[]>>> = {
  comment: ["attribute", "unquoted", "html"],
  css: ["attribute"],
  jsRegexp: ["attribute"],
  jsString: ["attribute"],
  jsTemplate: ["attribute"],
  url: ["urlNormalize"],
};

/** Appends the contextual functions to a pipeline; a predefined one at its end replaces them. */
export function planPipeline(pipe: PipeNode, names: readonly EscaperName[]): Plan {
  const { commands } = pipe;
  const last = commands.at(-1)?.args ?? [];
  const first = last[0]?.kind === "name" ? last[0].name : "";
  if ((first !== "html" && first !== "urlquery") || names.length === 0) {
    return { commands: commands.length, joinsArguments: false, steps: dropRedundant(names) };
  }
  const written = `{{${first}}}` as const;
  const joinsArguments = commands.length === 1 && last.length > 1;
  const steps = names.some((name) => equivalents[name] === written)
    ? names.map((name) => equivalents[name] === written ? written : name)
    : [written, ...names];
  // Without arguments, the predefined function becomes a step instead of a command.
  const count = commands.length - (joinsArguments ? 0 : 1);
  return { commands: count, joinsArguments, steps: dropRedundant(steps) };
}

function dropRedundant(steps: readonly EscaperName[]): readonly EscaperName[] {
  const kept: EscaperName[] = [];
  for (const step of steps) {
    const last = kept.at(-1);
    if (last === undefined || redundant[last]?.includes(step) !== true) kept.push(step);
  }
  return kept;
}
