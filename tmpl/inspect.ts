/** What templates read from their data, found without running them: for checks before an app starts. */

import { placeOf, type Source, TemplateError } from "./error.ts";
import { type BoundFunction, builtIns, parseSettings } from "./functions.ts";
import type { Delimiters } from "./lexer.ts";
import { loaderOf, type TemplateSource } from "./must.ts";
import {
  callsIn,
  type CommandNode,
  type ListNode,
  type Node,
  type Operand,
  type PipeNode,
  type Tree,
} from "./nodes.ts";
import { parseTrees } from "./parser.ts";
import { checkContexts } from "./templates.ts";

/** A place in a source. */
export interface TemplatePlace {
  /** The name of the source. */
  readonly template: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** A member of the data that a template reads; `.a.b` reads two. */
export interface MemberUse extends TemplatePlace {
  /** The names from the data on; `[]` stands for each element of a list or a map. */
  readonly path: readonly string[];
}

/** A call of a template that the sources do not define: a slot, or a name that is misspelt. */
export interface MissingTemplate extends TemplatePlace {
  /** The name. */
  readonly name: string;
}

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
  /** The names of the templates. */
  readonly names: readonly string[];
  /** What is wrong: sources that cannot be parsed, and templates that cannot be escaped. */
  readonly faults: readonly TemplateError[];
  /** The calls of templates that are not there. */
  readonly missing: readonly MissingTemplate[];
  /** Returns what a template and those that it calls read from its data; nothing for an unknown one. */
  readonly membersOf: (name: string) => readonly MemberUse[];
}

/**
 * Parses and escapes templates without running them, and lists what they read from their data as far
 * as their text tells.
 *
 * @param source A folder, or the sources by name.
 * @param options How they are read.
 * @returns What was found.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inspectTemplates } from "@fw/fw/tmpl";
 *
 * const { faults, membersOf } = inspectTemplates({ "a.html": "{{range .list}}{{.name}}{{end}}" });
 * assertEquals(faults, []);
 * assertEquals(membersOf("a.html").map(({ path }) => path.join(".")), ["list", "list.[].name"]);
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
  return {
    names: [...trees.keys()],
    faults,
    missing: [...trees.values()].flatMap((tree) => missingIn(tree, trees)),
    membersOf: (name) => new Walk(trees).members(name),
  };
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

function missingIn(
  { root, source }: Tree,
  trees: ReadonlyMap<string, Tree>,
): readonly MissingTemplate[] {
  return callsIn(root).filter(({ name }) => !trees.has(name))
    .map(({ name, at }) => ({ name, template: source.name, ...placeOf(source.text, at) }));
}

/** Where a value comes from: names from the data on; `undefined` for what was computed. */
type Origin = readonly string[] | undefined;

class Walk {
  readonly #trees: ReadonlyMap<string, Tree>;
  readonly #found: MemberUse[] = [];
  readonly #done = new Set<string>();
  #source: Source | undefined;
  #variables: [name: string, origin: Origin][] = [];

  constructor(trees: ReadonlyMap<string, Tree>) {
    this.#trees = trees;
  }

  members(name: string): readonly MemberUse[] {
    this.#template(name, []);
    return this.#found;
  }

  #template(name: string, origin: Origin): void {
    const tree = this.#trees.get(name);
    const key = `${name}\0${origin?.join(".")}`;
    if (tree === undefined || origin === undefined || this.#done.has(key)) return;
    this.#done.add(key);
    const [source, variables] = [this.#source, this.#variables];
    this.#source = tree.source;
    this.#variables = [["$", origin]];
    this.#list(tree.root, origin);
    [this.#source, this.#variables] = [source, variables];
  }

  #list(list: ListNode | undefined, dot: Origin): void {
    for (const node of list?.nodes ?? []) this.#node(node, dot);
  }

  #node(node: Node, dot: Origin): void {
    switch (node.kind) {
      case "action":
        this.#pipe(node.pipe, dot);
        return;
      case "template": {
        const origin = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot);
        return this.#template(node.name, origin);
      }
      case "if":
      case "with":
      case "range": {
        const count = this.#variables.length;
        const value = this.#pipe(node.pipe, dot, node.kind === "range");
        const inner = node.kind === "range" ? elementOf(value) : node.kind === "with" ? value : dot;
        this.#list(node.list, inner);
        this.#list(node.elseList, dot);
        this.#variables.length = count;
      }
    }
  }

  #pipe(pipe: PipeNode, dot: Origin, isRange = false): Origin {
    let origin: Origin;
    for (const [index, command] of pipe.commands.entries()) {
      const own = this.#command(command, dot);
      origin = index === 0 ? own : undefined;
    }
    const [first, second] = pipe.variables;
    if (first === undefined) return origin;
    const value = isRange ? elementOf(origin) : origin;
    if (second !== undefined) this.#variables.push([first, undefined]);
    // What is assigned later may be another value.
    this.#variables.push([second ?? first, pipe.isAssign ? undefined : value]);
    return origin;
  }

  #command({ args }: CommandNode, dot: Origin): Origin {
    const origins = args.map((arg) => this.#operand(arg, dot));
    return args.length === 1 && args[0]?.kind !== "name" ? origins[0] : undefined;
  }

  #operand(operand: Operand, dot: Origin): Origin {
    switch (operand.kind) {
      case "dot":
        return dot;
      case "field":
        return this.#read(operand, dot);
      case "variable": {
        const known = this.#variables.findLast(([name]) => name === operand.name);
        return this.#read(operand, known?.[1]);
      }
      case "chain":
        return this.#read(operand, this.#operand(operand.base, dot));
      case "pipe":
        return this.#pipe(operand, dot);
      default:
        return undefined;
    }
  }

  #read(
    operand: { readonly kind: string; readonly path: readonly string[]; readonly at: number },
    base: Origin,
  ): Origin {
    if (base === undefined || this.#source === undefined) return base;
    const { name: template, text } = this.#source;
    const [first = "", second] = operand.path;
    // The place of a field with more than one name is that of the second.
    let at = operand.at;
    if (operand.kind === "field" && second !== undefined) at -= first.length + 1;
    let path = base;
    for (const name of operand.path) {
      path = [...path, name];
      this.#found.push({ path, template, ...placeOf(text, at) });
      at += name.length + 1;
    }
    return path;
  }
}

function elementOf(origin: Origin): Origin {
  return origin === undefined ? undefined : [...origin, "[]"];
}
