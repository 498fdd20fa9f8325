/**
 * Finds what the handlers of the API read: the schemas of `bind`, `bindJson` and `bindQuery`, and fields
 * that they read one by one. `type Api` of the generated file names them, so that the compiler checks
 * what callers send.
 *
 * The syntax decides, as for the routes: a schema counts if the generated file can name it, so if its
 * file exports it.
 *
 * @module
 */
import { routeMethods } from "@fw/fw/conventions";
import type ts from "typescript";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { importsOf } from "../project/sources/imports.ts";
import type { Source, Sources } from "../project/sources/sources.ts";
import { ExportedNames } from "./exported_names.ts";
import { readBodyDirective, readQueryDirectives } from "./read_directives.ts";

/** What a handler reads, as the text of types; a part that is not known is absent. */
export interface HandlerReads {
  /** JSON. */
  readonly body?: string;
  /** A form. */
  readonly form?: string;
  /** Fields of a form that are read one by one, and files: the types by name. */
  readonly fields?: ReadonlyMap<string, string>;
  /** The query. */
  readonly query?: string;
  /** Values of the query that are read one by one: the types by name. */
  readonly values?: ReadonlyMap<string, string>;
}

/** Reads what the handlers of the API read, by route file and method. */
export function readApi(
  sources: Sources,
  routes: readonly Route[],
): ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>> {
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  return new Map(files.map((file) => [file, readRouteFile(sources, file)]));
}

function readRouteFile(
  sources: Sources,
  file: ConventionFile,
): ReadonlyMap<string, HandlerReads> {
  const found = new Map<string, HandlerReads>();
  for (const [name, exported] of file.names) {
    if (!routeMethods.includes(name as typeof routeMethods[number])) continue;
    const lookup = sources.follow(file.path, exported);
    if (lookup.kind !== "found" || lookup.path === undefined) continue;
    const source = sources.read(lookup.path);
    // A renamed re-export keeps the name of its own file there.
    const own = exported.from?.name ?? name;
    const handler = source && findFunction(sources, source, own);
    if (source === undefined || handler === undefined) continue;
    found.set(name, new Reader(sources, source).read(handler));
  }
  return found;
}

/** A function, and the statement that may carry its comment. */
interface Found {
  readonly code: ts.FunctionLikeDeclaration;
  readonly statement: ts.Statement;
}

/** Finds a function that a file declares at its top level. */
function findFunction({ ts }: Sources, { tree }: Source, name: string): Found | undefined {
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) {
      return { code: statement, statement };
    }
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: own, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(own) || own.text !== name || initializer === undefined) continue;
      const value = ts.isSatisfiesExpression(initializer) || ts.isAsExpression(initializer)
        ? initializer.expression
        : initializer;
      if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) {
        return { code: value, statement };
      }
    }
  }
  return undefined;
}

/** What is known while a handler is read. */
interface Draft {
  body: string | undefined;
  form: string | undefined;
  readonly fields: Map<string, string>;
  query: string | undefined;
  readonly values: Map<string, string>;
  /** Whether something reads the body, or the query, in a way that the syntax does not tell. */
  isBodyOpen: boolean;
  isQueryOpen: boolean;
  /** Whether the context goes where the syntax does not follow. */
  isOpen: boolean;
}

/** A value of a query or a field of a form, which may be a list. */
const valueType = "QueryValue";

class Reader {
  readonly #sources: Sources;
  readonly #source: Source;
  readonly #names: ExportedNames;
  readonly #seen = new Set<ts.Node>();
  readonly #draft: Draft = {
    body: undefined,
    form: undefined,
    fields: new Map(),
    query: undefined,
    values: new Map(),
    isBodyOpen: false,
    isQueryOpen: false,
    isOpen: false,
  };

  constructor(sources: Sources, source: Source) {
    this.#sources = sources;
    this.#source = source;
    this.#names = new ExportedNames(sources, source);
  }

  read({ code, statement }: Found): HandlerReads {
    this.#readFunction(code, 0);
    const draft = this.#draft;
    const comment = this.#commentOf(statement);
    const typeNamed = (name: string): string | undefined => this.#names.typeNamed(name);
    const declared = readBodyDirective(comment, typeNamed);
    for (const { name, type, isRequired } of readQueryDirectives(comment, typeNamed)) {
      draft.values.delete(`${keyOf(name)}?`);
      draft.values.set(isRequired ? keyOf(name) : `${keyOf(name)}?`, type);
    }
    const isQueryKnown = draft.query !== undefined || draft.values.size > 0;
    if (draft.isQueryOpen && isQueryKnown) draft.values.set("readonly [name: string]", "unknown");
    return {
      ...(declared === undefined ? this.#bodyReads() : { body: declared }),
      ...(draft.query === undefined ? {} : { query: draft.query }),
      ...(draft.values.size === 0 ? {} : { values: draft.values }),
    };
  }

  #bodyReads(): HandlerReads {
    const { body, form, fields, isBodyOpen, isOpen } = this.#draft;
    // What is not followed may read more fields than those that are known.
    if (isBodyOpen || (isOpen && fields.size > 0)) return {};
    return {
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
      ...(fields.size === 0 ? {} : { fields }),
    };
  }

  #commentOf(statement: ts.Statement): string {
    const { ts } = this.#sources;
    const comment = ts.getJSDocCommentsAndTags(statement).findLast((each) => ts.isJSDoc(each));
    return comment?.getText(this.#source.tree) ?? "";
  }

  /** Reads a function whose parameter `index` is the context. */
  #readFunction(code: ts.FunctionLikeDeclaration, index: number): void {
    const { ts } = this.#sources;
    if (this.#seen.has(code)) return;
    this.#seen.add(code);
    const parameter = code.parameters[index];
    const { body } = code as { readonly body?: ts.Node };
    if (parameter === undefined || body === undefined) return;
    if (!ts.isIdentifier(parameter.name)) return this.#open();
    const name = parameter.name.text;
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node)) return;
      if (ts.isIdentifier(node) && node.text === name && !isName(ts, node)) this.#readUse(node);
      ts.forEachChild(node, visit);
    };
    visit(body);
  }

  /** Reads one use of the context. */
  #readUse(context: ts.Identifier): void {
    const { ts } = this.#sources;
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
    const { ts } = this.#sources;
    const { parent } = request;
    const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : "";
    if (!["headers", "method", "signal", "url"].includes(member)) this.#draft.isBodyOpen = true;
    if (member === "url" || member === "") this.#draft.isQueryOpen = true;
  }

  /** `c.url.searchParams.get("q")`; any other use of the query may read all of it. */
  #readUrl(url: ts.Node): void {
    const { ts } = this.#sources;
    const part = url.parent;
    if (!ts.isPropertyAccessExpression(part)) {
      this.#draft.isQueryOpen = true;
      return;
    }
    if (part.name.text !== "searchParams") {
      if (part.name.text === "search" || part.name.text === "href") this.#draft.isQueryOpen = true;
      return;
    }
    const read = part.parent;
    const call = read.parent;
    const isRead = ts.isPropertyAccessExpression(read) && ts.isCallExpression(call) &&
      ["get", "getAll", "has"].includes(read.name.text);
    const name = isRead ? this.#literal(call.arguments[0]) : undefined;
    if (name === undefined) this.#draft.isQueryOpen = true;
    else this.#addValue(name);
  }

  #readCall(member: string, call: ts.CallExpression): void {
    const draft = this.#draft;
    const [first] = call.arguments;
    switch (member) {
      case "bindJson":
        this.#addBody(this.#names.schema(first), { isForm: false });
        return;
      case "bind":
      case "tryBind":
        this.#addBody(this.#names.schema(first), { isForm: true });
        this.#addFiles(call.arguments[1]);
        return;
      case "bindQuery":
      case "tryBindQuery": {
        const schema = this.#names.schema(first);
        if (schema === undefined || draft.query !== undefined) draft.isQueryOpen = true;
        else draft.query = schema;
        return;
      }
      case "query": {
        const name = this.#literal(first);
        if (name === undefined) draft.isQueryOpen = true;
        else this.#addValue(name);
        return;
      }
      case "form": {
        const name = this.#literal(first);
        if (name === undefined) draft.isBodyOpen = true;
        else draft.fields.set(`${keyOf(name)}?`, valueType);
        return;
      }
      case "file": {
        const name = this.#literal(first);
        if (name === undefined) draft.isBodyOpen = true;
        else if (call.arguments.length > 1) {
          // Its rules may make the file optional.
          draft.fields.set(`${keyOf(name)}?`, "Blob | undefined");
        } else draft.fields.set(keyOf(name), "Blob");
        return;
      }
      case "formData":
        draft.isBodyOpen = true;
    }
  }

  /** A schema that two calls name is one; two schemas are not known to be one body. */
  #addBody(schema: string | undefined, { isForm }: { readonly isForm: boolean }): void {
    const draft = this.#draft;
    if (schema === undefined || (draft.body !== undefined && draft.body !== schema)) {
      draft.isBodyOpen = true;
      return;
    }
    draft.body = schema;
    if (isForm) draft.form = schema;
  }

  /** `tryBind(Schema, { files: { photo: { … } } })` */
  #addFiles(options: ts.Expression | undefined): void {
    const { ts } = this.#sources;
    if (options === undefined) return;
    if (!ts.isObjectLiteralExpression(options)) {
      this.#draft.isBodyOpen = true;
      return;
    }
    const files = options.properties.find((each) =>
      each.name !== undefined && ts.isIdentifier(each.name) && each.name.text === "files"
    );
    if (files === undefined) return;
    const value = ts.isPropertyAssignment(files) ? files.initializer : undefined;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) {
      this.#draft.isBodyOpen = true;
      return;
    }
    for (const { name } of value.properties) {
      if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) {
        this.#draft.isBodyOpen = true;
      } else this.#draft.fields.set(`${keyOf(name.text)}?`, "Blob | undefined");
    }
  }

  #addValue(name: string): void {
    this.#draft.values.set(`${keyOf(name)}?`, valueType);
  }

  /** `readBook(c)`: a function of the same file is read with the handler. */
  #readPassedOn(call: ts.CallExpression, context: ts.Identifier): void {
    const { ts } = this.#sources;
    const index = call.arguments.indexOf(context);
    const callee = call.expression;
    if (index < 0 || !ts.isIdentifier(callee)) return this.#open();
    // What the framework itself reads is no body and no query: `use(c, Db)`, `csrfInput(c)`.
    const imported = importsOf(ts, this.#source.tree).find(({ local }) => local === callee.text);
    if (imported !== undefined && /^(?:jsr:)?@fw\/fw(?:@|\/|$)/.test(imported.specifier)) return;
    const found = findFunction(this.#sources, this.#source, callee.text);
    if (found === undefined) return this.#open();
    this.#readFunction(found.code, index);
  }

  /** The context goes where the syntax does not follow, so anything may be read there. */
  #open(): void {
    this.#draft.isQueryOpen = true;
    this.#draft.isOpen = true;
  }

  #literal(argument: ts.Expression | undefined): string | undefined {
    return argument !== undefined && this.#sources.ts.isStringLiteralLike(argument)
      ? argument.text
      : undefined;
  }
}

/** Returns a name as a member of a type. */
function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Whether an identifier only names a member: `x.c`, `{ c: 1 }`. */
function isName(parser: typeof ts, node: ts.Identifier): boolean {
  const { parent } = node;
  return (parser.isPropertyAccessExpression(parent) && parent.name === node) ||
    (parser.isPropertyAssignment(parent) && parent.name === node) ||
    (parser.isBindingElement(parent) && parent.propertyName === node);
}
