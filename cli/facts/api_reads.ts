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
import { frameworkEntry } from "../project/sources/module_names.ts";
import { Names } from "../project/sources/names.ts";
import { resolveSpecifier, type Source, type Sources } from "../project/sources/sources.ts";
import { containsNode, functionIn, walk } from "../project/sources/syntax.ts";
import { isReference } from "./reach.ts";

export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

/** The input types of a handler, as source text; a part of unknown type is absent. */
export type HandlerReads = Readonly<Partial<Record<"body" | "form" | "query", string>>>;

export function findApiReads(sources: Sources, routes: readonly Route[]): ApiReads {
  const names = new Names(sources);
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  return new Map(files.map((file) => {
    const methods = routeMethods.filter((name) => file.names.has(name));
    const reads = methods.flatMap((name) => {
      const { node, file: path = "" } = names.find(file.path, name) ?? {};
      const source = sources.read(path);
      const code = functionIn(node);
      return source && code ? [[name, readHandler(source, code)] as const] : [];
    });
    return [file, new Map(reads)];
  }));
}

/** The schemas of a part; `undefined` marks a read without a named schema. */
type Schemas = Set<string | undefined>;

function readHandler(source: Source, start: ts.FunctionLikeDeclaration): HandlerReads {
  const [body, query]: readonly [Schemas, Schemas] = [new Set(), new Set()];
  let isForm = false;
  /** The context is passed to a function that cannot be followed. */
  let isPassedOn = false;
  // Each function that gets the context, with the index of its parameter; the loop below visits those added.
  const functions = new Map([[start, 0]]);
  const readUse = (context: ts.Identifier): void => {
    const { parent } = context;
    if (ts.isCallExpression(parent)) return passOn(parent, context);
    if (!ts.isPropertyAccessExpression(parent)) return void (isPassedOn = true);
    const { name: { text: member }, parent: user } = parent;
    const part = ts.isPropertyAccessExpression(user) ? user.name.text : "";
    if (ts.isCallExpression(user) && user.expression === parent) readCall(member, user);
    else if (member === "request") {
      if (!/^(?:headers|method|signal|url)$/.test(part)) body.add(undefined);
      if (part === "" || part === "url") query.add(undefined);
    } else if (member === "url" && /^(?:|href|search|searchParams)$/.test(part)) {
      query.add(undefined);
    }
  };
  const readCall = (member: string, { arguments: [first, options] }: ts.CallExpression): void => {
    if (/^(?:form|file|formData)$/.test(member)) body.add(undefined);
    if (member === "query") query.add(undefined);
    const [, part] = /^(?:bind|tryBind)(|Json|Query)$/.exec(member) ?? [];
    if (part === undefined) return;
    const reads = part === "Query" ? query : body;
    reads.add(schemaType(source, first));
    if (part !== "") return;
    isForm = true;
    // The options contain the rules of files, which the schema does not describe.
    if (options !== undefined) reads.add(undefined);
  };
  /** Follows `readBook(c)` into a function of the same file. */
  const passOn = ({ arguments: args, expression }: ts.CallExpression, context: ts.Expression) => {
    const name = ts.isIdentifier(expression) ? expression.text : "";
    const { imported, declared } = source.exports;
    // The framework's own functions, such as `use(c, Db)`, read neither body nor query.
    if (frameworkEntry(imported.get(name)?.specifier ?? "") !== undefined) return;
    const found = functionIn(declared.get(name));
    if (found === undefined) isPassedOn = true;
    else functions.getOrInsert(found, args.indexOf(context));
  };
  for (const [{ parameters, body: code }, index] of functions) {
    const name = parameters[index]?.name;
    if (name === undefined || code === undefined) continue;
    if (!ts.isIdentifier(name)) isPassedOn = true;
    else {
      walk(code, (node) => {
        if (ts.isTypeNode(node)) return false;
        const isUse = ts.isIdentifier(node) && node.text === name.text && isReference(node);
        if (isUse) readUse(node);
        return undefined;
      });
    }
  }
  // A JSON body can be read only once, but a form and a query can be read again elsewhere.
  const [ofBody, ofQuery] = [body, query].map((all) => all.size === 1 ? [...all][0] : undefined);
  return {
    ...ofBody && !(isForm && isPassedOn) ? { body: ofBody, ...isForm ? { form: ofBody } : {} } : {},
    ...ofQuery && !isPassedOn ? { query: ofQuery } : {},
  };
}

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
