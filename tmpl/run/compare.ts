import { compareCodePoints, Fault, goType, type Kind, kindOf, plainTextOf } from "./values.ts";

const missing = "missing argument for comparison";
const badType = "invalid type for comparison";
const incompatible = "incompatible types for comparison";

const fix = "compare two numbers, two strings or two booleans";

/** Integers and decimals are one kind, because JavaScript has one number type. */
function basicKind(kind: Kind): "bool" | "number" | "string" | "none" {
  if (kind === "int" || kind === "float") return "number";
  return kind === "bool" || kind === "string" ? kind : "none";
}

export function isEqual(first: unknown, others: readonly unknown[]): boolean {
  if (others.length === 0) throw new Fault(missing, "pass two values at least");
  return others.some((other) => equals(first, other));
}

function equals(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b;
  const [first, second] = [basicKind(kindOf(a)), basicKind(kindOf(b))];
  const hasNil = a === undefined || a === null || b === undefined || b === null;
  if (first !== second) {
    if (!hasNil) throw new Fault(incompatible, fix);
    return false;
  }
  switch (first) {
    case "string":
      return plainTextOf(a) === plainTextOf(b);
    case "number":
      // A bigint and a number are compared by value.
      // deno-lint-ignore eqeqeq -- see above
      return (a as number) == (b as number);
    case "bool":
      return a === b;
    case "none":
      return hasNil ? (a ?? undefined) === (b ?? undefined) : isSame(a, b);
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const other = [a, b].find((value) => !["struct", "iterable"].includes(kindOf(value)));
  if (other === undefined) return a === b;
  throw new Fault(`non-comparable type ${goType(other)}`, "compare a member of it");
}

export function isLess(a: unknown, b: unknown): boolean {
  const [first, second] = [basicKind(kindOf(a)), basicKind(kindOf(b))];
  if (first === "none" || second === "none") throw new Fault(badType, fix);
  if (first !== second) throw new Fault(incompatible, fix);
  if (first === "bool") throw new Fault(badType, fix);
  if (first === "string") return compareCodePoints(plainTextOf(a) ?? "", plainTextOf(b) ?? "") < 0;
  return (a as number) < (b as number);
}

export function isLessOrEqual(a: unknown, b: unknown): boolean {
  return isLess(a, b) || equals(a, b);
}
