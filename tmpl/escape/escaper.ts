/**
 * Finds the context of every action of a template and of the templates it calls, which decides how
 * each value is escaped. A template called in two contexts is escaped twice, as two templates.
 */

import {
  afterUrlValue,
  type Context,
  contextText,
  continueName,
  deadContext,
  faultContext,
  isSame,
  joinContexts,
  nameIn,
  nudge,
  parensStart,
  type State,
  textContext,
} from "./context.ts";
import { TemplateError, type TemplateErrorCode } from "../error.ts";
import { type EscaperName, escapersOf, planPipeline } from "./escapers.ts";
import { editText } from "./edit_text.ts";
import { type Escaped, Findings } from "./findings.ts";
import type {
  ActionNode,
  BranchNode,
  JumpNode,
  ListNode,
  Node,
  TemplateNode,
  TextNode,
  Tree,
} from "../parse/nodes.ts";

/** Escapes a template. @throws {TemplateError} with a code of Go's `html/template`. */
export function escapeTree(
  trees: ReadonlyMap<string, Tree>,
  name: string,
  { skipsMissing } = { skipsMissing: false },
): Escaped {
  return new Escaper(trees, skipsMissing).run(name);
}

interface Loop {
  readonly breaks: [JumpNode, Context][];
  readonly continues: [JumpNode, Context][];
}

class Escaper {
  #found = new Findings();
  #loop: Loop | undefined;
  /** The tree being read, for the positions of faults. */
  #tree: Tree | undefined;
  readonly #faultTrees = new Map<object, Tree | undefined>();

  readonly #skipsMissing: boolean;

  constructor(trees: ReadonlyMap<string, Tree>, skipsMissing: boolean) {
    this.#skipsMissing = skipsMissing;
    for (const [name, tree] of trees) this.#found.trees.set(name, tree);
  }

  run(name: string): Escaped {
    const context = this.#call(textContext, name, 0).context;
    if (context.state === "Text") return this.#found;
    const tree = (context.fault && this.#faultTrees.get(context.fault)) ??
      this.#found.trees.get(name);
    const { code, description, at = 0 } = context.fault ?? {
      code: "ErrEndContext",
      description: `ends in a non-text context: ${contextText(context)}`,
      at: tree?.source.text.length,
    };
    const fix = fixes[code] ?? "correct the template";
    throw new TemplateError({ code, description, fix, source: tree?.source, at });
  }

  #fault(code: TemplateErrorCode, description: string, at: number): Context {
    return this.#placed(faultContext(code, description, at));
  }

  #placed(context: Context): Context {
    if (context.fault !== undefined && !this.#faultTrees.has(context.fault)) {
      this.#faultTrees.set(context.fault, this.#tree);
    }
    return context;
  }

  #list(context: Context, list: ListNode | undefined): Context {
    let here = context;
    for (const node of list?.nodes ?? []) {
      here = this.#node(here, node);
      if (here.state === "Dead") break;
    }
    return here;
  }

  #node(context: Context, node: Node): Context {
    switch (node.kind) {
      case "text":
        return this.#text(context, node);
      case "action":
        return this.#action(context, node);
      case "break":
        this.#loop?.breaks.push([node, context]);
        return deadContext;
      case "continue":
        this.#loop?.continues.push([node, context]);
        return deadContext;
      case "template":
        return this.#template(context, node);
      default:
        return this.#branch(context, node);
    }
  }

  #text(context: Context, node: TextNode): Context {
    const { context: after, text } = editText(context, node.text);
    if (text !== undefined) this.#found.texts.set(node, text);
    const { fault } = after;
    if (fault === undefined || this.#faultTrees.has(fault)) return after;
    return this.#placed({ ...after, fault: { ...fault, at: node.at + (fault.at ?? 0) } });
  }

  #action(context: Context, node: ActionNode): Context {
    if (node.pipe.variables.length > 0) return context;
    const here = nudge(context);
    const { commands } = node.pipe;
    for (const [index, { args }] of commands.entries()) {
      const first = args[0];
      if (first?.kind !== "name" || (first.name !== "html" && first.name !== "urlquery")) continue;
      const isUnquoted = here.state === "Attr" && here.delimiter === "SpaceOrTagEnd";
      if (index < commands.length - 1 || (isUnquoted && first.name === "html")) {
        const description = `predefined escaper "${first.name}" disallowed in template`;
        return this.#fault("ErrPredefinedEscaper", description, node.at);
      }
    }
    if (here.state === "Error") return here;
    const escapers: readonly EscaperName[] | undefined = context.attribute === "Element"
      ? ["elementName"]
      : escapersOf(here);
    if (escapers === undefined) {
      const where = places[here.state] ?? "a URL";
      const description = `{{${node.pipe.text}}} appears in ${
        here.urlPart === "Script" ? "a URL that is code" : `an ambiguous context within ${where}`
      }`;
      return this.#fault("ErrAmbigContext", description, node.at);
    }
    this.#found.actions.set(node, planPipeline(node.pipe, escapers));
    // A slash after a value divides; in a tag, the text after a value continues an attribute name.
    if (here.state === "JS") return { ...here, slash: "DivOp" };
    if (here.state === "URL") return afterUrlValue(here);
    if (context.state === "AttrName") return continueName(here);
    return here.attribute === "ScriptType" ? { ...here, attribute: "None" } : here;
  }

  #branch(context: Context, node: BranchNode): Context {
    if (node.kind !== "range") {
      const first = this.#list(context, node.list);
      return this.#join(first, this.#list(context, node.elseList), node);
    }
    const after = this.#range({ ...context, parens: parensStart }, node);
    if (after.state === "Error") return after;
    const outside = leaveParens(context, after);
    return this.#join(outside, this.#list(context, node.elseList), node);
  }

  #range(context: Context, node: BranchNode): Context {
    const once = this.#loopBody(context, () => this.#list(context, node.list));
    if (once.state === "Error") return once;
    // A second pass would give the same result, and would double the time of each nested loop.
    if (isSame(once, context)) return once;
    return this.#loopBody(once, () => {
      const second = this.#try(once, node.list);
      const joined = this.#join(once, second, node);
      if (joined.fault === undefined) return joined;
      const description = `on range loop re-entry: ${joined.fault.description}`;
      return this.#placed({
        ...joined,
        fault: { ...joined.fault, description, at: joined.fault.at ?? node.at },
      });
    });
  }

  /** Runs a loop's body, then joins it with the contexts of its jumps. */
  #loopBody(context: Context, run: () => Context): Context {
    const outer = this.#loop;
    const loop: Loop = { breaks: [], continues: [] };
    this.#loop = loop;
    let here = run();
    this.#loop = outer;
    for (const [word, jumps] of [["break", loop.breaks], ["continue", loop.continues]] as const) {
      for (const [node, jump] of jumps) {
        if (here.state === "Error") return here;
        here = this.#join(here, jump, { kind: "range", at: node.at });
        if (here.fault === undefined) continue;
        const description = `at range loop ${word}: ${here.fault.description}`;
        return this.#placed({ ...here, fault: { ...here.fault, description } });
      }
    }
    return here.state === "Dead" ? context : here;
  }

  /** Returns the context after a list and discards the findings. */
  #try(context: Context, list: ListNode): Context {
    const kept = this.#found;
    this.#found = new Findings(kept);
    const here = this.#list(context, list);
    this.#found = kept;
    return here;
  }

  #join(a: Context, b: Context, node: { readonly kind: string; readonly at: number }): Context {
    const joined = joinContexts(a, b);
    if (joined !== undefined) return joined;
    const description = `{{${node.kind}}} branches end in different contexts: ${contextText(a)}, ` +
      contextText(b);
    return this.#fault("ErrBranchEnd", description, node.at);
  }

  #template(context: Context, node: TemplateNode): Context {
    // Keeping the parentheses would copy a recursive template at each depth.
    const inside = context.parens === "" ? context : { ...context, parens: parensStart };
    const { context: after, name } = this.#call(inside, node.name, node.at);
    if (name !== node.name) this.#found.calls.set(node, name);
    return leaveParens(context, after);
  }

  #call(
    context: Context,
    name: string,
    at: number,
  ): { readonly context: Context; readonly name: string } {
    const ownName = nameIn(context, name);
    this.#found.called.add(ownName);
    const known = this.#found.outputs.get(ownName);
    if (known !== undefined) return { context: known, name: ownName };
    const tree = this.#found.trees.get(name);
    if (tree === undefined && this.#skipsMissing) return { context, name };
    if (tree === undefined) {
      return {
        context: this.#fault("ErrNoSuchTemplate", `no such template ${JSON.stringify(name)}`, at),
        name: ownName,
      };
    }
    if (ownName !== name && !this.#found.trees.has(ownName)) {
      // Findings are keyed by node, so each context needs its own nodes.
      this.#found.trees.set(ownName, { ...tree, root: structuredClone(tree.root) });
    }
    const own = this.#found.trees.get(ownName) ?? tree;
    return { context: this.#output(context, own, ownName), name: ownName };
  }

  /** Returns the context after a template; a recursive call needs it before it is known. */
  #output(context: Context, tree: Tree, name: string): Context {
    const [outerTree, outerLoop] = [this.#tree, this.#loop];
    this.#tree = tree;
    this.#loop = undefined;
    let [after, isRight] = this.#assume(context, context, tree, name);
    // A fault is final: trying again would double the time at each caller.
    if (!isRight && after.state !== "Error") {
      const [second, isSecondRight] = this.#assume(after, context, tree, name);
      if (isSecondRight) [after, isRight] = [second, true];
    }
    if (!isRight && after.state !== "Error") {
      const description = `cannot compute output context for template ${tree.name}`;
      after = this.#fault("ErrOutputContext", description, tree.root.at);
    }
    [this.#tree, this.#loop] = [outerTree, outerLoop];
    return after;
  }

  /** Escapes a body assuming its end context; keeps the findings if the assumption holds. */
  #assume(
    assumed: Context,
    context: Context,
    tree: Tree,
    name: string,
  ): [after: Context, isRight: boolean] {
    this.#found.outputs.set(name, assumed);
    const kept = this.#found;
    this.#found = new Findings(kept);
    const after = this.#list(context, tree.root);
    const found = this.#found;
    this.#found = kept;
    const isRight = after.state !== "Error" &&
      (!found.called.has(name) || isSame(assumed, after));
    if (isRight) {
      kept.take(found);
      kept.outputs.set(name, found.called.has(name) ? assumed : after);
    }
    return [after, isRight];
  }
}

/** Returns the context after a loop or call; unbalanced parentheses make the outer ones unknown. */
function leaveParens(before: Context, after: Context): Context {
  if (after.fault !== undefined || after.parens === before.parens) return after;
  return { ...after, parens: after.parens === parensStart ? before.parens : "" };
}

const places: Readonly<Partial<Record<State, string>>> = {
  Srcdoc: "the markup of srcdoc",
  Mixed: "an attribute whose name contains a value: write the whole name as text",
};

const fixes: Readonly<Partial<Record<TemplateErrorCode, string>>> = {
  ErrAmbigContext: "write what comes before the value as text, such as the scheme or `url=`, and " +
    "the action in each branch; pass a URL that is code as a whole, by trustUrl",
  ErrBadHTML: "quote the attribute, or correct the tag",
  ErrBranchEnd: "close in each branch the quotes and tags that it opens",
  ErrEndContext: "close the tag, the quotes or the element at the end",
  ErrNoSuchTemplate: "define the template, add its file to the set, or correct the name",
  ErrOutputContext:
    "end the template in the context in which it begins, and call it in one context",
  ErrPartialCharset: "build the regular expression in a script file",
  ErrPartialEscape: "move the backslash into the value",
  ErrSlashAmbig:
    "end the statement before with a semicolon, put parentheses around what is before a " +
    "division, or assign the regular expression to a variable",
  ErrPredefinedEscaper: "remove the function: values are escaped for their place",
};
