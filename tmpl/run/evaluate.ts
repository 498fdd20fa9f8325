import type { BoundFunction } from "./functions.ts";
import {
  callFunction,
  isFunction,
  isInherited,
  type MissingKey,
  noRecord,
  recordOf,
  resolveMember,
} from "./members.ts";
import type { CommandNode, Operand, Path, PipeNode } from "../parse/nodes.ts";
import { Fault, isTrue } from "./values.ts";

export const limits = {
  outputChars: 100_000_000,
  iterations: 10_000_000,
  depth: 1_000,
} as const;

export interface Run {
  /** The nonce attribute for `script` and `style`; empty for none. */
  readonly nonce: string;
  /** The content for the slot of a shell. */
  readonly children: unknown;
  isSlotReached: boolean;
  iterations: number;
  /** Whether `Object.prototype` has no added members. */
  readonly isUnpolluted: boolean;
}

export interface Frame {
  readonly run: Run;
  /** The values of the variables; `$` first. */
  readonly variables: unknown[];
  readonly depth: number;
  /** Dot if it is a record, otherwise `noRecord`. */
  record: object;
  /** 0: none; 1: after a `break`; 2: after a `continue`. */
  jump: 0 | 1 | 2;
}

export type Get = (dot: unknown, frame: Frame) => unknown;

export type Write = (dot: unknown, frame: Frame) => string;

export interface Scope {
  readonly functions: ReadonlyMap<string, BoundFunction>;
  readonly missingKey: MissingKey;
  /** The variables declared here; the index is the slot of the value. */
  readonly variables: string[];
}

/** Compiles a pipeline, then declares its variables. */
export function compilePipe(pipe: PipeNode, scope: Scope, count = pipe.commands.length): Get {
  const commands = pipe.commands.slice(0, count);
  const get = compileCommands(commands, scope);
  if (pipe.variables.length === 0) return get;
  const slots = pipe.variables.map((name) =>
    pipe.isAssign ? slotOf(name, scope) : declare(name, scope)
  );
  return (dot, frame) => {
    const value = get(dot, frame);
    for (const slot of slots) frame.variables[slot] = value;
    return value;
  };
}

export function declare(name: string, scope: Scope): number {
  return scope.variables.push(name) - 1;
}

export function slotOf(name: string, scope: Scope): number {
  return scope.variables.lastIndexOf(name);
}

function compileCommands(commands: readonly CommandNode[], scope: Scope): Get {
  let get: Get | undefined;
  for (const command of commands) get = compileCommand(command, { scope, piped: get });
  // No command is left of `{{html}}` once the contextual functions replace it.
  return get ?? (() => "");
}

interface CommandOptions {
  readonly scope: Scope;
  /** The last argument: the result of the previous command. */
  readonly piped: Get | undefined;
}

function compileCommand(command: CommandNode, options: CommandOptions): Get {
  const { scope, piped } = options;
  const [first, ...args] = command.args;
  if (first === undefined) return () => undefined;
  if (first.kind === "name") return compileCall(first.name, args, options);
  if (piped === undefined && args.length === 0) {
    if (first.kind === "nil") return fails("nil is not a command", "write a value");
    const get = compileOperand(first, scope);
    // A null member and a missing member are both nil.
    const { kind } = first.kind === "path" ? first.base : first;
    return kind === "dot" || kind === "variable"
      ? (dot, frame) => get(dot, frame) ?? undefined
      : get;
  }
  if (first.kind === "path") return compileMethod(first, args, options);
  return fails(
    `can't give argument to non-function in ${command.text}`,
    "remove the arguments",
    piped,
  );
}

function fails(description: string, fix: string, piped?: Get): Get {
  return (dot, frame) => {
    piped?.(dot, frame);
    throw new Fault(description, fix);
  };
}

function compileCall(
  name: string,
  operands: readonly Operand[],
  { scope, piped }: CommandOptions,
): Get {
  const fn = scope.functions.get(name);
  // The parser refuses every other name.
  if (fn === undefined) return readSlot;
  const args = operands.map((operand, i) =>
    name === "call" && i === 0
      ? compileFunctionValue(operand, scope)
      : compileOperand(operand, scope)
  );
  if (name === "and" || name === "or") return shortCircuit(name === "or", args, piped);
  const { run } = fn;
  return (dot, frame) => {
    const last = piped?.(dot, frame);
    const values = args.map((get) => get(dot, frame));
    if (piped !== undefined) values.push(last);
    return run(values);
  };
}

/** The name of the internal function that returns the content of a shell's slot. */
export const slotFunction = "_slotOfTheShell";

function readSlot(_: unknown, { run }: Frame): unknown {
  run.isSlotReached = true;
  return run.children;
}

function shortCircuit(until: boolean, args: readonly Get[], piped: Get | undefined): Get {
  return (dot, frame) => {
    const last = piped?.(dot, frame);
    let value: unknown;
    for (const get of args) {
      value = get(dot, frame);
      if (isTrue(value) === until) return value;
    }
    return piped === undefined ? value : last;
  };
}

/** Compiles the value that has the last member of a path. */
function compileReceiver({ base, path, ...rest }: Path, scope: Scope): Get {
  return path.length === 1
    ? compileOperand(base, scope)
    : compilePath({ ...rest, base, path: path.slice(0, -1) }, scope);
}

/** Compiles the first argument of `call`, a function that must not be called to read it. */
function compileFunctionValue(operand: Operand, scope: Scope): Get {
  if (operand.kind !== "path") return compileOperand(operand, scope);
  const base = compileReceiver(operand, scope);
  const last = operand.path.at(-1) ?? "";
  return (dot, frame) => {
    const receiver = base(dot, frame);
    const value = resolveMember(receiver, last, scope.missingKey);
    return isFunction(value) ? value.bind(receiver) : value;
  };
}

function compileMethod(
  operand: Path,
  args: readonly Operand[],
  { scope, piped }: CommandOptions,
): Get {
  const base = compileReceiver(operand, scope);
  const name = operand.path.at(-1) ?? "";
  const getters = args.map((arg) => compileOperand(arg, scope));
  return (dot, frame) => {
    const last = piped?.(dot, frame);
    const receiver = base(dot, frame);
    const value = resolveMember(receiver, name, scope.missingKey);
    if (!isFunction(value)) {
      throw new Fault(
        `${name} is not a method but has arguments`,
        "remove the arguments, or pass a function",
      );
    }
    const values = getters.map((get) => get(dot, frame));
    if (piped !== undefined) values.push(last);
    return callFunction(value, { name, receiver, args: values });
  };
}

function followPath(base: Get, path: readonly string[], { missingKey }: Scope): Get {
  if (path.length === 0) return base;
  if (path.length === 1) {
    const name = path[0] ?? "";
    return (dot, frame) => readMember(base(dot, frame), name, missingKey);
  }
  return (dot, frame) => {
    let value = base(dot, frame);
    for (const name of path) value = readMember(value, name, missingKey);
    return value;
  };
}

/** Reads a member; a method is called. */
function readMember(receiver: unknown, name: string, missing: MissingKey): unknown {
  const value = resolveMember(receiver, name, missing);
  if (typeof value !== "function") return value;
  return callFunction(value as (...args: unknown[]) => unknown, { name, receiver, args: [] });
}

function compileField(name: string, missing: MissingKey): Get {
  if (isInherited(name)) return (dot) => readMember(dot, name, missing);
  return (dot, frame) => {
    if (dot === frame.record) {
      const value = (dot as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined && typeof value !== "function") return value;
    }
    return readMember(dot, name, missing);
  };
}

export function enter(dot: unknown, frame: Frame): void {
  frame.record = frame.run.isUnpolluted ? recordOf(dot) : noRecord;
}

export function compileOperand(operand: Operand, scope: Scope): Get {
  switch (operand.kind) {
    case "bool":
    case "number":
    case "string": {
      const { value } = operand;
      return () => value;
    }
    case "nil":
      return () => undefined;
    case "dot":
      return (dot) => dot;
    case "path":
      return compilePath(operand, scope);
    case "variable": {
      const slot = slotOf(operand.name, scope);
      return (_, frame) => frame.variables[slot];
    }
    case "name":
      return compileCall(operand.name, [], { scope, piped: undefined });
    case "pipe":
      return compilePipe(operand, scope);
  }
}

function compilePath({ base, path }: Path, scope: Scope): Get {
  const [name = "", ...rest] = path;
  if (base.kind === "dot") return followPath(compileField(name, scope.missingKey), rest, scope);
  const get = compileOperand(base, scope);
  // A function's null result is nil.
  const isNilable = base.kind !== "variable";
  return followPath(isNilable ? (dot, frame) => get(dot, frame) ?? undefined : get, path, scope);
}

export function tooLong(): Fault {
  return new Fault(
    `the output is longer than ${limits.outputChars} characters`,
    "show the data in pages",
    { isLimit: true },
  );
}
