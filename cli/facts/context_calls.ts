import ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, numbersOf, unionMembers } from "./compiler.ts";

function methodOf(
  compiler: Compiler,
  { expression: callee }: ts.CallExpression,
): string | undefined {
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const symbol = compiler.symbolOf(callee.name);
  const owner = symbol?.declarations?.[0]?.parent;
  const isCtx = owner !== undefined && ts.isInterfaceDeclaration(owner) &&
    ["Ctx", "ResponseSide"].includes(owner.name.text) &&
    compiler.originFile(symbol)?.startsWith("runtime/base/ctx/") === true;
  return isCtx ? callee.name.text : undefined;
}

/** Returns the effects of a call of the request's context; `undefined` for any other call. */
export function contextEffects(
  compiler: Compiler,
  call: ts.CallExpression,
): readonly Effect[] | undefined {
  const method = methodOf(compiler, call);
  return method === undefined ? undefined : reads[method]?.(compiler, call) ?? [];
}

type Read = (compiler: Compiler, call: ts.CallExpression) => readonly Effect[];

const reads: Readonly<Record<string, Read>> = {
  json: (compiler, call) => {
    // Use the types that the call infers, which are wider: `true` in `{ ok: true }` is a boolean.
    const result = jsonResult(compiler, compiler.checker.getTypeAtLocation(call));
    return result === undefined ? [] : [{ ...result, node: call, isDeclared: false }];
  },
  text: bodyOf("text/plain"),
  html: bodyOf("text/html"),
  render: bodyOf("text/html"),
  renderAll: bodyOf("text/html"),
  download: (compiler, call) => [{
    kind: "body",
    statuses: [200],
    media: compiler.literalText(compiler.propertyOf(call.arguments[1], "type")),
    node: call,
  }],
  noContent: () => [{ kind: "empty", status: 204 }],
  redirect: (compiler, { arguments: [, status] }) => [{
    kind: "redirect",
    statuses: compiler.literalNumbers(status) ?? [303],
  }],
  status: (compiler, { arguments: [status] }) => {
    const statuses = compiler.literalNumbers(status);
    return statuses === undefined ? [] : [{ kind: "status", statuses }];
  },
  header: (compiler, { arguments: [name, value] }) =>
    named(compiler.literalText(name), (text) => ({
      kind: "header",
      name: text.toLowerCase(),
      value: compiler.literalText(value),
    })),
  etag: () => [{ kind: "conditional" }],
  lastModified: () => [{ kind: "conditional" }],
  ifMatch: () => [{
    kind: "error",
    statuses: [412],
    message: "If-Match names another version.",
  }],
  stream: () => [{ kind: "stream" }],
  upgrade: () => [{ kind: "upgrade" }],
  bind: bindOf("body"),
  tryBind: bindOf("body", { isTried: true }),
  bindJson: bindOf("json"),
  bindQuery: bindOf("query"),
  tryBindQuery: bindOf("query", { isTried: true }),
  param: (compiler, { arguments: [name, field] }) =>
    named(compiler.literalText(name), (text) => ({
      kind: "param",
      name: text,
      schema: field && { expression: field, type: valueType(compiler, field) },
    })),
  query: (compiler, { arguments: [name] }) =>
    named(compiler.literalText(name), (text) => ({ kind: "query", name: text })),
  form: (compiler, { arguments: [name] }) => [{
    kind: "field",
    name: compiler.literalText(name),
  }],
  formData: () => [{ kind: "field", name: undefined }],
  file: (compiler, { arguments: [name, rules] }) =>
    named(compiler.literalText(name), (text) => ({
      kind: "file",
      name: text,
      accept: textsOf(compiler, compiler.propertyOf(rules, "accept")),
      isOptional: compiler.propertyOf(rules, "optional")?.kind === ts.SyntaxKind.TrueKeyword,
    })),
};

function named(name: string | undefined, effect: (name: string) => Effect): readonly Effect[] {
  return name === undefined ? [] : [effect(name)];
}

function bodyOf(media: string): Read {
  return (compiler, call) => [{
    kind: "body",
    statuses: compiler.literalNumbers(call.arguments[0]),
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
  // Fields and structs have `~output`; other libraries have their types in `~standard`.
  const output = type.getProperty("~output");
  if (output !== undefined) return checker.getNonNullableType(checker.getTypeOfSymbol(output));
  const standard = type.getProperty("~standard");
  const types = standard && checker.getTypeOfSymbol(standard).getProperty("types");
  const input = types &&
    checker.getNonNullableType(checker.getTypeOfSymbol(types)).getProperty("input");
  return input === undefined ? checker.getAnyType() : checker.getTypeOfSymbol(input);
}

function textsOf(compiler: Compiler, expression: ts.Expression | undefined): readonly string[] {
  const list = expression && compiler.constantOf(expression);
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((each) => compiler.literalText(each) ?? []);
}

export function resultEffects(compiler: Compiler, handler: ts.Symbol): readonly Effect[] {
  const { checker } = compiler;
  const node = handler.valueDeclaration;
  const [signature] = checker.getTypeOfSymbol(handler).getCallSignatures();
  if (node === undefined || signature === undefined) return [];
  const result = checker.getReturnTypeOfSignature(signature);
  const parts = unionMembers(checker.getAwaitedType(result) ?? result);
  const { Void, Undefined, Null } = ts.TypeFlags;
  // The type `Result` allows every response, so it describes none.
  const isResult = parts.some((part) => part.getSymbol()?.name === "Redirect");
  return parts.flatMap((part): readonly Effect[] => {
    const json = jsonResult(compiler, part);
    if (json !== undefined) return [{ ...json, node, isDeclared: true }];
    if (isResult) return [];
    if (part.flags & (Void | Undefined | Null)) return [{ kind: "empty", status: 204 }];
    return compiler.originFile(part.getSymbol()) === "html/node.ts"
      ? [{ kind: "body", statuses: [200], media: "text/html", node }]
      : [];
  });
}

function jsonResult(
  compiler: Compiler,
  type: ts.Type,
): Pick<Effect & { readonly kind: "json" }, "kind" | "statuses" | "type"> | undefined {
  const symbol = type.getSymbol();
  if (symbol?.name !== "JsonResponse" || compiler.originFile(symbol) === undefined) {
    return undefined;
  }
  const [status, value] = compiler.checker.getTypeArguments(type as ts.TypeReference);
  if (status === undefined || value === undefined) return undefined;
  return { kind: "json", statuses: numbersOf(status), type: value };
}
