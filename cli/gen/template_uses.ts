/**
 * Finds what templates read from their data, and the templates that they call, in their syntax trees.
 *
 * @module
 */
import {
  callsIn,
  type CommandNode,
  type ListNode,
  type Node,
  type Operand,
  type PipeNode,
  placeOf,
  type Source,
  type Tree,
} from "@fw/fw/tmpl/syntax";

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

/** Lists the calls of templates that are not there. */
export function findMissing(trees: ReadonlyMap<string, Tree>): readonly MissingTemplate[] {
  return [...trees.values()].flatMap(({ root, source }) =>
    callsIn(root).filter(({ name }) => !trees.has(name))
      .map(({ name, at }) => ({ name, template: source.name, ...placeOf(source.text, at) }))
  );
}

/**
 * Lists what a template and those that it calls read from its data, as far as their text tells; nothing for
 * an unknown template.
 */
export function findMembers(
  trees: ReadonlyMap<string, Tree>,
  name: string,
): readonly MemberUse[] {
  return new Walk(trees).members(name);
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
