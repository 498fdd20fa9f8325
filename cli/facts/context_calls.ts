import type ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import {
  type Compiler,
  constantOf,
  literalNumbers,
  literalText,
  numbersOf,
  propertyOf,
  symbolOf,
  unionMembers,
} from "./compiler.ts";

export function isContextMethod(compiler: Compiler, call: ts.CallExpression): boolean {
  return methodOf(compiler, call) !== undefined || queryOf(compiler, call) !== undefined;
}

function methodOf(compiler: Compiler, call: ts.CallExpression): string | undefined {
  const { ts } = compiler;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  return isMember(compiler, callee.name, { file: "runtime/base/ctx/ctx.ts", owner: "Ctx" })
    ? callee.name.text
    : undefined;
}

function isMember(
  compiler: Compiler,
  name: ts.Node,
  at: { readonly file: string; readonly owner: string },
): boolean {
  const { ts, frameworkFile } = compiler;
  const [declaration] = symbolOf(compiler, name)?.declarations ?? [];
  return declaration !== undefined && ts.isInterfaceDeclaration(declaration.parent) &&
    declaration.parent.name.text === at.owner && frameworkFile(declaration) === at.file;
}

const queryReads: ReadonlySet<string> = new Set(["get", "getAll", "has"]);

/** `c.url.searchParams.get("q")` */
function queryOf(compiler: Compiler, call: ts.CallExpression): Effect | undefined {
  const { ts } = compiler;
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || !queryReads.has(callee.name.text)) return undefined;
  const params = callee.expression;
  if (!ts.isPropertyAccessExpression(params) || params.name.text !== "searchParams") {
    return undefined;
  }
  const url = params.expression;
  const isUrl = ts.isPropertyAccessExpression(url) && url.name.text === "url" &&
    isMember(compiler, url.name, { file: "runtime/base/ctx/ctx.ts", owner: "Ctx" });
  const name = isUrl ? literalText(compiler, call.arguments[0]) : undefined;
  if (name === undefined) return undefined;
  return { kind: "query", name, isList: callee.name.text === "getAll" };
}

export function contextEffects(compiler: Compiler, call: ts.CallExpression): readonly Effect[] {
  const query = queryOf(compiler, call);
  if (query !== undefined) return [query];
  const read = reads[methodOf(compiler, call) ?? ""];
  return read === undefined ? [] : read(compiler, call);
}

type Read = (compiler: Compiler, call: ts.CallExpression) => readonly Effect[];

const reads: Readonly<Record<string, Read>> = {
  json: (compiler, call) => {
    // The types that the call infers, rather than those of its arguments: `{ ok: true }` is a boolean.
    const result = jsonResult(compiler, compiler.checker.getTypeAtLocation(call));
    return result === undefined ? [] : [{ ...result, node: call, isDeclared: false }];
  },
  text: bodyOf("text/plain"),
  html: bodyOf("text/html"),
  render: bodyOf("text/html"),
  renderAll: bodyOf("text/html"),
  noContent: () => [{ kind: "empty", status: 204 }],
  redirect: (compiler, { arguments: [, status] }) => [{
    kind: "redirect",
    statuses: status === undefined ? [303] : literalNumbers(compiler, status) ?? [303],
  }],
  status: (compiler, { arguments: [status] }) => {
    const statuses = literalNumbers(compiler, status);
    return statuses === undefined ? [] : [{ kind: "status", statuses }];
  },
  header: (compiler, { arguments: [name, value] }) => {
    const text = literalText(compiler, name);
    if (text === undefined) return [];
    return [{ kind: "header", name: text.toLowerCase(), value: literalText(compiler, value) }];
  },
  etag: () => [{ kind: "conditional" }],
  lastModified: () => [{ kind: "conditional" }],
  upgrade: () => [{ kind: "upgrade" }],
  bind: bindOf("body"),
  tryBind: bindOf("body", { isTried: true }),
  bindJson: bindOf("json"),
  bindQuery: bindOf("query"),
  tryBindQuery: bindOf("query", { isTried: true }),
  param: (compiler, { arguments: [name, field] }) => {
    const text = literalText(compiler, name);
    if (text === undefined) return [];
    const schema = field && { expression: field, type: valueType(compiler, field) };
    return [{ kind: "param", name: text, schema }];
  },
  query: (compiler, { arguments: [name] }) => {
    const text = literalText(compiler, name);
    return text === undefined ? [] : [{ kind: "query", name: text, isList: false }];
  },
  form: (compiler, { arguments: [name] }) => [{
    kind: "field",
    name: literalText(compiler, name),
  }],
  formData: () => [{ kind: "field", name: undefined }],
  file: (compiler, { arguments: [name, rules] }) => {
    const text = literalText(compiler, name);
    if (text === undefined) return [];
    const optional = propertyOf(compiler, rules, "optional");
    return [{
      kind: "file",
      name: text,
      accept: textsOf(compiler, propertyOf(compiler, rules, "accept")),
      isOptional: optional?.kind === compiler.ts.SyntaxKind.TrueKeyword,
    }];
  },
};

function bodyOf(media: string): Read {
  return (compiler, call) => [{
    kind: "body",
    statuses: literalNumbers(compiler, call.arguments[0]),
    media,
    node: call,
  }];
}

function bindOf(
  from: "json" | "body" | "query",
  { isTried = false }: { readonly isTried?: boolean } = {},
): Read {
  return (compiler, { arguments: [schema] }) =>
    schema === undefined ? [] : [{
      kind: "bind",
      from,
      isTried,
      schema: { expression: schema, type: valueType(compiler, schema) },
    }];
}

function valueType({ checker }: Compiler, schema: ts.Expression): ts.Type {
  const type = checker.getTypeAtLocation(schema);
  // `~output` of a field, and of a struct; the types of another library are in `~standard`.
  const output = type.getProperty("~output");
  if (output !== undefined) return checker.getNonNullableType(checker.getTypeOfSymbol(output));
  const standard = type.getProperty("~standard");
  const types = standard && checker.getTypeOfSymbol(standard).getProperty("types");
  const input = types &&
    checker.getNonNullableType(checker.getTypeOfSymbol(types)).getProperty("input");
  return input === undefined ? checker.getAnyType() : checker.getTypeOfSymbol(input);
}

function textsOf(compiler: Compiler, expression: ts.Expression | undefined): readonly string[] {
  const { ts } = compiler;
  const list = expression && constantOf(compiler, expression);
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((each) => literalText(compiler, each) ?? []);
}

export function streamEffect(compiler: Compiler, call: ts.CallExpression): Effect | undefined {
  const { ts, checker } = compiler;
  if (methodOf(compiler, call) !== "stream") return undefined;
  const events = new Map<string, ts.Type | undefined>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      const at = { file: "runtime/base/ctx/streams.ts", owner: "EventStream" };
      const event = literalText(compiler, node.arguments[0]);
      const value = node.arguments[1];
      if (isMember(compiler, name, at)) {
        if (name.text === "done") events.set("done", undefined);
        if (event !== undefined && name.text === "send") events.set(event, undefined);
        if (event !== undefined && name.text === "json" && value !== undefined) {
          events.set(event, checker.getTypeAtLocation(value));
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  const [handler] = call.arguments;
  if (handler !== undefined) visit(constantOf(compiler, handler));
  return { kind: "stream", events, node: call };
}

export function resultEffects(compiler: Compiler, handler: ts.Symbol): readonly Effect[] {
  const { ts, checker, frameworkFile } = compiler;
  const node = handler.valueDeclaration;
  if (node === undefined) return [];
  const [signature] = checker.getTypeOfSymbol(handler).getCallSignatures();
  if (signature === undefined) return [];
  const result = checker.getReturnTypeOfSignature(signature);
  const type = checker.getAwaitedType(result) ?? result;
  const effects: Effect[] = [];
  const { Void, Undefined, Null } = ts.TypeFlags;
  const parts = unionMembers(type);
  // `Result` allows everything and tells nothing.
  const isResult = parts.some((part) => part.getSymbol()?.name === "Redirect");
  for (const part of parts) {
    const json = jsonResult(compiler, part);
    const [declaration] = part.getSymbol()?.declarations ?? [];
    const file = declaration && frameworkFile(declaration);
    if (json !== undefined) effects.push({ ...json, node, isDeclared: true });
    else if (isResult) continue;
    else if (part.flags & (Void | Undefined | Null)) effects.push({ kind: "empty", status: 204 });
    else if (file === "html/node.ts") {
      effects.push({ kind: "body", statuses: [200], media: "text/html", node });
    }
  }
  return effects;
}

function jsonResult(
  { checker, frameworkFile }: Compiler,
  type: ts.Type,
): Pick<Effect & { readonly kind: "json" }, "kind" | "statuses" | "type"> | undefined {
  const symbol = type.getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  if (symbol?.name !== "JsonResponse" || declaration === undefined) return undefined;
  if (frameworkFile(declaration) === undefined) return undefined;
  const [status, value] = checker.getTypeArguments(type as ts.TypeReference);
  if (status === undefined || value === undefined) return undefined;
  return { kind: "json", statuses: numbersOf(status), type: value };
}
