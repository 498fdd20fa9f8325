/** Finds the inputs and outputs of an operation, with types by name as the code writes them. */
import { cutText } from "@fw/fw/addon";
import ts from "npm:typescript@6.0.3";
import { type Directive, docCommentOf } from "../../facts/doc_comment.ts";
import type { Declaration } from "../../project/sources/names.ts";
import type { Operation } from "../../facts/operations.ts";
import type { Reach, ReachedCall } from "../../facts/reach.ts";
import { functionIn, walk, writtenText } from "../../project/sources/syntax.ts";

export interface InputShape {
  readonly in: "path" | "query" | "body" | "file";
  readonly type: string;
}

export interface OutputShape {
  readonly status?: number;
  /** A type name, or `html`, `text`, `event-stream`, `redirect`. */
  readonly type: string;
}

const readers: ReadonlyMap<string, InputShape["in"]> = new Map([
  ...["bind", "tryBind", "bindJson", "form"].map((name) => [name, "body"] as const),
  ...["bindQuery", "tryBindQuery", "query"].map((name) => [name, "query"] as const),
  ["file", "file"],
]);

const maxTypeChars = 160;

export function inputOf({ route, handler }: Operation, reach: Reach): InputShape[] {
  const path = new Map<string, string>(route.params.map(({ name }) => [name, name]));
  for (const { node: { arguments: [first, field] } } of ownCalls(handler, reach, ["param"])) {
    const name = first && writtenText(first);
    if (name !== undefined && field !== undefined) path.set(name, `${name}: ${lineOf(field)}`);
  }
  const found = new Map<string, InputShape>();
  const add = (place: InputShape["in"], key: string, type = key): void =>
    void found.set(`${place} ${key}`, { in: place, type });
  for (const { name, node: { arguments: [first] } } of ownCalls(handler, reach, readers.keys())) {
    const place = readers.get(name);
    if (first !== undefined && place !== undefined) add(place, writtenText(first) ?? lineOf(first));
  }
  for (const { name, text } of readDirectives(handler)) {
    const [, value = "", type = ""] = /^([^\s!]+)!?(?:\s+(\S+))?/.exec(text) ?? [];
    if (name === "body") add("body", oneLine(text));
    if (name === "query" && value !== "") add("query", value, `${value}${type && `: ${type}`}`);
  }
  return [...[...path.values()].map((type) => ({ in: "path", type }) as const), ...found.values()];
}

/** Returns the responses that the directives name, and the declared type or else the calls. */
export function outputsOf(operation: Operation, reach: Reach): OutputShape[] {
  const { handler } = operation;
  const named = readDirectives(handler).flatMap(({ name, text }): OutputShape[] => {
    const [, status, type = ""] = /^([1-5]\d\d)(?:\s+(.+))?$/.exec(text) ?? [];
    if (name !== "response" || status === undefined) return [];
    const body = type || (Number(status) < 400 ? "none" : "problem");
    return [{ status: Number(status), type: oneLine(body) }];
  });
  const declared = handler === undefined ? [] : declaredOutputs(handler);
  const own = declared.length > 0 || handler === undefined
    ? declared
    : calledOutputs(operation, ownCalls(handler, reach, answers.keys()));
  // For its status, a directive wins over the code.
  return [
    ...own.filter(({ status }) => !named.some((each) => each.status === status)),
    ...named,
  ].sort((a, b) => (a.status ?? 0) - (b.status ?? 0));
}

function readDirectives(handler: Declaration | undefined): readonly Directive[] {
  return docCommentOf(handler?.node).directives;
}

/** Returns the calls in the handler's file, or else those of helpers, which may serve several operations. */
function ownCalls(
  handler: Declaration | undefined,
  reach: Reach,
  names: Iterable<string>,
): readonly ReachedCall[] {
  const wanted = new Set(names);
  const all = handler === undefined ? [] : reach.from(handler).onContext;
  const calls = all.filter(({ name }) => wanted.has(name));
  const near = calls.filter(({ file }) => file === handler?.file);
  return near.length > 0 ? near : calls;
}

/** Response type of each method of the context, and its status unless an argument sets another. */
const answers: ReadonlyMap<string, readonly [type: string, status?: number]> = new Map([
  ["json", ["json"]],
  ["text", ["text"]],
  ["html", ["html"]],
  ["render", ["html"]],
  ["renderAll", ["html"]],
  ["stream", ["event-stream", 200]],
  ["noContent", ["none", 204]],
  ["redirect", ["redirect", 303]],
]);

function calledOutputs(
  { route, method, action }: Operation,
  calls: readonly ReachedCall[],
): OutputShape[] {
  const isPage = route.file.base === "page" && method === "GET" && action === undefined;
  const found = calls.map(({ name, node: { arguments: [first, second] } }): OutputShape => {
    const [type = "", usual] = answers.get(name) ?? [];
    const written = name === "redirect" ? second : usual === undefined ? first : undefined;
    const status = written && ts.isNumericLiteral(written) ? Number(written.text) : usual;
    // The body may name its type: `satisfies EventJson`, `as EventJson`.
    const isTyped = name === "json" && second !== undefined &&
      (ts.isSatisfiesExpression(second) || ts.isAsExpression(second));
    return { ...status && { status }, type: isTyped ? lineOf(second.type) : type };
  });
  const all = [...found, ...isPage ? [{ status: 200, type: "html" }] : []];
  return [...new Map(all.map((shape) => [JSON.stringify(shape), shape])).values()];
}

function declaredOutputs({ node }: Declaration): OutputShape[] {
  const shown = functionIn(node)?.type;
  const found: OutputShape[] = [];
  if (shown === undefined) return found;
  walk(shown, (at) => {
    if (!ts.isTypeReferenceNode(at) || at.typeName.getText() !== "JsonResponse") return undefined;
    const [status, type] = at.typeArguments ?? [];
    const number = Number(status?.getText());
    found.push({
      ...Number.isInteger(number) && { status: number },
      type: type === undefined ? "json" : lineOf(type),
    });
    return false;
  });
  return found;
}

function lineOf(node: ts.Node): string {
  return oneLine(node.getText());
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, " "), maxTypeChars);
}
