/**
 * Finds what the handlers of the API read: the schemas of `bind`, `bindJson` and `bindQuery`, and fields
 * that they read one by one. `type Api` of the generated file names them, so that the compiler checks
 * what callers send.
 *
 * The syntax decides, as for the routes: a schema counts if the generated file can name it, so if its
 * file exports it.
 */
import { routeMethods } from "@fw/fw/conventions";
import ts from "npm:typescript@6.0.3";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { frameworkEntry } from "../project/sources/imports.ts";
import { Names } from "../project/sources/names.ts";
import type { Source, Sources } from "../project/sources/sources.ts";
import { functionIn, walk, writtenName, writtenText } from "../project/sources/syntax.ts";
import { docCommentOf, parseBodyDirective, parseQueryDirectives } from "./doc_comment.ts";
import { namedType, schemaType } from "./exported_names.ts";
import { isReference } from "./reach.ts";

export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

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

export function findApiReads(sources: Sources, routes: readonly Route[]): ApiReads {
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  return new Map(files.map((file) => [file, readRouteFile(sources, file)]));
}

function readRouteFile(sources: Sources, file: ConventionFile): Map<string, HandlerReads> {
  const methods = routeMethods.filter((name) => file.names.has(name));
  const names = new Names(sources);
  return new Map(methods.flatMap((name) => {
    const { node, file: path = "" } = names.find(file.path, name) ?? {};
    const source = sources.read(path);
    const code = functionIn(node);
    if (source === undefined || node === undefined || code === undefined) return [];
    const reader = new HandlerReader(source);
    reader.readFunction(code, 0);
    const { directives } = docCommentOf(node);
    const typeNamed = (name: string): string | undefined => namedType(sources, source, name);
    for (const { name, type, isRequired } of parseQueryDirectives(directives, typeNamed)) {
      // What a comment declares counts, whatever the code tells of it.
      reader.values.delete(name);
      reader.values.set(name, { type, isOptional: !isRequired });
    }
    return [[name, reader.finish(parseBodyDirective(directives, typeNamed))] as const];
  }));
}

/** A value of a query or a field of a form, which may be a list. */
const queryValue: ReadMember = { type: "QueryValue", isOptional: true };

const file: ReadMember = { type: "Blob", isOptional: false };
const optionalFile: ReadMember = { type: "Blob | undefined", isOptional: true };

class HandlerReader {
  readonly #source: Source;
  readonly #seen = new Set<ts.Node>();
  #body: string | undefined;
  #form: string | undefined;
  #query: string | undefined;
  readonly #fields = new Map<string, ReadMember>();
  readonly values = new Map<string, ReadMember>();
  /** What the syntax does not follow: more of the body, of the query, or anything of the context. */
  readonly #open = new Set<"body" | "query" | "context">();

  constructor(source: Source) {
    this.#source = source;
  }

  readFunction(code: ts.FunctionLikeDeclaration, index: number): void {
    if (this.#seen.has(code)) return;
    this.#seen.add(code);
    const parameter = code.parameters[index];
    const { body } = code as { readonly body?: ts.Node };
    if (parameter === undefined || body === undefined) return;
    const { name } = parameter;
    if (!ts.isIdentifier(name)) return void this.#open.add("context");
    walk(body, (node) => {
      if (ts.isTypeNode(node)) return false;
      if (ts.isIdentifier(node) && node.text === name.text && isReference(node)) {
        this.#readUse(node);
      }
      return undefined;
    });
  }

  #readUse(context: ts.Identifier): void {
    const { parent } = context;
    if (ts.isCallExpression(parent)) return this.#readPassedOn(parent, context);
    if (!ts.isPropertyAccessExpression(parent)) return void this.#open.add("context");
    const member = parent.name.text;
    const call = parent.parent;
    if (ts.isCallExpression(call) && call.expression === parent) this.#readCall(member, call);
    else if (member === "request") this.#readRequest(parent);
    else if (member === "url") this.#readUrl(parent);
  }

  #readRequest({ parent }: ts.Node): void {
    const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : "";
    if (!["headers", "method", "signal", "url"].includes(member)) this.#open.add("body");
    if (member === "url" || member === "") this.#open.add("query");
  }

  /** `c.url.searchParams.get("q")`; any other use of the query may read all of it. */
  #readUrl({ parent: part }: ts.Node): void {
    const member = ts.isPropertyAccessExpression(part) ? part.name.text : "search";
    if (member === "search" || member === "href") return void this.#open.add("query");
    if (member !== "searchParams") return;
    const read = part.parent;
    const call = read.parent;
    const isRead = ts.isPropertyAccessExpression(read) && ts.isCallExpression(call) &&
      ["get", "getAll", "has"].includes(read.name.text);
    this.#addValue(isRead ? writtenText(call.arguments[0]) : undefined);
  }

  #readCall(member: string, { arguments: [first, second] }: ts.CallExpression): void {
    switch (member) {
      case "bindJson":
        return void this.#addBody(schemaType(this.#source, first));
      case "bind":
      case "tryBind":
        this.#form = this.#addBody(schemaType(this.#source, first)) ?? this.#form;
        return this.#addFiles(second);
      case "bindQuery":
      case "tryBindQuery": {
        const schema = schemaType(this.#source, first);
        if (schema === undefined || this.#query !== undefined) this.#open.add("query");
        else this.#query = schema;
        return;
      }
      case "query":
        return this.#addValue(writtenText(first));
      case "form":
        return this.#addField(writtenText(first), queryValue);
      case "file":
        // Its rules may make the file optional.
        return this.#addField(writtenText(first), second === undefined ? file : optionalFile);
      case "formData":
        return void this.#open.add("body");
    }
  }

  /** `tryBind(Schema, { files: { photo: { … } } })` */
  #addFiles(options: ts.Expression | undefined): void {
    if (options === undefined) return;
    if (!ts.isObjectLiteralExpression(options)) return void this.#open.add("body");
    const files = options.properties.find((each) => writtenName(each.name) === "files");
    if (files === undefined) return;
    const value = ts.isPropertyAssignment(files) ? files.initializer : undefined;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) {
      return void this.#open.add("body");
    }
    for (const { name } of value.properties) this.#addField(writtenName(name), optionalFile);
  }

  /** `readBook(c)`: a function of the same file is read with the handler. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const { arguments: args, expression: callee } = call;
    const { imported, declared } = this.#source.exports;
    const index = args.indexOf(context);
    if (index < 0 || !ts.isIdentifier(callee)) return void this.#open.add("context");
    // What the framework itself reads is neither body nor query: `use(c, Db)`, `csrfInput(c)`.
    const origin = imported.get(callee.text);
    if (origin !== undefined && frameworkEntry(origin.specifier) !== undefined) return;
    const found = functionIn(declared.get(callee.text));
    if (found === undefined) this.#open.add("context");
    else this.readFunction(found, index);
  }

  /** Adds the schema of a body. One that two calls name is one; two are not known to be one body. */
  #addBody(schema: string | undefined): string | undefined {
    if (schema === undefined || (this.#body !== undefined && this.#body !== schema)) {
      this.#open.add("body");
      return undefined;
    }
    return this.#body = schema;
  }

  /** Adds a field that a branch of the handler reads; `undefined` stands for any name. */
  #addField(name: string | undefined, member: ReadMember): void {
    if (name === undefined) this.#open.add("body");
    else join(this.#fields, name, member);
  }

  #addValue(name: string | undefined): void {
    if (name === undefined) this.#open.add("query");
    else join(this.values, name, queryValue);
  }

  finish(declared: string | undefined): HandlerReads {
    const [query, values, open] = [this.#query, this.values, this.#open];
    const isQueryKnown = query !== undefined || values.size > 0;
    const hasMore = isQueryKnown && (open.has("query") || open.has("context"));
    return {
      ...(declared === undefined ? this.#finishBody() : { body: declared }),
      ...(query === undefined ? {} : { query }),
      ...(values.size === 0 && !hasMore ? {} : { values }),
      ...(hasMore ? { hasMoreValues: true } : {}),
    };
  }

  #finishBody(): HandlerReads {
    const [body, form, fields] = [this.#body, this.#form, this.#fields];
    // What is not followed may read more fields than those that are known.
    const hasMore = this.#open.has("context") && (fields.size > 0 || form !== undefined);
    if (this.#open.has("body") || hasMore) return {};
    return {
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
      ...(fields.size === 0 ? {} : { fields }),
    };
  }
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
