/**
 * Finds the schemas that the handlers of the API pass to `bind`, `bindJson` and `bindQuery`. `type Api` of
 * the generated file names them, so that the compiler checks what callers send.
 *
 * The syntax decides, as for the routes: a schema counts if its file exports it, so that the generated file
 * can name it. A part that is read in another way as well is left open.
 */
import { routeMethods } from "@fw/fw/conventions";
import ts from "npm:typescript@6.0.3";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { frameworkEntry } from "../project/sources/imports.ts";
import { Names } from "../project/sources/names.ts";
import type { Source, Sources } from "../project/sources/sources.ts";
import { functionIn, walk } from "../project/sources/syntax.ts";
import { schemaType } from "./exported_names.ts";
import { isReference } from "./reach.ts";

export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

/** The reads of a handler, as the text of types; a part that is not known is absent. */
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
  /** The schemas of each part; `undefined` stands for a read without a schema that has a name. */
  readonly #body = new Set<string | undefined>();
  readonly #query = new Set<string | undefined>();
  #isForm = false;
  /** A function that is not followed gets the context. */
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
    // The rules of files, beside the schema.
    if (options !== undefined) reads.add(undefined);
  }

  /** `readBook(c)`: a function of the same file is read with the handler. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const { arguments: args, expression: callee } = call;
    const name = ts.isIdentifier(callee) ? callee.text : "";
    const { imported, declared } = this.#source.exports;
    // What the framework itself reads is neither body nor query: `use(c, Db)`, `csrfInput(c)`.
    const origin = imported.get(name);
    if (origin !== undefined && frameworkEntry(origin.specifier) !== undefined) return;
    const found = functionIn(declared.get(name));
    if (found === undefined) this.#isPassedOn = true;
    else this.readFunction(found, args.indexOf(context));
  }

  finish(): HandlerReads {
    // A JSON body is read once, a form and a query as often as code likes.
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
