/**
 * Finds the schemas that the handlers of the API pass to `bind`, `bindJson` and `bindQuery`. `type
 * Api` of the generated file names them, so that the compiler checks what callers send.
 *
 * It reads only the syntax, as for the routes. Only exported schemas count, because the generated
 * file must name them. A part that the handler also reads in another way has no type.
 */
import { routeMethods } from "@fw/fw/conventions";
import ts from "npm:typescript@6.0.3";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { frameworkEntry } from "../project/sources/imports.ts";
import { Names } from "../project/sources/names.ts";
import { resolveSpecifier, type Source, type Sources } from "../project/sources/sources.ts";
import { containsNode, functionIn, walk } from "../project/sources/syntax.ts";
import { isReference } from "./reach.ts";

export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

/** The input types of a handler, as source text; a part of unknown type is absent. */
export interface HandlerReads {
  readonly body?: string;
  readonly form?: string;
  readonly query?: string;
}

export function findApiReads(sources: Sources, routes: readonly Route[]): ApiReads {
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  const names = new Names(sources);
  return new Map(files.map((file) => [file, readRouteFile(names, file)]));
}

function readRouteFile(names: Names, file: ConventionFile): Map<string, HandlerReads> {
  const methods = routeMethods.filter((name) => file.names.has(name));
  return new Map(methods.flatMap((name) => {
    const { node, file: path = "" } = names.find(file.path, name) ?? {};
    const source = names.sources.read(path);
    const code = functionIn(node);
    if (source === undefined || code === undefined) return [];
    const reader = new HandlerReader(source);
    reader.readFunction(code, 0);
    return [[name, reader.finish()] as const];
  }));
}

class HandlerReader {
  readonly #source: Source;
  readonly #seen = new Set<ts.Node>();
  /** The schemas of each part; `undefined` marks a read without a named schema. */
  readonly #body = new Set<string | undefined>();
  readonly #query = new Set<string | undefined>();
  #isForm = false;
  /** The context is passed to a function that cannot be followed. */
  #isPassedOn = false;

  constructor(source: Source) {
    this.#source = source;
  }

  readFunction(code: ts.FunctionLikeDeclaration, index: number): void {
    if (this.#seen.has(code)) return;
    this.#seen.add(code);
    const name = code.parameters[index]?.name;
    if (name === undefined || code.body === undefined) return;
    if (!ts.isIdentifier(name)) this.#isPassedOn = true;
    else {
      walk(code.body, (node) => {
        if (ts.isTypeNode(node)) return false;
        const isUse = ts.isIdentifier(node) && node.text === name.text && isReference(node);
        if (isUse) this.#readUse(node);
        return undefined;
      });
    }
  }

  #readUse(context: ts.Identifier): void {
    const { parent } = context;
    if (ts.isCallExpression(parent)) return this.#readPassedOn(parent, context);
    if (!ts.isPropertyAccessExpression(parent)) return void (this.#isPassedOn = true);
    const { name: { text: member }, parent: user } = parent;
    if (ts.isCallExpression(user) && user.expression === parent) this.#readCall(member, user);
    else if (member === "request") {
      const part = ts.isPropertyAccessExpression(user) ? user.name.text : "";
      if (!/^(?:headers|method|signal|url)$/.test(part)) this.#body.add(undefined);
      if (part === "" || part === "url") this.#query.add(undefined);
    } else if (member === "url") {
      const part = ts.isPropertyAccessExpression(user) ? user.name.text : "search";
      if (/^(?:href|search|searchParams)$/.test(part)) this.#query.add(undefined);
    }
  }

  #readCall(member: string, { arguments: [first, options] }: ts.CallExpression): void {
    if (/^(?:form|file|formData)$/.test(member)) this.#body.add(undefined);
    if (member === "query") this.#query.add(undefined);
    const [, part] = /^(?:bind|tryBind)(|Json|Query)$/.exec(member) ?? [];
    if (part === undefined) return;
    const reads = part === "Query" ? this.#query : this.#body;
    reads.add(schemaType(this.#source, first));
    if (part !== "") return;
    this.#isForm = true;
    // The options contain the rules of files, which the schema does not describe.
    if (options !== undefined) reads.add(undefined);
  }

  /** Follows `readBook(c)` into a function of the same file. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const { arguments: args, expression: callee } = call;
    const name = ts.isIdentifier(callee) ? callee.text : "";
    const { imported, declared } = this.#source.exports;
    // The framework's own functions, such as `use(c, Db)`, read neither body nor query.
    const origin = imported.get(name);
    if (origin !== undefined && frameworkEntry(origin.specifier) !== undefined) return;
    const found = functionIn(declared.get(name));
    if (found === undefined) this.#isPassedOn = true;
    else this.readFunction(found, args.indexOf(context));
  }

  finish(): HandlerReads {
    // A JSON body can be read only once, but a form and a query can be read again elsewhere.
    const body = this.#isForm && this.#isPassedOn ? undefined : onlySchema(this.#body);
    const query = this.#isPassedOn ? undefined : onlySchema(this.#query);
    return {
      ...(body === undefined ? {} : { body }),
      ...(body === undefined || !this.#isForm ? {} : { form: body }),
      ...(query === undefined ? {} : { query }),
    };
  }
}

function onlySchema(schemas: ReadonlySet<string | undefined>): string | undefined {
  return schemas.size === 1 ? [...schemas][0] : undefined;
}

/** Names a schema by the module that exports it. */
function schemaType(
  source: Source,
  argument: ts.Expression | undefined,
): string | undefined {
  const members: string[] = [];
  let at = argument;
  for (; at !== undefined && ts.isPropertyAccessExpression(at); at = at.expression) {
    members.unshift(at.name.text);
  }
  if (at === undefined || !ts.isIdentifier(at) || isOwnName(at)) return undefined;
  const { path, exports: { names, imported } } = source;
  const exported = names.get(at.text);
  const isExported = exported !== undefined && exported.from === undefined;
  const origin = isExported ? { specifier: "", name: at.text } : imported.get(at.text);
  if (origin === undefined) return undefined;
  const from = isExported ? path : resolveSpecifier(path, origin.specifier);
  const module = from === undefined ? origin.specifier : fileSpecifier(from);
  const name = [...(origin.name === "*" ? [] : [origin.name]), ...members].join(".");
  return name === "" ? undefined : `typeof ${importType(module)}.${name}`;
}

/** Reports whether an enclosing function declares the name, which hides the file's. */
function isOwnName(identifier: ts.Identifier): boolean {
  let around: ts.Node = identifier;
  while (!ts.isSourceFile(around.parent) && !ts.isVariableStatement(around.parent)) {
    around = around.parent;
  }
  return containsNode(around, (node) =>
    (ts.isParameter(node) || ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) || ts.isFunctionDeclaration(node)) &&
    node !== around && node.name !== undefined &&
    ts.isIdentifier(node.name) && node.name.text === identifier.text);
}

/** Returns the specifier, a URL, in which a percent sign of a file name is escaped. */
export function fileSpecifier(path: string): string {
  return `./${path.replaceAll("%", "%25")}`;
}

export function importType(module: string): string {
  return `import(${JSON.stringify(module)})`;
}
