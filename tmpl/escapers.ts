/** Which functions make a value safe in a context, and how they join the pipeline of an action. */

import type { Context } from "./context.ts";
import { escapeCss, filterCss } from "./escape_css.ts";
import {
  dropValue,
  escapeAttribute,
  escapeHtml,
  escapeRcdata,
  escapeSrcdoc,
  escapeUnquoted,
  filterName,
} from "./escape_html.ts";
import { escapeJsRegexp, escapeJsString, escapeJsTemplate, escapeJsValue } from "./escape_js.ts";
import { escapeSrcset, escapeUrl, filterAnimation, filterUrl, normalizeUrl } from "./escape_url.ts";
import type { PipeNode } from "./nodes.ts";

/** The functions of this package. */
export const escaperFunctions = {
  html: escapeHtml,
  attribute: escapeAttribute,
  rcdata: escapeRcdata,
  unquoted: escapeUnquoted,
  name: filterName,
  comment: dropValue,
  css: escapeCss,
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
  srcdoc: escapeSrcdoc,
} as const;

/** The name of a function of this package. */
export type EscaperName = keyof typeof escaperFunctions;

/** The name of a function of the language that escapes. */
export type PredefinedName = "html" | "urlquery";

/** One function behind a pipeline. */
export type PlanStep =
  | { readonly kind: "own"; readonly name: EscaperName }
  | { readonly kind: "predefined"; readonly name: PredefinedName };

/** How the value of an action is written. */
export interface Plan {
  /** How many commands of the pipeline are run. */
  readonly commands: number;
  /** Whether the first one is a predefined function whose arguments are only joined. */
  readonly joinsArguments: boolean;
  /** The functions behind it, the last of which gives the text. */
  readonly steps: readonly PlanStep[];
}

/** The functions for a context; `undefined` where it is ambiguous. */
export function escapersOf(context: Context): readonly EscaperName[] | undefined {
  const inner = innerEscapers(context);
  if (inner === undefined) return undefined;
  switch (context.delimiter) {
    case "None":
      return inner;
    case "SpaceOrTagEnd":
      return [...inner, "unquoted"];
    default:
      return [...inner, "attribute"];
  }
}

function innerEscapers(context: Context): readonly EscaperName[] | undefined {
  switch (context.state) {
    case "URL":
    case "CSSDqStr":
    case "CSSSqStr":
    case "CSSDqURL":
    case "CSSSqURL":
    case "CSSURL":
      return urlEscapers(context);
    case "JS":
      return ["jsValue"];
    case "JSDqStr":
    case "JSSqStr":
      return ["jsString"];
    case "JSTmplLit":
      return ["jsTemplate"];
    case "JSRegexp":
      return ["jsRegexp"];
    case "CSS":
      return ["cssValue"];
    case "Text":
    case "RawText":
      return ["html"];
    case "RCDATA":
      return ["rcdata"];
    case "Attr":
      return [];
    case "MetaContent":
      return context.urlPart === "Unknown" ? undefined : [];
    case "Animation":
      return ["animation"];
    case "AttrName":
    case "Tag":
      return ["name"];
    case "Srcset":
      return ["srcset"];
    case "Srcdoc":
      return context.urlPart === "Unknown" ? undefined : ["srcdoc"];
    default:
      return ["comment"];
  }
}

function urlEscapers({ state, urlPart }: Context): readonly EscaperName[] | undefined {
  const isCssText = state === "CSSDqStr" || state === "CSSSqStr";
  switch (urlPart) {
    case "None":
    case "Value":
      return ["urlFilter", isCssText ? "css" : "urlNormalize"];
    case "PreQuery":
      return [isCssText ? "css" : "urlNormalize"];
    case "QueryOrFrag":
      return ["url"];
    case "Unknown":
      return undefined;
  }
}

/** Which function of the language does the work of one of this package. */
const equivalents: Readonly<Partial<Record<EscaperName, PredefinedName>>> = {
  attribute: "html",
  html: "html",
  rcdata: "html",
  url: "urlquery",
  urlNormalize: "urlquery",
};

/** Behind which function another one changes nothing. */
const redundant: Readonly<Partial<Record<EscaperName, readonly EscaperName[]>>> = {
  comment: ["attribute", "unquoted", "html"],
  css: ["attribute"],
  jsRegexp: ["attribute"],
  jsString: ["attribute"],
  jsTemplate: ["attribute"],
  url: ["urlNormalize"],
};

/** Joins a pipeline with the functions for its context; a predefined one at its end takes their place. */
export function planPipeline(pipe: PipeNode, names: readonly EscaperName[]): Plan {
  const { commands } = pipe;
  const last = commands.at(-1)?.args ?? [];
  const first = last[0];
  const predefined = first?.kind === "name" && (first.name === "html" || first.name === "urlquery")
    ? first.name
    : undefined;
  if (predefined === undefined || names.length === 0) {
    return { commands: commands.length, joinsArguments: false, steps: withoutRedundant(names) };
  }
  const joinsArguments = commands.length === 1 && last.length > 1;
  const isEquivalent = names.some((name) => equivalents[name] === predefined);
  // `{{html}}` alone has nothing before it.
  const own = commands.length - (joinsArguments ? 0 : 1);
  const before: PlanStep[] = isEquivalent ? [] : [{ kind: "predefined", name: predefined }];
  const steps: PlanStep[] = names
    .filter((name) => isEquivalent || equivalents[name] !== predefined)
    .map((name) =>
      equivalents[name] === predefined ? { kind: "predefined", name: predefined } : {
        kind: "own",
        name,
      }
    );
  return { commands: own, joinsArguments, steps: dropRedundant([...before, ...steps]) };
}

function withoutRedundant(names: readonly EscaperName[]): readonly PlanStep[] {
  return dropRedundant(names.map((name) => ({ kind: "own", name })));
}

function dropRedundant(steps: readonly PlanStep[]): readonly PlanStep[] {
  const kept: PlanStep[] = [];
  for (const step of steps) {
    const last = kept.at(-1);
    const isRedundant = last?.kind === "own" && step.kind === "own" &&
      redundant[last.name]?.includes(step.name);
    if (isRedundant !== true) kept.push(step);
  }
  return kept;
}
