/**
 * Finds what the handlers of the API read: the schemas of `bind`, `bindJson` and `bindQuery`, and fields
 * that they read one by one. `type Api` of the generated file names them, so that the compiler checks
 * what callers send.
 *
 * The syntax decides, as for the routes: a schema counts if the generated file can name it, so if its
 * file exports it.
 */
import { routeMethods } from "@fw/fw/conventions";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { functionIn } from "../project/sources/functions.ts";
import type { TypeScript } from "../project/sources/module_names.ts";
import type { Source, Sources } from "../project/sources/sources.ts";
import { frameworkEntry } from "../project/sources/imports.ts";
import { docCommentOf } from "./doc_comment.ts";
import { namedType, schemaType } from "./exported_names.ts";
import { isReference } from "./reach.ts";
import { parseBodyDirective, parseQueryDirectives } from "./read_directives.ts";
import type ts from "npm:typescript@6.0.3";

export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

export function findApiReads(sources: Sources, routes: readonly Route[]): ApiReads {
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  return new Map(files.map((file) => [file, readRouteFile(sources, file)]));
}

function readRouteFile(
  sources: Sources,
  file: ConventionFile,
): ReadonlyMap<string, HandlerReads> {
  const methods = [...file.names].filter(([name]) => routeMethods.some((each) => each === name));
  return new Map(methods.flatMap(([name, exported]) => {
    const found = sources.follow(file.path, exported);
    const source = found.kind === "found" && found.path !== undefined
      ? sources.read(found.path)
      : undefined;
    const node = found.kind === "found" ? found.node : undefined;
    const code = functionIn(sources.ts, node);
    if (source === undefined || node === undefined || code === undefined) return [];
    return [[name, new HandlerReader(sources, source).read(node, code)] as const];
  }));
}

/** A value of a query or a field of a form, which may be a list. */
const valueType = "QueryValue";

class HandlerReader {
  readonly #sources: Sources;
  readonly #ts: TypeScript;
  readonly #source: Source;
  readonly #seen = new Set<ts.Node>();
  #body: string | undefined;
  #form: string | undefined;
  #query: string | undefined;
  readonly #fields = new Map<string, ReadMember>();
  readonly #values = new Map<string, ReadMember>();
  #isBodyOpen = false;
  #isQueryOpen = false;
  #isOpen = false;

  constructor(sources: Sources, source: Source) {
    this.#sources = sources;
    this.#ts = sources.ts;
    this.#source = source;
  }

  read(node: ts.Node, code: ts.FunctionLikeDeclaration): HandlerReads {
    this.#readFunction(code, 0);
    const { directives } = docCommentOf({ ts: this.#ts }, node);
    const typeNamed = (name: string): string | undefined =>
      namedType(this.#sources, this.#source, name);
    for (const { name, type, isRequired } of parseQueryDirectives(directives, typeNamed)) {
      this.#declareValue(name, { type, isOptional: !isRequired });
    }
    return this.#finish(parseBodyDirective(directives, typeNamed));
  }

  #readFunction(code: ts.FunctionLikeDeclaration, index: number): void {
    const ts = this.#ts;
    if (this.#seen.has(code)) return;
    this.#seen.add(code);
    const parameter = code.parameters[index];
    const { body } = code as { readonly body?: ts.Node };
    if (parameter === undefined || body === undefined) return;
    if (!ts.isIdentifier(parameter.name)) return this.#open();
    const name = parameter.name.text;
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      if (ts.isIdentifier(node) && node.text === name && isReference(ts, node)) this.#readUse(node);
      ts.forEachChild(node, visit);
    };
    visit(body);
  }

  #readUse(context: ts.Identifier): void {
    const ts = this.#ts;
    const { parent } = context;
    if (ts.isCallExpression(parent)) return this.#readPassedOn(parent, context);
    if (!ts.isPropertyAccessExpression(parent)) return this.#open();
    const member = parent.name.text;
    const call = parent.parent;
    if (ts.isCallExpression(call) && call.expression === parent) {
      return this.#readCall(member, call);
    }
    if (member === "request") this.#readRequest(parent);
    if (member === "url") this.#readUrl(parent);
  }

  #readRequest(request: ts.Node): void {
    const { parent } = request;
    const member = this.#ts.isPropertyAccessExpression(parent) ? parent.name.text : "";
    if (!["headers", "method", "signal", "url"].includes(member)) this.#isBodyOpen = true;
    if (member === "url" || member === "") this.#isQueryOpen = true;
  }

  /** `c.url.searchParams.get("q")`; any other use of the query may read all of it. */
  #readUrl(url: ts.Node): void {
    const ts = this.#ts;
    const part = url.parent;
    if (!ts.isPropertyAccessExpression(part)) return void (this.#isQueryOpen = true);
    const member = part.name.text;
    if (member === "search" || member === "href") return void (this.#isQueryOpen = true);
    if (member !== "searchParams") return;
    const read = part.parent;
    const call = read.parent;
    const isRead = ts.isPropertyAccessExpression(read) && ts.isCallExpression(call) &&
      ["get", "getAll", "has"].includes(read.name.text);
    this.#addValue(isRead ? this.#literal(call.arguments[0]) : undefined, valueType);
  }

  #readCall(member: string, { arguments: [first, second] }: ts.CallExpression): void {
    switch (member) {
      case "bindJson":
        return this.#addBody(this.#schema(first), { isForm: false });
      case "bind":
      case "tryBind":
        this.#addBody(this.#schema(first), { isForm: true });
        return this.#addFiles(second);
      case "bindQuery":
      case "tryBindQuery":
        return this.#addQuery(this.#schema(first));
      case "query":
        return this.#addValue(this.#literal(first), valueType);
      case "form":
        return this.#addField(this.#literal(first), { type: valueType, isOptional: true });
      case "file":
        // Its rules may make the file optional.
        return this.#addField(
          this.#literal(first),
          second === undefined ? { type: "Blob", isOptional: false } : optionalFile,
        );
      case "formData":
        return void (this.#isBodyOpen = true);
    }
  }

  /** `tryBind(Schema, { files: { photo: { … } } })` */
  #addFiles(options: ts.Expression | undefined): void {
    const ts = this.#ts;
    if (options === undefined) return;
    if (!ts.isObjectLiteralExpression(options)) return void (this.#isBodyOpen = true);
    const files = options.properties.find((each) =>
      each.name !== undefined && ts.isIdentifier(each.name) && each.name.text === "files"
    );
    if (files === undefined) return;
    const value = ts.isPropertyAssignment(files) ? files.initializer : undefined;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) {
      return void (this.#isBodyOpen = true);
    }
    for (const { name } of value.properties) {
      const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
      this.#addField(isNamed ? name.text : undefined, optionalFile);
    }
  }

  /** `readBook(c)`: a function of the same file is read with the handler. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const ts = this.#ts;
    const { imported, declared } = this.#source.exports;
    const index = call.arguments.indexOf(context);
    const callee = call.expression;
    if (index < 0 || !ts.isIdentifier(callee)) return this.#open();
    // What the framework itself reads is neither body nor query: `use(c, Db)`, `csrfInput(c)`.
    const origin = imported.get(callee.text);
    if (origin !== undefined && frameworkEntry(origin.specifier) !== undefined) return;
    const found = functionIn(ts, declared.get(callee.text));
    if (found === undefined) return this.#open();
    this.#readFunction(found, index);
  }

  #schema(argument: ts.Expression | undefined): string | undefined {
    return schemaType(this.#sources, this.#source, argument);
  }

  #literal(argument: ts.Expression | undefined): string | undefined {
    return argument !== undefined && this.#ts.isStringLiteralLike(argument)
      ? argument.text
      : undefined;
  }

  /** The context goes where the syntax does not follow, so anything may be read there. */
  #open(): void {
    this.#isQueryOpen = true;
    this.#isOpen = true;
  }

  /** Adds the schema of a body. One that two calls name is one; two are not known to be one body. */
  #addBody(schema: string | undefined, { isForm }: { readonly isForm: boolean }): void {
    if (schema === undefined || (this.#body !== undefined && this.#body !== schema)) {
      return void (this.#isBodyOpen = true);
    }
    this.#body = schema;
    if (isForm) this.#form = schema;
  }

  #addQuery(schema: string | undefined): void {
    if (schema === undefined || this.#query !== undefined) this.#isQueryOpen = true;
    else this.#query = schema;
  }

  /** Adds a field that a branch of the handler reads; `undefined` stands for any name. */
  #addField(name: string | undefined, member: ReadMember): void {
    if (name === undefined) this.#isBodyOpen = true;
    else join(this.#fields, name, member);
  }

  #addValue(name: string | undefined, type: string): void {
    if (name === undefined) this.#isQueryOpen = true;
    else join(this.#values, name, { type, isOptional: true });
  }

  /** Sets a value of the query that a comment declares, whatever the code tells of it. */
  #declareValue(name: string, member: ReadMember): void {
    this.#values.delete(name);
    this.#values.set(name, member);
  }

  #finish(declared: string | undefined): HandlerReads {
    const query = this.#query;
    const values = this.#values;
    const isQueryKnown = query !== undefined || values.size > 0;
    const hasMore = this.#isQueryOpen && isQueryKnown;
    return {
      ...(declared === undefined ? this.#finishBody() : { body: declared }),
      ...(query === undefined ? {} : { query }),
      ...(values.size === 0 && !hasMore ? {} : { values }),
      ...(hasMore ? { hasMoreValues: true } : {}),
    };
  }

  #finishBody(): HandlerReads {
    const body = this.#body;
    const form = this.#form;
    const fields = this.#fields;
    // What is not followed may read more fields than those that are known.
    const hasMore = this.#isOpen && (fields.size > 0 || form !== undefined);
    if (this.#isBodyOpen || hasMore) return {};
    return {
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
      ...(fields.size === 0 ? {} : { fields }),
    };
  }
}

const optionalFile = { type: "Blob | undefined", isOptional: true };

/** The reads of a handler, as the text of types; a part that is not known is absent. */
export interface HandlerReads {
  readonly body?: string;
  readonly form?: string;
  readonly fields?: ReadMembers;
  readonly query?: string;
  readonly values?: ReadMembers;
  readonly hasMoreValues?: true;
}

export type ReadMembers = ReadonlyMap<string, ReadMember>;

export interface ReadMember {
  readonly type: string;
  readonly isOptional: boolean;
}

/** Adds a member: what another branch reads as well has both types, and is optional if it is in one. */
function join(members: Map<string, ReadMember>, name: string, added: ReadMember): void {
  const known = members.get(name);
  const types = [added, ...known === undefined ? [] : [known]].flatMap(({ type }) =>
    type.split(" | ")
  );
  members.delete(name);
  members.set(name, {
    type: [...new Set(types)].join(" | "),
    isOptional: added.isOptional || known?.isOptional === true,
  });
}

export interface QueryDirective {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}
