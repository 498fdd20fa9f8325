/** Describes the output of `JSON.stringify` for a type as a JSON Schema. */
import ts from "npm:typescript@6.0.3";
import type { Components } from "./components.ts";
import type { Schema } from "../document.ts";
import { isPlatformFile } from "../../../project/sources/types.ts";
import { type Compiler, unionMembers } from "../../../facts/compiler.ts";
import { type ResponseRules, withPropertyDoc } from "./property_rules.ts";
import type { TypeNames } from "./type_names.ts";

/** An undeclared part of a type: `any`, `unknown`, or a type without a JSON form. */
export interface Undeclared {
  /** The place in the value, such as `items[].owner`; `""` for the value itself. */
  readonly path: string;
  readonly type: string;
}

export interface TypeSchemaOptions {
  readonly compiler: Compiler;
  readonly components: Components;
  readonly nameOf: TypeNames;
  readonly withRules: ResponseRules;
}

export type DescribeType = (type: ts.Type, report: (part: Undeclared) => void) => Schema;

const maxDepth = 24;

/** Depth limit, for generic types such as `Nested<T>` that contain `Nested<Nested<T>>`. */
const maxNesting = 8;

export function createTypeSchemas(options: TypeSchemaOptions): DescribeType {
  return (type, report) => createReading(options, report)(type, { path: "", depth: 0 });
}

interface At {
  readonly path: string;
  readonly depth: number;
}

function createReading(
  { compiler, components, nameOf, withRules }: TypeSchemaOptions,
  report: (part: Undeclared) => void,
): (type: ts.Type, at: At) => Schema {
  const { checker } = compiler;
  /** The symbols of the components under description, outermost first. */
  const open: ts.Symbol[] = [];
  return describe;

  function describe(type: ts.Type, at: At): Schema {
    return leaf(type, at) ?? named(type, at);
  }

  function leaf(type: ts.Type, at: At): Schema | undefined {
    const { TypeFlags: F } = ts;
    const { flags } = type;
    if (flags & (F.Any | F.Unknown | F.NonPrimitive)) return undeclared(type, at);
    if (flags & F.Never) return { not: {} };
    if (flags & F.Null) return { type: "null" };
    if (flags & (F.Undefined | F.Void)) return { type: "null" };
    if (flags & F.BooleanLiteral) return { const: checker.typeToString(type) === "true" };
    if (flags & F.Boolean) return { type: "boolean" };
    if (type.isUnion()) return undefined;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & F.StringLike) return { type: "string" };
    if (flags & F.NumberLike) return { type: "number" };
    if (flags & F.BigIntLike) return { type: "integer", format: "int64" };
    if (flags & F.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint === undefined || constraint === type
        ? undeclared(type, at)
        : describe(constraint, at);
    }
    if (isLeftOut(type)) return undeclared(type, at);
    return list(type, at) ?? jsonForm(type, at);
  }

  /** Reports whether JSON leaves values of the type out of an object, and writes `null` for them in an array. */
  function isLeftOut(type: ts.Type): boolean {
    const { TypeFlags: F } = ts;
    return (type.flags & (F.Undefined | F.Void | F.ESSymbolLike)) !== 0 ||
      type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0 ||
      /^(?:Callable|Newable)?Function$/.test(type.getSymbol()?.name ?? "");
  }

  function element(type: ts.Type, at: At): Schema {
    const parts = unionMembers(type);
    const hasNull = parts.some(({ flags }) => flags & ts.TypeFlags.Null);
    if (parts.every(isLeftOut)) return { type: "null" };
    return withNull([describe(type, at)], !hasNull && parts.some(isLeftOut));
  }

  function undeclared(type: ts.Type, { path }: At): Schema {
    report({ path, type: checker.typeToString(type) });
    return {};
  }

  /** Classes with a JSON form of their own, and those of the platform that JSON cannot write. */
  function jsonForm(type: ts.Type, at: At): Schema | undefined {
    const symbol = type.getSymbol();
    const isBuiltIn = symbol?.declarations?.some((each) =>
      (ts.isInterfaceDeclaration(each) || ts.isClassDeclaration(each)) &&
      isPlatform(each)
    );
    const known = isBuiltIn === true ? platformForms[symbol?.name ?? ""] : undefined;
    if (known !== undefined) return known;
    const own = type.getProperty("toJSON");
    const [signature] = own === undefined ? [] : checker.getTypeOfSymbol(own).getCallSignatures();
    if (signature !== undefined) {
      return describe(checker.getReturnTypeOfSignature(signature), at);
    }
    // JSON writes a set as {} and bytes as an object keyed by index, which clients do not expect.
    return isBuiltIn === true ? undeclared(type, at) : undefined;
  }

  function list(type: ts.Type, { path, depth }: At): Schema | undefined {
    if (checker.isTupleType(type)) return tuple(type as ts.TupleTypeReference, path, depth);
    // Includes classes that extend Array.
    if (!checker.isArrayType(type) && !checker.isArrayLikeType(type)) return undefined;
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    const items = item === undefined ? {} : element(item, inside(`${path}[]`, depth));
    return { type: "array", items };
  }

  function tuple(type: ts.TupleTypeReference, path: string, depth: number): Schema {
    const { target } = type;
    const { Optional, Variable } = ts.ElementFlags;
    const args = checker.getTypeArguments(type).map((each, index) =>
      (target.elementFlags[index] ?? 0) & Optional ? withoutUndefined(checker, each) : each
    );
    const items = args.map((each, index) => element(each, inside(`${path}[${index}]`, depth)));
    const rest = target.elementFlags.findIndex((flag) => flag & Variable);
    const first = rest === -1 ? items : items.slice(0, rest);
    return {
      type: "array",
      ...(first.length === 0 ? {} : { prefixItems: first }),
      // Not `false`: linters require a schema. Elements after a rest have no fixed position.
      items: rest === -1 ? { not: {} } : withNull(items.slice(rest)),
      minItems: target.minLength,
      ...(rest === -1 ? { maxItems: items.length } : {}),
    };
  }

  function named(type: ts.Type, at: At): Schema {
    const named = nameOf(type);
    if (named === undefined) return structure(type, at);
    const nesting = open.filter((symbol) => symbol === named.symbol).length;
    if (nesting >= maxNesting) return undeclared(type, at);
    // The depth restarts inside a component, which can refer to itself.
    return components.refer(type, named.name, () => {
      open.push(named.symbol);
      const own = structure(type, { ...at, depth: 0 });
      open.pop();
      return withPropertyDoc(compiler, named.symbol, own);
    });
  }

  function structure(type: ts.Type, at: At): Schema {
    if (at.depth > maxDepth) return undeclared(type, at);
    if (type.isUnion()) return union(type, at);
    if (type.isIntersection()) {
      // A brand: `string & { readonly brand: "Id" }`.
      const { Primitive } = ts.TypeFlags as unknown as { readonly Primitive: number };
      const primitive = type.types.find(({ flags }) => flags & Primitive);
      if (primitive !== undefined) return describe(primitive, at);
    }
    return object(type, at);
  }

  function union(type: ts.UnionType, at: At): Schema {
    const { TypeFlags: F } = ts;
    const parts = type.types.filter((part) => !isLeftOut(part));
    const isNull = parts.some(({ flags }) => flags & F.Null);
    const values = parts.flatMap((part) =>
      part.isStringLiteral() || part.isNumberLiteral() ? part.value : []
    );
    const booleans = parts.filter(({ flags }) => flags & F.BooleanLiteral);
    const rest = parts.filter((part) =>
      !(part.flags & (F.Null | F.BooleanLiteral)) && !part.isStringLiteral() &&
      !part.isNumberLiteral()
    );
    const schemas: Schema[] = [
      ...enumSchemas(values),
      ...(booleans.length === 2 ? [{ type: "boolean" }] : []),
      ...(booleans.length === 1 ? booleans.map((part) => describe(part, at)) : []),
      ...rest.map((part) => describe(part, { ...at, depth: at.depth + 1 })),
    ];
    return withNull(schemas, isNull);
  }

  function object(type: ts.Type, { path, depth }: At): Schema {
    const properties: [string, Schema][] = [];
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      if (!isWritten(property, type)) continue;
      const own = checker.getTypeOfSymbol(property);
      if (unionMembers(own).every(isLeftOut)) continue;
      const name = property.name;
      const plain = describe(
        withoutUndefined(checker, own),
        inside(path === "" ? name : `${path}.${name}`, depth),
      );
      const schema = withRules(property, plain);
      properties.push([name, withPropertyDoc(compiler, property, schema)]);
      if (!mayBeAbsent(property, own)) required.push(name);
    }
    const index = checker.getIndexInfosOfType(type).find((each) =>
      !unionMembers(each.type).every(isLeftOut)
    );
    return {
      type: "object",
      // `Object.fromEntries`, because a member may be named "__proto__".
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : {
        additionalProperties: describe(
          withoutUndefined(checker, index.type),
          inside(`${path}[*]`, depth),
        ),
      }),
    };
  }

  /**
   * Reports whether JSON contains the member. Methods, symbols, accessors of a class and members
   * inherited from the platform, such as `size` of a `Map`, are left out.
   */
  function isWritten({ name, declarations = [], flags }: ts.Symbol, owner: ts.Type): boolean {
    const { SymbolFlags: F } = ts;
    if (name.startsWith("__@") || flags & F.Method) return false;
    const isOfClass = ((owner.getSymbol()?.flags ?? 0) & F.Class) !== 0;
    return !declarations.some((each) =>
      isOfClass && isPlatform(each) ||
      ts.isClassLike(each.parent) &&
        (ts.isAccessor(each) || ts.isAutoAccessorPropertyDeclaration(each) ||
          isPrivateName(each))
    );
  }

  function isPrivateName(member: ts.Declaration): boolean {
    const name = ts.getNameOfDeclaration(member);
    return name !== undefined && ts.isPrivateIdentifier(name);
  }

  function mayBeAbsent(property: ts.Symbol, type: ts.Type): boolean {
    return (property.flags & ts.SymbolFlags.Optional) !== 0 ||
      unionMembers(type).some(isLeftOut);
  }
}

const platformForms: Readonly<Record<string, Schema>> = {
  Date: { type: "string", format: "date-time" },
  URL: { type: "string", format: "uri" },
  String: { type: "string" },
  Number: { type: "number" },
  Boolean: { type: "boolean" },
};

function isPlatform(declaration: ts.Node): boolean {
  return isPlatformFile(declaration.getSourceFile().fileName);
}

function inside(path: string, depth: number): At {
  return { path, depth: depth + 1 };
}

function withoutUndefined(checker: ts.TypeChecker, type: ts.Type): ts.Type {
  if (!type.isUnion()) return type;
  const hasNull = type.types.some((part) => checker.typeToString(part) === "null");
  return hasNull ? type : checker.getNonNullableType(type);
}

function enumSchemas(values: readonly (string | number)[]): Schema[] {
  const [first] = values;
  if (values.length < 2) return first === undefined ? [] : [{ const: first }];
  const kinds = new Set(values.map((value) => typeof value));
  const [kind] = kinds;
  return [{ ...(kinds.size === 1 ? { type: kind } : {}), enum: [...values] }];
}

/** Joins the schemas of a union; a nullable type keeps the short form. */
function withNull(schemas: readonly Schema[], isNull?: boolean): Schema {
  const [only] = schemas;
  if (!isNull) return schemas.length === 1 && only !== undefined ? only : { anyOf: [...schemas] };
  if (schemas.length === 1 && only !== undefined && typeof only["type"] === "string") {
    const { type, enum: values } = only;
    return {
      ...only,
      type: [type, "null"],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    };
  }
  return { anyOf: [...schemas, { type: "null" }] };
}
