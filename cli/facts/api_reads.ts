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
import { type HandlerReads, ReadsDraft } from "./reads_draft.ts";
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
  readonly #draft = new ReadsDraft();

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
      this.#draft.declareValue(name, { type, isOptional: !isRequired });
    }
    return this.#draft.finish(parseBodyDirective(directives, typeNamed));
  }

  /** Reads a function whose parameter `index` is the context. */
  #readFunction(code: ts.FunctionLikeDeclaration, index: number): void {
    const ts = this.#ts;
    if (this.#seen.has(code)) return;
    this.#seen.add(code);
    const parameter = code.parameters[index];
    const { body } = code as { readonly body?: ts.Node };
    if (parameter === undefined || body === undefined) return;
    if (!ts.isIdentifier(parameter.name)) return this.#draft.open();
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
    if (!ts.isPropertyAccessExpression(parent)) return this.#draft.open();
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
    if (!["headers", "method", "signal", "url"].includes(member)) this.#draft.openBody();
    if (member === "url" || member === "") this.#draft.openQuery();
  }

  /** `c.url.searchParams.get("q")`; any other use of the query may read all of it. */
  #readUrl(url: ts.Node): void {
    const ts = this.#ts;
    const part = url.parent;
    if (!ts.isPropertyAccessExpression(part)) return this.#draft.openQuery();
    const member = part.name.text;
    if (member === "search" || member === "href") return this.#draft.openQuery();
    if (member !== "searchParams") return;
    const read = part.parent;
    const call = read.parent;
    const isRead = ts.isPropertyAccessExpression(read) && ts.isCallExpression(call) &&
      ["get", "getAll", "has"].includes(read.name.text);
    this.#draft.addValue(isRead ? this.#literal(call.arguments[0]) : undefined, valueType);
  }

  #readCall(member: string, { arguments: [first, second] }: ts.CallExpression): void {
    const draft = this.#draft;
    switch (member) {
      case "bindJson":
        return draft.addBody(this.#schema(first), { isForm: false });
      case "bind":
      case "tryBind":
        draft.addBody(this.#schema(first), { isForm: true });
        return this.#addFiles(second);
      case "bindQuery":
      case "tryBindQuery":
        return draft.addQuery(this.#schema(first));
      case "query":
        return draft.addValue(this.#literal(first), valueType);
      case "form":
        return draft.addField(this.#literal(first), { type: valueType, isOptional: true });
      case "file":
        // Its rules may make the file optional.
        return draft.addField(
          this.#literal(first),
          second === undefined ? { type: "Blob", isOptional: false } : optionalFile,
        );
      case "formData":
        return draft.openBody();
    }
  }

  /** `tryBind(Schema, { files: { photo: { … } } })` */
  #addFiles(options: ts.Expression | undefined): void {
    const ts = this.#ts;
    if (options === undefined) return;
    if (!ts.isObjectLiteralExpression(options)) return this.#draft.openBody();
    const files = options.properties.find((each) =>
      each.name !== undefined && ts.isIdentifier(each.name) && each.name.text === "files"
    );
    if (files === undefined) return;
    const value = ts.isPropertyAssignment(files) ? files.initializer : undefined;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return this.#draft.openBody();
    for (const { name } of value.properties) {
      const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
      this.#draft.addField(isNamed ? name.text : undefined, optionalFile);
    }
  }

  /** `readBook(c)`: a function of the same file is read with the handler. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const ts = this.#ts;
    const { imported, declared } = this.#source.exports;
    const index = call.arguments.indexOf(context);
    const callee = call.expression;
    if (index < 0 || !ts.isIdentifier(callee)) return this.#draft.open();
    // What the framework itself reads is neither body nor query: `use(c, Db)`, `csrfInput(c)`.
    const origin = imported.get(callee.text);
    if (origin !== undefined && frameworkEntry(origin.specifier) !== undefined) return;
    const found = functionIn(ts, declared.get(callee.text));
    if (found === undefined) return this.#draft.open();
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
}

const optionalFile = { type: "Blob | undefined", isOptional: true };
