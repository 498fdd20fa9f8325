/** Applies the directives of a handler's doc comment, `openapi:response 200 Event`, to its operation. */
import { cutText } from "@fw/fw/addon";
import { STATUS_TEXT } from "@std/http/status";
import ts from "npm:typescript@6.0.3";
import { type Compiler, initializerOf, isOwn } from "../../facts/compiler.ts";
import type { Directive } from "../../facts/doc_comment.ts";
import type { SchemaUse } from "../../facts/effects.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import type { ApiContext } from "./context.ts";
import {
  mediaTypes,
  type Operation,
  type Parameter,
  type ResponseObject,
  type Schema,
} from "./document.ts";
import { contentSchema } from "./responses.ts";

interface Applied {
  readonly handler: ApiHandler;
  readonly api: ApiContext;
  /** The body of an error, for a response whose directive names none. */
  readonly errors: ResponseObject["content"];
}

const maxTextChars = 2_000;

export function applyDirectives(operation: Operation, applied: Applied): void {
  const { directives } = applied.handler.comment;
  for (const directive of directives) {
    const apply = kinds.get(directive.name);
    // Each `[]` of a type is a level of recursion.
    const isUsable = directive.text.length <= maxTextChars;
    if (apply === undefined || !isUsable) report(directive, applied, "response 200 Event");
    else apply(operation, directive, applied);
  }
  const tags = directives.filter(({ name, text }) => name === "tag" && text !== "");
  if (tags.length > 0) operation.tags = tags.map(({ text }) => text);
}

type Apply = (operation: Operation, directive: Directive, applied: Applied) => void;

const kinds: ReadonlyMap<string, Apply> = new Map(Object.entries<Apply>({
  tag: () => {},
  response: ({ responses }, directive, applied) => {
    const [, status = "", type = ""] = /^([1-5]\d\d)(?:\s+(.+))?$/.exec(directive.text) ?? [];
    if (status === "") return report(directive, applied, "response 201 Event");
    const known = responses[status];
    const content = type !== ""
      ? bodyContent(type, directive, applied)
      : Number(status) < 400
      ? undefined
      : applied.errors;
    // A directive declares a type that the code leaves open.
    const { [mediaTypes.any]: _, ...others } = known?.content ?? {};
    responses[status] = {
      ...(known ?? { description: STATUS_TEXT[Number(status)] ?? `Status ${status}` }),
      ...(content === undefined ? {} : { content: { ...others, ...content } }),
    };
  },
  body: (operation, directive, applied) => {
    if (directive.text === "") return report(directive, applied, "body Event");
    const content = bodyContent(directive.text, directive, applied);
    operation.requestBody = {
      required: true,
      content: { ...operation.requestBody?.content, ...content },
    };
  },
  query: (operation, directive, applied) => {
    const [, name = "", type = "", description = ""] =
      /^(\S+)\s+(\S+)(?:\s+(.+))?$/.exec(directive.text) ?? [];
    // A union needs a name, and must not be taken for a description.
    if (name === "" || description.startsWith("|")) {
      return report(directive, applied, "query page integer The number of the page");
    }
    const schema = typeSchema(type, directive, applied);
    if (schema === undefined) return;
    const parameter: Parameter = {
      name: name.replace(/!$/, ""),
      in: "query",
      ...(description === "" ? {} : { description }),
      ...(name.endsWith("!") ? { required: true } : {}),
      schema,
    };
    const others = (operation.parameters ?? []).filter((each) =>
      each.in !== "query" || each.name !== parameter.name
    );
    operation.parameters = [...others, parameter];
  },
}));

function report({ name, text, line }: Directive, { handler, api }: Applied, like: string): void {
  const shown = `openapi:${name} ${cutText(text, 200)}`.trim();
  const problem = api.texts.directive(shown, `openapi:${like}`);
  api.report("E_OPENAPI_DIRECTIVE", { file: handler.route.file.path, line }, problem);
}

function bodyContent(
  type: string,
  directive: Directive,
  applied: Applied,
): NonNullable<ResponseObject["content"]> {
  if (/^[\w.+*-]+\/[\w.+*-]+$/.test(type)) return { [type]: { schema: contentSchema(type) } };
  const schema = typeSchema(type, directive, applied);
  return schema === undefined ? {} : { [mediaTypes.json]: { schema } };
}

function typeSchema(text: string, { line }: Directive, applied: Applied): Schema | undefined {
  const { handler: { method, route }, api } = applied;
  const { path: file } = route.file;
  const scope = api.compiler.program.getSourceFile(file);
  const reportType = (name: string): void => {
    const problem = api.texts.directiveType(`${method} ${route.pattern}`, file, name);
    api.report("E_OPENAPI_TYPE", { file, line }, problem);
  };
  return scope && writtenSchema(text, { api, scope, reportType });
}

interface Scope {
  readonly api: ApiContext;
  readonly scope: ts.SourceFile;
  readonly reportType: (name: string) => void;
}

const words: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  "date-time": { type: "string", format: "date-time" },
  uuid: { type: "string", format: "uuid" },
  uri: { type: "string", format: "uri" },
  email: { type: "string", format: "email" },
  null: { type: "null" },
};

function writtenSchema(type: string, scope: Scope): Schema | undefined {
  const item = /^(.*)\[\]$/.exec(type)?.[1];
  if (item === undefined) {
    return Object.hasOwn(words, type) ? words[type] : declaredSchema(type, scope);
  }
  const items = writtenSchema(item, scope);
  return items && { type: "array", items };
}

function declaredSchema(name: string, { api, scope, reportType }: Scope): Schema | undefined {
  const { compiler, describeType, inputs } = api;
  const constant = schemaConstant(compiler, name, scope);
  if (constant !== undefined) return inputs.of(constant).json;
  const declared = namedIn(compiler, name, scope)
    .find(({ flags }) => flags & ts.SymbolFlags.Type);
  if (declared === undefined) return void reportType(name);
  const type = compiler.checker.getDeclaredTypeOfSymbol(declared);
  return describeType(type, (fault) => reportType(fault.type));
}

function schemaConstant(
  compiler: Compiler,
  name: string,
  scope: ts.SourceFile,
): SchemaUse | undefined {
  for (const symbol of namedIn(compiler, name, scope)) {
    const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
    const initializer = isValue ? initializerOf(symbol) : undefined;
    const type = initializer && compiler.checker.getTypeAtLocation(initializer);
    const isSchema = type?.getProperty("~standard") ?? type?.getProperty("~output");
    const declaration = symbol.valueDeclaration;
    if (!isSchema || type === undefined || declaration === undefined) continue;
    if (ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name)) {
      return { expression: declaration.name, type };
    }
  }
  return undefined;
}

/** Finds a name in a file, else among all exports: linters forbid imports for comments. */
function namedIn(compiler: Compiler, name: string, source: ts.SourceFile): readonly ts.Symbol[] {
  const { checker, program } = compiler;
  const { Type, Value, Alias } = ts.SymbolFlags;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return [];
  const own = checker.getSymbolsInScope(source, Type | Value | Alias)
    // Globals of the platform, such as `Event`, are not types of an API.
    .filter(({ name: each, flags, declarations }) =>
      each === name && (flags & Alias || declarations?.some(isOwn))
    )
    // Only the exported symbol has type flags.
    .map((symbol) =>
      symbol.flags & Alias ? compiler.aliased(symbol) : checker.getExportSymbolOfSymbol(symbol)
    );
  if (own.length > 0) return own;
  const exported = new Set(
    program.getSourceFiles().filter(isOwn).flatMap((file) => compiler.exported(file, name) ?? []),
  );
  // If two types share the name, the file must import one of them.
  return exported.size === 1 ? [...exported] : [];
}
