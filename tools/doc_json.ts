import { join, toFileUrl } from "@std/path";
import { type Entry, root, runDeno } from "./workspace.ts";

/** A type, as the documentation describes it. */
export type TypeNode =
  & { repr?: string }
  & (
    | { kind: "keyword"; value: string }
    | { kind: "literal"; value: LiteralValue }
    | { kind: "typeRef"; value: { typeName: string; typeParams?: TypeNode[] } }
    | { kind: "union" | "intersection" | "tuple"; value: TypeNode[] }
    | { kind: "array" | "parenthesized" | "optional" | "rest"; value: TypeNode }
    | { kind: "typeOperator"; value: { operator: string; tsType: TypeNode } }
    | { kind: "indexedAccess"; value: { objType: TypeNode; indexType: TypeNode } }
    | { kind: "typeQuery"; value: unknown }
    | { kind: "this" }
    | { kind: "infer"; value: { typeParam: TypeParam } }
    | { kind: "importType"; value: ImportedType }
    | { kind: "conditional"; value: ConditionalType }
    | { kind: "fnOrConstructor"; value: FunctionType }
    | { kind: "typePredicate"; value: TypePredicate }
    | { kind: "mapped"; value: MappedType }
    | { kind: "typeLiteral"; value: MembersDef }
  );

/** A literal in a type. */
export type LiteralValue =
  | { kind: "string" | "bigInt"; string: string }
  | { kind: "template"; tsTypes: TypeNode[] }
  | { kind: "number" | "boolean" };

/** `import("./x.ts").Name<T>`. */
export interface ImportedType {
  specifier: string;
  qualifier?: string;
  typeParams?: TypeNode[];
}

/** `A extends B ? C : D`. */
export interface ConditionalType {
  checkType: TypeNode;
  extendsType: TypeNode;
  trueType: TypeNode;
  falseType: TypeNode;
}

/** `(a: A) => B`, or `new (a: A) => B`. */
export interface FunctionType {
  constructor: boolean;
  typeParams?: TypeParam[];
  params: ParamNode[];
  tsType: TypeNode;
}

/** `x is X`, `asserts x is X`. */
export interface TypePredicate {
  asserts?: boolean;
  param: { type: "this" } | { type: "identifier"; name: string };
  type?: TypeNode;
}

/** `{ [K in T]: V }`; a modifier is `true`, `"+"` or `"-"`. */
export interface MappedType {
  readonly?: boolean | string;
  optional?: boolean | string;
  typeParam: TypeParam;
  nameType?: TypeNode;
  tsType?: TypeNode;
}

/** One type parameter. */
export interface TypeParam {
  name: string;
  constraint?: TypeNode;
  default?: TypeNode;
}

/** One parameter of a function. */
export type ParamNode =
  | { kind: "identifier"; name: string; optional?: boolean; tsType?: TypeNode }
  | { kind: "object" | "array"; optional?: boolean; tsType?: TypeNode }
  | { kind: "rest"; arg: ParamNode; tsType?: TypeNode }
  | { kind: "assign"; left: ParamNode; tsType?: TypeNode };

/** A doc comment. */
export interface JsDoc {
  doc?: string;
  tags?: { kind: string; value?: string }[];
}

/** Parameters and return type. */
export interface SignatureDef {
  typeParams?: TypeParam[];
  params: ParamNode[];
  returnType?: TypeNode;
  hasBody?: boolean;
}

/** One member of a class, an interface or a type literal. */
export interface MemberDef {
  name: string;
  kind?: string;
  jsDoc?: JsDoc;
  accessibility?: "private" | "protected" | "public";
  isAbstract?: boolean;
  isStatic?: boolean;
  readonly?: boolean;
  computed?: boolean;
  optional?: boolean;
}

/** A property. */
export interface PropertyDef extends MemberDef {
  tsType?: TypeNode;
}

/** A method: an interface's holds its signature itself, a class's under `functionDef`. */
export interface MethodDef extends MemberDef, SignatureDef {
  functionDef?: SignatureDef;
}

/** What classes, interfaces and type literals have inside. */
export interface MembersDef {
  constructors?: (MemberDef & SignatureDef)[];
  callSignatures?: (MemberDef & SignatureDef & { tsType?: TypeNode })[];
  indexSignatures?: { readonly?: boolean; params: ParamNode[]; tsType?: TypeNode }[];
  properties?: PropertyDef[];
  methods?: MethodDef[];
}

/** A class. */
export interface ClassDef extends MembersDef {
  isAbstract?: boolean;
  extends?: string;
  implements?: TypeNode[];
  typeParams?: TypeParam[];
  superTypeParams?: TypeNode[];
}

/** An interface. */
export interface InterfaceDef extends MembersDef {
  extends?: TypeNode[];
  typeParams?: TypeParam[];
}

/** Where something is declared. */
export interface DocLocation {
  filename: string;
  byteIndex: number;
}

/** One declaration of a symbol; a `reference` stands for what another entry documents in full. */
export type Declaration =
  & { declarationKind: string; jsDoc?: JsDoc; location: DocLocation }
  & (
    | { kind: "function"; def: SignatureDef }
    | { kind: "variable"; def: { kind: string; tsType?: TypeNode } }
    | { kind: "typeAlias"; def: { typeParams?: TypeParam[]; tsType: TypeNode } }
    | { kind: "enum"; def: { members: { name: string; init?: TypeNode }[] } }
    | { kind: "namespace"; def: { elements: DocSymbol[] } }
    | { kind: "class"; def: ClassDef }
    | { kind: "interface"; def: InterfaceDef }
    | { kind: "reference"; def: { target: DocLocation } }
  );

/** One exported symbol; overloads and merged declarations share it. */
export interface DocSymbol {
  name: string;
  declarations: Declaration[];
}

/** One module. */
export interface DocModule {
  /** The module's own doc comment. */
  module_doc?: JsDoc;
  symbols: DocSymbol[];
}

/**
 * Reads the documentation of entry points, in their order.
 *
 * @throws {Error} When `deno doc` fails.
 */
export async function readDocs(entries: Entry[]): Promise<DocModule[]> {
  const paths = entries.map((entry) => join(root, entry.path));
  const { code, stdout, stderr } = await runDeno(["doc", "--json", ...paths]);
  if (code !== 0) throw new Error(`Cannot read the documentation: ${stderr}`);
  const nodes: Record<string, DocModule> = JSON.parse(stdout).nodes;
  return paths.map((path) => nodes[toFileUrl(path).href] ?? { symbols: [] });
}

/** Whether the doc comment carries the tag, such as `internal`. */
export function hasTag(jsDoc: JsDoc | undefined, tag: string): boolean {
  return jsDoc?.tags?.some(({ kind, value }) => kind === tag || value === `@${tag}`) ?? false;
}
