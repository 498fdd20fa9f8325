import {
  attributeOf,
  scanMarkup,
  type ScannedMark,
  type ScannedTag,
} from "../../html/document_scan.ts";
import { isVoid } from "../../html/names.ts";
import { findNearest } from "../base/diagnose/nearest.ts";
import type { Env } from "../base/env.ts";
import type { Logger } from "../base/observe/logger.ts";
import type { StaticFiles } from "../serve/static/files.ts";

/** Maximum number of faults, of either check, that are remembered, to report each once. */
const maxReported = 100;

export type MarkupCheck = (route: string, html: string) => void;

/**
 * Creates the check that reports in development, once for each route, an element that stands where the
 * attribute of the same name was meant, and an attribute that its element does not have. Returns
 * `undefined` in production.
 */
export function createMarkupCheck(
  { env, log }: { readonly env: Env; readonly log: Logger },
): MarkupCheck | undefined {
  if (env !== "dev") return undefined;
  const reported = new Set<string>();
  const check: MarkupCheck = (route, html) => {
    for (const { message, fix } of findMisplaced(html)) {
      const key = `${route}\n${message}`;
      if (reported.has(key) || reported.size >= maxReported) continue;
      reported.add(key);
      log.warn(message, { route, fix });
    }
  };
  // The page does not wait for it (`bench/start`).
  return (route, html) => queueMicrotask(() => check(route, html));
}

interface Misplaced {
  readonly message: string;
  readonly fix: string;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const bodyElements = setOf(
  "a abbr address article aside b bdi bdo blockquote body button caption cite code dd del details " +
    "dfn dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup " +
    "i ins kbd label legend li main mark menu meter nav ol optgroup option output p pre progress q s " +
    "samp search section select small span strong sub summary sup table tbody td tfoot th thead time " +
    "tr u ul var",
);

/** Controls that take a `form` attribute and can hold no form. */
const controls = setOf("button label meter object option output progress select");

const labelable = setOf("button input meter output progress select textarea");

/** Attributes that mean something on these elements alone. */
const owners: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["href", setOf("a area base link")],
  ["src", setOf("audio embed frame iframe img input script source track video")],
  ["srcset", setOf("img source")],
  ["action", setOf("form")],
  ["method", setOf("form")],
  ["for", setOf("label output script")],
  ["colspan", setOf("td th")],
  ["rowspan", setOf("td th")],
]);

export function findMisplaced(html: string): readonly Misplaced[] {
  const found: Misplaced[] = [];
  const open: string[] = [];
  // The place in `open` of a label that has shown no control.
  let emptyLabel: number | undefined;
  for (const token of scanMarkup(html)) {
    if (!("attributes" in token)) {
      const at = closedAt(open, token);
      if (at === undefined) continue;
      open.length = at;
      if (emptyLabel === undefined || at > emptyLabel) continue;
      if (at === emptyLabel) found.push(labelOfNothing);
      emptyLabel = undefined;
      continue;
    }
    const { name } = token;
    if (labelable.has(name) || name.includes("-")) emptyLabel = undefined;
    // SVG and MathML have elements and attributes of these names of their own.
    if (!open.includes("svg") && !open.includes("math")) {
      found.push(...misplacedIn(token, open.at(-1)));
      const isFree = name === "label" && attributeOf(token, "for") === undefined;
      if (isFree) emptyLabel = open.length;
    }
    if (!isVoid(name) && !/\/>$/.test(html.slice(token.end - 2, token.end))) open.push(name);
  }
  return found;
}

function closedAt(open: readonly string[], { ends }: ScannedMark): number | undefined {
  const at = ends === undefined ? -1 : open.lastIndexOf(ends);
  return at < 0 ? undefined : at;
}

const labelOfNothing: Misplaced = {
  message: 'A "label" element has no control: no "for", and none in it',
  fix: `name the control with for, or put it into the label; ${forAttribute("label")}`,
};

function forAttribute(name: string): string {
  return `for the attribute write ${name}Attr(…), in a template or JSX ${name}="…"`;
}

function* misplacedIn(tag: ScannedTag, parent: string | undefined): Generator<Misplaced> {
  const { name, code, attributes } = tag;
  const isMisplaced = parent !== undefined &&
    (name === "title" && bodyElements.has(parent) || name === "form" && controls.has(parent));
  if (isMisplaced) {
    yield { message: `A "${name}" element stands in a "${parent}"`, fix: forAttribute(name) };
  }
  // A style sheet has a rule or an at-rule.
  if (name === "style" && code !== undefined && /\S/.test(code) && !/[{@]/.test(code)) {
    yield {
      message: 'A "style" element holds declarations without a rule',
      fix: forAttribute("style"),
    };
  }
  if (name.includes("-") || name === "svg" || name === "math") return;
  for (const { name: attribute } of attributes) {
    const takers = owners.get(attribute);
    if (takers === undefined || takers.has(name)) continue;
    yield {
      message: `The attribute "${attribute}" means nothing on a "${name}" element`,
      fix: `set it on ${[...takers].join(", ")}, or use a data attribute`,
    };
  }
}

/** The files that `fw ui` writes. */
const kitFile = /^\/(?:ui(?:\.[a-z]+)*\.(?:css|js)|passkeys\.js)$/;

/**
 * Creates the check that reports in development, once for each name, that `c.asset` was called with the
 * name of a file that does not exist: the page would ask for it and get a 404.
 */
export function createAssetCheck(
  options: {
    readonly files: StaticFiles | undefined;
    readonly log: Logger;
  },
): (name: string) => void {
  const { files, log } = options;
  const reported = new Set<string>();
  return (name) => {
    const path = name.replace(/[?#].*$/, "");
    if (reported.has(path) || reported.size >= maxReported || files?.has(path)) return;
    reported.add(path);
    log.warn(`Cannot find the asset "${path}": public${path} does not exist`, {
      fix: fixOf(path, [...files?.list().files.keys() ?? []]),
    });
  };
}

function fixOf(path: string, names: readonly string[]): string {
  const option = path === "/passkeys.js" ? " --passkeys" : "";
  if (kitFile.test(path)) {
    return `run \`deno task ui${option}\`, which writes the files of the component kit to public/`;
  }
  const near = findNearest(path, names);
  return near === undefined
    ? "create the file, or correct the name"
    : `did you mean "${near}"? Correct the name, or create the file`;
}
