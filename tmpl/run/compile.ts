import { thrownMessage } from "../../runtime/addon.ts";
import { escapeAttribute, escapeHtml, escapeText } from "../escape/html.ts";
import { escapeLink } from "../escape/url.ts";
import { escaperFunctions, type Plan } from "../escape/escapers.ts";
import type { Escaped } from "../escape/findings.ts";
import { type Source, TemplateError } from "../error.ts";
import {
  compileOperand,
  compilePipe,
  declare,
  enter,
  type Frame,
  type Get,
  limits,
  type Run,
  type Scope,
  slotOf,
  tooLong,
  type Write,
} from "./evaluate.ts";
import { joined } from "./functions.ts";
import { isInherited, noRecord } from "./members.ts";
import type {
  ActionNode,
  BranchNode,
  ListNode,
  Node,
  PipeNode,
  TemplateNode,
  Tree,
} from "../parse/nodes.ts";
import { printValue } from "./format.ts";
import { rangeOver } from "./range.ts";
import { Fault, isTrue } from "./values.ts";

export interface Render {
  readonly write: (data: unknown, run: Run) => string;
  /** Whether it begins with the `html` element, so that `h` adds the document type. */
  readonly isDocument: boolean;
}

type CompileSettings = Omit<Scope, "variables">;

export function compileTree(escaped: Escaped, name: string, settings: CompileSettings): Render {
  const compiled = new Compiler(escaped, settings).template(name);
  const [first] = escaped.trees.get(name)?.root.nodes ?? [];
  return {
    write: (data, run) => compiled.write(data, newFrame(data, run, 0)),
    isDocument: first?.kind === "text" && /^\s*<html[\s/>]/i.test(first.text),
  };
}

/** A template whose closure may be set later, because it may call itself. */
interface Compiled {
  write: Write;
}

class Compiler {
  readonly #escaped: Escaped;
  readonly #settings: CompileSettings;
  readonly #templates = new Map<string, Compiled>();
  #source: Source | undefined;
  #scope: Scope;

  constructor(escaped: Escaped, settings: CompileSettings) {
    this.#escaped = escaped;
    this.#settings = settings;
    this.#scope = { ...settings, variables: ["$"] };
  }

  template(name: string): Compiled {
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    const tree: Tree | undefined = this.#escaped.trees.get(name);
    const compiled: Compiled = { write: () => "" };
    this.#templates.set(name, compiled);
    if (tree === undefined) {
      const shown = JSON.stringify(name);
      compiled.write = () => {
        throw new Fault(`template ${shown} not defined`, "define it, or correct the name");
      };
      return compiled;
    }
    const [source, scope] = [this.#source, this.#scope];
    this.#source = tree.source;
    this.#scope = { ...this.#settings, variables: ["$"] };
    compiled.write = this.#list(tree.root);
    [this.#source, this.#scope] = [source, scope];
    return compiled;
  }

  /** Compiles a list to one closure that joins its texts and the results of its nodes. */
  #list(list: ListNode | undefined): Write {
    if (list === undefined) return () => "";
    const texts: string[] = [""];
    const writes: Write[] = [];
    const nodes: Node[] = [];
    const fields: string[] = [];
    const add = (node: Node, write: Write): void => {
      writes.push(write);
      nodes.push(node);
      fields.push(this.#textField(node));
      texts.push("");
    };
    for (const node of list.nodes) {
      if (node.kind !== "text") {
        add(node, this.#node(node));
        continue;
      }
      const pieces = this.#escaped.texts.get(node) ?? [node.text];
      for (const [i, piece] of pieces.entries()) {
        if (i > 0) add(node, (_, frame) => frame.run.nonce);
        texts[texts.length - 1] += piece;
      }
    }
    return joinWrites({ texts, writes, fields, nodes, source: this.#source });
  }

  /** Returns the field that an action only writes as escaped text; empty for other nodes. */
  #textField(node: Node): string {
    if (node.kind !== "action" || node.pipe.commands.length !== 1) return "";
    const [operand, ...more] = node.pipe.commands[0]?.args ?? [];
    const [step, ...others] = this.#escaped.actions.get(node)?.steps ?? [];
    const isText = step === "html" || step === "attribute" || step === "rcdata";
    if (
      !isText || others.length > 0 || more.length > 0 || operand?.kind !== "path" ||
      operand.base.kind !== "dot" || operand.path.length !== 1
    ) return "";
    const [name = ""] = operand.path;
    return isInherited(name) ? "" : name;
  }

  #node(node: Exclude<Node, { readonly kind: "text" }>): Write {
    switch (node.kind) {
      case "action":
        return this.#action(node);
      case "break":
      case "continue": {
        const jump = node.kind === "break" ? 1 : 2;
        return (_, frame) => {
          frame.jump = jump;
          return "";
        };
      }
      case "template":
        return this.#call(node);
      case "range":
        return this.#range(node);
      default:
        return this.#branch(node);
    }
  }

  #action(node: ActionNode): Write {
    const { pipe } = node;
    if (pipe.variables.length > 0) {
      const get = compilePipe(pipe, this.#scope);
      return (dot, frame) => {
        get(dot, frame);
        return "";
      };
    }
    const plan = this.#escaped.actions.get(node);
    if (plan === undefined) {
      const get = compilePipe(pipe, this.#scope);
      return (dot, frame) => {
        const value = get(dot, frame) ?? undefined;
        return value === undefined ? "<no value>" : printValue(value);
      };
    }
    return escapedWrite(plan, pipe, this.#scope);
  }

  #branch({ kind, pipe, list, elseList }: BranchNode): Write {
    const count = this.#scope.variables.length;
    const get = compilePipe(pipe, this.#scope);
    const isWith = kind === "with";
    const then = this.#list(list);
    const otherwise = this.#list(elseList);
    this.#scope.variables.length = count;
    if (!isWith) {
      return (dot, frame) => isTrue(get(dot, frame)) ? then(dot, frame) : otherwise(dot, frame);
    }
    return (dot, frame) => {
      const value = get(dot, frame);
      if (!isTrue(value)) return otherwise(dot, frame);
      const { record } = frame;
      enter(value, frame);
      const text = then(value, frame);
      frame.record = record;
      return text;
    };
  }

  #range({ pipe, list, elseList }: BranchNode): Write {
    const scope = this.#scope;
    const count = scope.variables.length;
    const get = compilePipe({ ...pipe, variables: [] }, scope);
    const slots = pipe.variables.map((name) =>
      pipe.isAssign ? slotOf(name, scope) : declare(name, scope)
    );
    const body = this.#list(list);
    const otherwise = this.#list(elseList);
    scope.variables.length = count;
    const [first, second] = slots;
    return rangeOver({
      get,
      body,
      otherwise,
      keySlot: second === undefined ? undefined : first,
      valueSlot: second ?? first,
    });
  }

  #call(node: TemplateNode): Write {
    const get = node.pipe === undefined ? () => undefined : compilePipe(node.pipe, this.#scope);
    const compiled = this.template(this.#escaped.calls.get(node) ?? node.name);
    return (dot, frame) => {
      const data = get(dot, frame);
      const { run } = frame;
      const depth = frame.depth + 1;
      if (depth > limits.depth) {
        const fix = "end the recursion with an {{if}}";
        throw new Fault(`exceeded maximum template depth (${limits.depth})`, fix, {
          isLimit: true,
        });
      }
      return compiled.write(data, newFrame(data, run, depth));
    };
  }
}

/** Single functions equivalent to the steps of the most common plans. */
const wholePlans: Readonly<Record<string, (value: unknown) => string>> = {
  html: escapeHtml,
  attribute: escapeAttribute,
  "urlFilter urlNormalize attribute": escapeLink,
};

/** Returns the closure of an action, with fast paths for the most common actions. */
function escapedWrite(plan: Plan, pipe: PipeNode, scope: Scope): Write {
  const whole = wholePlans[plan.steps.join(" ")];
  if (whole !== undefined && !plan.joinsArguments) {
    const [only, ...more] = pipe.commands[0]?.args ?? [];
    const isAlone = pipe.commands.length === 1 && more.length === 0;
    if (isAlone && only?.kind === "dot") return (dot) => whole(dot);
    // Nil and null both render as nothing, so they need not be distinguished.
    const read = isAlone && only?.kind === "path" && only.base.kind === "dot"
      ? compileOperand(only, scope)
      : compilePipe(pipe, scope);
    return (dot, frame) => whole(read(dot, frame));
  }
  const steps = plan.steps.map((name): (value: unknown) => unknown => escaperFunctions[name]);
  const get = plan.joinsArguments
    ? joinedArguments(pipe, scope)
    : compilePipe(pipe, scope, plan.commands);
  return (dot, frame) => {
    let value = get(dot, frame);
    for (const step of steps) value = step(value);
    return value as string;
  };
}

/** Compiles `{{html .a .b}}`: joins the arguments, which later steps escape. */
function joinedArguments(pipe: PipeNode, scope: Scope): Get {
  const args = (pipe.commands[0]?.args ?? []).slice(1).map((arg) => compileOperand(arg, scope));
  return (dot, frame) => joined(args.map((get) => get(dot, frame)));
}

function newFrame(data: unknown, run: Run, depth: number): Frame {
  const frame: Frame = { run, variables: [data], depth, record: noRecord, jump: 0 };
  enter(data, frame);
  return frame;
}

interface Parts {
  /** The texts around the writes: one more than the writes. */
  readonly texts: readonly string[];
  readonly writes: readonly Write[];
  /** For each write, the field that it writes as text; empty for others. */
  readonly fields: readonly string[];
  readonly nodes: readonly Node[];
  readonly source: Source | undefined;
}

function joinWrites(parts: Parts): Write {
  const { texts, writes, fields } = parts;
  const [head = ""] = texts;
  const count = writes.length;
  if (count === 0) return () => head;
  return (dot, frame) => {
    let out = head;
    let i = 0;
    const isRecord = dot === frame.record;
    try {
      for (; i < count; i++) {
        const name = fields[i] as string;
        // The fast path for most actions: text and integers are written without a call.
        if (isRecord && name !== "") {
          const value = (dot as Readonly<Record<string, unknown>>)[name];
          if (typeof value === "string") out += escapeText(value);
          else if (typeof value === "number" && (value | 0) === value) out += value;
          else out += (writes[i] as Write)(dot, frame);
        } else {
          out += (writes[i] as Write)(dot, frame);
          if (frame.jump !== 0) return out;
        }
        out += texts[i + 1];
      }
    } catch (error) {
      throw located(error, parts, i);
    }
    if (out.length > limits.outputChars) throw located(tooLong(), parts, count - 1);
    return out;
  };
}

function located(error: unknown, { nodes, source }: Parts, index: number): Error {
  if (error instanceof TemplateError) return error;
  const at = nodes[index]?.at ?? 0;
  if (error instanceof Fault) {
    return new TemplateError({
      code: error.isLimit ? "ErrLimit" : "ErrExec",
      description: error.message,
      fix: error.fix,
      source,
      at,
      ...(error.cause === undefined ? {} : { cause: error.cause }),
    });
  }
  // The stack is too full to create a new error here, so the caller creates it.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return error;
  return new TemplateError({
    code: "ErrExec",
    description: `error reading the data: ${thrownMessage(error)}`,
    fix: "correct the getter or method of the data",
    source,
    at,
    cause: error,
  });
}
