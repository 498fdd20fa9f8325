/**
 * Follows the members of types as the TypeScript compiler sees them, with the rules by which templates
 * read their data: own members, keys of maps, calls of functions without arguments.
 *
 * @module
 */
import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../project/sources/exports.ts";

export interface TypeReader {
  readonly ts: TypeScript;
  readonly checker: ts.TypeChecker;
}

/** The result of following a path of members. */
export type Followed =
  /** The path ends in something known, or in a type that allows any member. */
  | { readonly kind: "fine" }
  /** No type at this place has a member of this name. */
  | {
    readonly kind: "missing";
    readonly type: string;
    readonly name: string;
    /** Whether it is the last name of the path. */
    readonly isLast: boolean;
    /** The members that there are. */
    readonly members: readonly string[];
  };

/** The types of a member; `"any"` if every member is allowed, none if it does not exist. */
type Found = readonly ts.Type[] | "any";

/** Follows a path, in which `[]` stands for each element of a list. */
export function followMembers(
  reader: TypeReader,
  data: ts.Type,
  path: readonly string[],
): Followed {
  let at = partsOf(reader, data);
  for (const [index, name] of path.entries()) {
    if (at.length === 0) return { kind: "fine" };
    const found = at.map((part) =>
      name === "[]" ? elementOf(reader, part) : memberOf(reader, part, name)
    );
    if (found.includes("any")) return { kind: "fine" };
    const types = found.flatMap((each) => each === "any" ? [] : each);
    if (name !== "[]" && types.length === 0) {
      const members = at.flatMap((part) => part.getProperties().map((each) => each.name));
      const isLast = index === path.length - 1;
      return { kind: "missing", type: nameOf(reader, at[0]), name, isLast, members };
    }
    at = types.flatMap((type) => partsOf(reader, type));
  }
  return { kind: "fine" };
}

/** Returns what a value may be besides `null` and `undefined`; type parameters as their constraint. */
function partsOf({ ts, checker }: TypeReader, type: ts.Type): readonly ts.Type[] {
  if (type.isUnion()) return type.types.flatMap((part) => partsOf({ ts, checker }, part));
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) return [];
  if (!(type.flags & ts.TypeFlags.Instantiable)) return [type];
  const constraint = checker.getBaseConstraintOfType(type);
  return constraint === undefined || constraint === type
    ? [type]
    : partsOf({ ts, checker }, constraint);
}

function isOpen({ ts }: TypeReader, type: ts.Type): boolean {
  const { Any, Unknown, NonPrimitive, Instantiable } = ts.TypeFlags;
  return (type.flags & (Any | Unknown | NonPrimitive | Instantiable)) !== 0;
}

function memberOf(reader: TypeReader, type: ts.Type, name: string): Found {
  const { ts, checker } = reader;
  if (isOpen(reader, type)) return "any";
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return [];
  if (checker.isArrayType(type) || checker.isTupleType(type)) return name === "length" ? "any" : [];
  const [, value] = mapTypes(reader, type);
  if (value !== undefined) return [value];
  const property = checker.getPropertyOfType(type, name);
  if (property !== undefined) {
    if (isInherited(reader, property)) return [];
    const own = checker.getTypeOfSymbol(property);
    const results = own.getCallSignatures().map((each) => each.getReturnType());
    return results.length === 0 ? [own] : results;
  }
  const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
  if (index !== undefined) return [index.type];
  // An empty object type such as `{}` says nothing about the value.
  return type.getProperties().length === 0 ? "any" : [];
}

/** Reports whether a class has the member on its prototype, where templates do not reach it. */
function isInherited({ ts }: TypeReader, { declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) =>
    ts.isClassLike(each.parent) && (ts.isMethodDeclaration(each) || ts.isAccessor(each))
  );
}

/** Returns the types of the keys and values of a `Map`; none for other types. */
function mapTypes({ checker }: TypeReader, type: ts.Type): readonly ts.Type[] {
  const name = type.getSymbol()?.name;
  if (name !== "Map" && name !== "ReadonlyMap") return [];
  return checker.getTypeArguments(type as ts.TypeReference);
}

const iterables: ReadonlySet<string> = new Set(
  ("Set ReadonlySet Iterable IterableIterator IteratorObject Generator ArrayIterator SetIterator")
    .split(" "),
);

function elementOf(reader: TypeReader, type: ts.Type): Found {
  const { ts, checker } = reader;
  if (isOpen(reader, type)) return "any";
  if (type.flags & ts.TypeFlags.NumberLike) return [type];
  const [, value] = mapTypes(reader, type);
  if (value !== undefined) return [value];
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.Number);
    return index === undefined ? "any" : [index.type];
  }
  if (iterables.has(type.getSymbol()?.name ?? "")) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return item === undefined ? "any" : [item];
  }
  const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
  return index === undefined ? "any" : [index.type];
}

/** Returns the name of a type for messages. */
function nameOf({ checker }: TypeReader, type: ts.Type | undefined): string {
  if (type === undefined) return "the data";
  const isNamed = type.aliasSymbol !== undefined || !/^__/.test(type.getSymbol()?.name ?? "");
  return isNamed ? checker.typeToString(type) : "the data";
}
