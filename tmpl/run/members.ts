/** Members of the data: only own properties, so that a template cannot reach inherited ones. */

import { findNearest, thrownMessage } from "../../runtime/addon.ts";
import { Fault, goType, isPlain, kindOf } from "./values.ts";

/** Treatment of a missing member of a record. */
export type MissingKey = "empty" | "error";

/** Reads a member. @throws {Fault} if the receiver cannot have members. */
export function resolveMember(receiver: unknown, name: string, missing: MissingKey): unknown {
  if (typeof receiver === "object" && receiver !== null && Object.hasOwn(receiver, name)) {
    return (receiver as Readonly<Record<string, unknown>>)[name];
  }
  return otherMember(receiver, name, missing);
}

function otherMember(receiver: unknown, name: string, missing: MissingKey): unknown {
  if (receiver === undefined) {
    if (missing === "empty") return undefined;
    throw new Fault(`nil data; no entry for key ${JSON.stringify(name)}`, "pass the data");
  }
  if (receiver === null) {
    throw new Fault(
      `nil pointer evaluating interface {}.${name}`,
      "guard it: {{with .parent}}…{{end}}",
    );
  }
  if (typeof receiver !== "object") throw noField(receiver, name);
  if (receiver instanceof Map && receiver.has(name)) return receiver.get(name);
  const isRecord = receiver instanceof Map || isPlain(receiver);
  if (!isRecord || name in receiver) throw noField(receiver, name);
  if (missing === "empty") return undefined;
  throw new Fault(`map has no entry for key ${JSON.stringify(name)}`, nearest(receiver, name));
}

function noField(receiver: unknown, name: string): Fault {
  const fix = typeof receiver === "object" && receiver !== null
    ? nearest(receiver, name)
    : "correct the name";
  return new Fault(`can't evaluate field ${name} in type ${goType(receiver)}`, fix);
}

function nearest(receiver: object, name: string): string {
  const names = receiver instanceof Map
    ? [...receiver.keys()].filter((key) => typeof key === "string")
    : Object.keys(receiver);
  const found = findNearest(name, names);
  if (found !== undefined) return `write .${found}`;
  return "correct the name, or give the data an own property of it: what is inherited does not count";
}

const inherited: ReadonlySet<PropertyKey> = new Set(Reflect.ownKeys(Object.prototype));

/** Reports whether records inherit the name, so that it needs an own-property check. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}

const empty = {};

/** Reports whether `Object.prototype` has no added members. */
export function isUnpolluted(): boolean {
  // deno-lint-ignore guard-for-in -- what is inherited is what it looks for
  for (const _ in empty) return false;
  return true;
}

export const noRecord: object = Object.freeze(Object.create(null));

/**
 * Returns the value if it is a record, otherwise `noRecord`. Names that records do not inherit can
 * be read from it without an own-property check, which would take as long as the read (bench/tmpl).
 */
export function recordOf(value: unknown): object {
  if (typeof value !== "object" || value === null) return noRecord;
  return Object.getPrototypeOf(value) === Object.prototype ? value : noRecord;
}

/** Calls a function of the data or of the app; turns thrown errors into faults. */
export function callFunction(
  fn: (...args: unknown[]) => unknown,
  call: { readonly name: string; readonly receiver: unknown; readonly args: readonly unknown[] },
): unknown {
  const { name, receiver, args } = call;
  if (args.length < fn.length) {
    throw new Fault(
      `wrong number of args for ${name}: want at least ${fn.length} got ${args.length}`,
      "pass the missing arguments",
    );
  }
  try {
    return Reflect.apply(fn, receiver, args);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const fix = "correct the function or its arguments";
    throw new Fault(`error calling ${name}: ${thrownMessage(cause)}`, fix, { cause });
  }
}

export function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return kindOf(value) === "function";
}
