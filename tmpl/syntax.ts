/**
 * Templates for tools: their faults and their syntax trees, without running an app.
 *
 * ```ts
 * import { inspectTemplates } from "@fw/fw/tmpl/syntax";
 *
 * const { faults } = inspectTemplates({ "a.html": '<a href="{{.url}}">{{.title}}' });
 * console.assert(faults.length === 0);
 * ```
 *
 * @module
 */

import { placeOf, TemplateError } from "./error.ts";
import { type BoundFunction, builtIns, parseSettings } from "./run/functions.ts";
import type { Delimiters } from "./parse/lexer.ts";
import { loaderOf, type TemplateSource } from "./must.ts";
import { callsIn, type Tree } from "./parse/nodes.ts";
import { parseTrees } from "./parse/parser.ts";
import { checkContexts } from "./templates.ts";

export type { Source, TemplateErrorCode, TemplateFault } from "./error.ts";
export type * from "./parse/nodes.ts";
export type { Delimiters, TemplateSource };
export { callsIn, placeOf, TemplateError };

/** How templates are inspected. */
export interface InspectOptions {
  /** Globs that pick among the names, as those of `must`. @default the endings of templates */
  readonly patterns?: readonly string[];
  /** What encloses an action. @default { left: "{{", right: "}}" } */
  readonly delimiters?: Delimiters;
  /**
   * The functions of the app, with the least number of arguments of each.
   *
   * @default any name is a function
   */
  readonly functions?: Readonly<Record<string, number>>;
}

/** What was found in a set of sources. */
export interface Inspection {
  /** What is wrong: sources that cannot be parsed, and templates that cannot be escaped. */
  readonly faults: readonly TemplateError[];
  /** The syntax trees by the name of their template. */
  readonly trees: ReadonlyMap<string, Tree>;
}

/**
 * Parses and escapes templates without running them.
 *
 * @param source A folder, or the sources by name.
 * @param options How they are read.
 * @returns What was found.
 * @throws {TypeError} where nothing matches, or the folder cannot be read.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inspectTemplates } from "@fw/fw/tmpl/syntax";
 *
 * const { faults, trees } = inspectTemplates({ "a.html": "{{range .list}}{{.name}}{{end}}" });
 * assertEquals(faults, []);
 * assertEquals(trees.get("a.html")?.root.nodes.map(({ kind }) => kind), ["range"]);
 * ```
 */
export function inspectTemplates(
  source: TemplateSource,
  options: InspectOptions = {},
): Inspection {
  const { delimiters, functions, patterns = [] } = options;
  const trees = new Map<string, Tree>();
  const faults: TemplateError[] = [];
  const note = (error: unknown): void => {
    if (!(error instanceof TemplateError)) throw error;
    faults.push(error);
  };
  const settings = parseSettings(knownFunctions(functions), delimiters);
  const isRecord = typeof source === "object" && !(source instanceof URL);
  for (
    const each of loaderOf(source, isRecord && patterns.length === 0 ? ["**"] : patterns).load()
  ) {
    try {
      for (const [name, tree] of parseTrees(each, settings)) trees.set(name, tree);
    } catch (error) {
      note(error);
    }
  }
  if (faults.length === 0) checkContexts(trees, note);
  return { faults, trees };
}

/** Returns the functions of the language and the app's; `undefined` for any. */
function knownFunctions(
  functions: InspectOptions["functions"],
): ReadonlyMap<string, BoundFunction> | undefined {
  if (functions === undefined) return undefined;
  const known = new Map(builtIns);
  for (const [name, least] of Object.entries(functions)) {
    known.set(name, { name, least, most: Infinity, params: [], rest: "any", run: () => undefined });
  }
  return known;
}
