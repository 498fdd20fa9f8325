/** Sets of templates: parsed once, then escaped and compiled at their first use. */

import { compileTree, type Render } from "./run/compile.ts";
import { type Source, TemplateError } from "./error.ts";
import { escapeTree } from "./escape/escaper.ts";
import {
  bindFunctions,
  type BoundFunction,
  parseSettings,
  type TemplateFunction,
} from "./run/functions.ts";
import type { MissingKey } from "./run/members.ts";
import type { Delimiters } from "./parse/lexer.ts";
import { callsIn, isEmptyTree, type Tree } from "./parse/nodes.ts";
import { parseTrees } from "./parse/parser.ts";

/** Options for parsing templates. */
export interface TemplateOptions {
  /** Functions that the templates may call, by name. @default only the predefined functions */
  readonly funcs?: Readonly<Record<string, TemplateFunction>>;
  /** Delimiters of actions. @default { left: "{{", right: "}}" } */
  readonly delimiters?: Delimiters;
  /** Treatment of a missing key of a record: empty, or an error. @default "empty" */
  readonly missingKey?: MissingKey;
}

/** A set of templates that call one another by name. */
export interface Templates {
  /** The names of all templates: the sources and the templates that they define. */
  readonly names: readonly string[];
}

export type Mode = "html" | "text";

export class TemplateSet implements Templates {
  readonly #functions: ReadonlyMap<string, BoundFunction>;
  readonly #options: TemplateOptions;
  #trees: ReadonlyMap<string, Tree>;
  readonly #renders: Record<Mode, Map<string, Render>> = { html: new Map(), text: new Map() };
  isExecuted = false;

  constructor(sources: readonly Source[], options: TemplateOptions) {
    this.#functions = bindFunctions(options.funcs ?? {});
    this.#options = options;
    const settings = parseSettings(this.#functions, options.delimiters);
    if (settings.delimiters.left === "" || settings.delimiters.right === "") {
      throw new TypeError(`Cannot set the delimiters: one is empty; give both a text.`);
    }
    const trees = new Map<string, Tree>();
    for (const source of sources) {
      for (const [name, tree] of parseTrees(source, settings)) {
        // An empty template does not replace one with content, as in Go.
        if (!trees.has(name) || !isEmptyTree(tree.root)) trees.set(name, tree);
      }
    }
    this.#trees = trees;
  }

  get names(): readonly string[] {
    return [...this.#trees.keys()];
  }

  sourceOf(name: string): Source | undefined {
    return this.#trees.get(name)?.source;
  }

  with(tree: Tree): TemplateSet {
    const set = new TemplateSet([], this.#options);
    set.#trees = new Map(this.#trees).set(tree.name, tree);
    return set;
  }

  render(name: string, mode: Mode): Render {
    this.isExecuted = true;
    return this.#renders[mode].get(name) ?? this.#compile(name, mode);
  }

  #compile(name: string, mode: Mode): Render {
    if (!this.#trees.has(name)) {
      throw new TemplateError({
        code: "ErrNoSuchTemplate",
        description: `${JSON.stringify(name)} is undefined`,
        fix: `write one of ${[...this.#trees.keys()].slice(0, 20).join(", ") || "(no template)"}`,
        source: undefined,
        at: 0,
      });
    }
    checkMode(name, mode);
    const escaped = mode === "html"
      ? escapeTree(this.#trees, name)
      : { trees: this.#trees, actions: new Map(), calls: new Map(), texts: new Map() };
    const { missingKey = "empty" } = this.#options;
    const render = compileTree(escaped, name, { functions: this.#functions, missingKey });
    this.#renders[mode].set(name, render);
    return render;
  }

  /**
   * Escapes the templates that no other calls; called ones may be valid only in their callers.
   *
   * @throws {TemplateError} for the first faulty template.
   */
  check(): void {
    const trees = this.#trees;
    const called = new Set(
      [...trees.values()].flatMap(({ root }) => callsIn(root)).map(({ name }) => name),
    );
    for (const [name, { source, root }] of trees) {
      if (called.has(name) || isText(source.name) || isEmptyTree(root)) continue;
      // A missing template is not an error yet, because it may be the slot of a shell.
      escapeTree(trees, name, { skipsMissing: true });
    }
  }
}

/** Refuses to render plain text as HTML, and HTML without escaping. */
function checkMode(name: string, mode: Mode): void {
  if (mode === "text" && /\.(?:html?|gohtml)(?:\.\w+)?$/i.test(name)) {
    throw new TypeError(
      `Cannot render "${name}" as plain text: its name says HTML; ` +
        "use node, whose render() returns the HTML of a mail.",
    );
  }
  if (mode === "html" && isText(name)) {
    throw new TypeError(
      `Cannot render "${name}" as HTML: its name says plain text; use text.`,
    );
  }
}

/** Reports whether a file name means plain text, for example `mail.txt` or `mail.txt.tmpl`. */
function isText(name: string): boolean {
  return /\.(?:txt|text)(?:\.\w+)?$/i.test(name);
}

export function setOf(templates: Templates): TemplateSet {
  if (templates instanceof TemplateSet) return templates;
  throw new TypeError("Cannot use the templates: pass the result of parse or must.");
}

/**
 * Parses one source. Templates that are rendered often are parsed once, at the top of a module.
 *
 * @param text The text; its `define` and `block` templates belong to the set.
 * @param options The name of the template, and parsing options.
 * @returns The set.
 * @throws {TemplateError} if the text is not a valid template.
 * @throws {TypeError} for a function that cannot be called.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { node, parse } from "@fw/fw/tmpl";
 *
 * const list = parse("<ul>{{range .}}<li>{{.}}{{end}}</ul>", { name: "list.html" });
 * const html = node(list, "list.html", ["<a>", "b"]).render();
 * assertEquals(html, "<ul><li>&lt;a&gt;<li>b</ul>");
 * ```
 */
export function parse(
  text: string,
  options: TemplateOptions & {
    /** The name of the template. */
    readonly name: string;
  },
): Templates {
  return new TemplateSet([{ name: options.name, text, file: undefined }], options);
}
