/** Finds the inputs and outputs of an operation, with types by name as the code writes them. */
import ts from "npm:typescript@6.0.3";
import { type Directive, docCommentOf } from "../../facts/doc_comment.ts";
import type { Declaration } from "../../project/sources/names.ts";
import type { Operation } from "../../facts/operations.ts";
import type { Reach, ReachedCall } from "../../facts/reach.ts";
import { cutText } from "../../problem.ts";
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
  const types = new Map<string, string>(route.params.map(({ name }) => [name, ""]));
  const found = new Map<string, InputShape>();
  const near = nearCalls(handler, reach);
  // If the handler's file reads nothing, a helper in another file may read the form or the query.
  const isNear = near.some(({ name }) => readers.has(name));
  for (const { name, node } of isNear ? near : allCalls(handler, reach)) {
    const [first, second] = node.arguments;
    if (first === undefined) continue;
    const text = writtenText(first);
    if (name === "param" && second !== undefined && text !== undefined) {
      types.set(text, oneLine(second.getText()));
    }
    const place = readers.get(name);
    const type = text ?? oneLine(first.getText());
    if (place !== undefined) found.set(`${place} ${type}`, { in: place, type });
  }
  for (const { name, text } of readDirectives(handler)) {
    const [, value = "", type = ""] = /^([^\s!]+)!?(?:\s+(\S+))?/.exec(text) ?? [];
    if (name === "body") found.set(`body ${text}`, { in: "body", type: oneLine(text) });
    if (name !== "query" || value === "") continue;
    found.set(`query ${value}`, { in: "query", type: `${value}${type && `: ${type}`}` });
  }
  const path = [...types].map(([name, type]): InputShape => ({
    in: "path",
    type: type === "" ? name : `${name}: ${type}`,
  }));
  return [...path, ...found.values()];
}

/**
 * Returns the responses of an operation: those of its directives, and those of the handler's
 * declared type, or else of its calls, or else of helpers in other files.
 */
export function outputsOf(operation: Operation, reach: Reach): OutputShape[] {
  const { handler } = operation;
  const named = readDirectives(handler).flatMap(({ name, text }): OutputShape[] => {
    const [, status, type = ""] = /^([1-5]\d\d)(?:\s+(.+))?$/.exec(text) ?? [];
    if (name !== "response" || status === undefined) return [];
    const body = type || (Number(status) < 400 ? "none" : "problem");
    return [{ status: Number(status), type: oneLine(body) }];
  });
  const readings = handler === undefined ? [] : [
    () => declaredOutputs(handler),
    () => calledOutputs(operation, nearCalls(handler, reach)),
    () => calledOutputs(operation, allCalls(handler, reach)),
  ];
  let own: OutputShape[] = [];
  for (const read of readings) if (own.length === 0) own = read();
  // For its status, a directive wins over the code.
  return [
    ...own.filter(({ status }) => !named.some((each) => each.status === status)),
    ...named,
  ].sort((a, b) => (a.status ?? 0) - (b.status ?? 0));
}

function readDirectives(handler: Declaration | undefined): readonly Directive[] {
  return docCommentOf(handler?.node).directives;
}

function allCalls(handler: Declaration | undefined, reach: Reach): readonly ReachedCall[] {
  return handler === undefined ? [] : reach.from(handler).onContext;
}

/** Returns the calls in the handler's file: helpers elsewhere serve several operations. */
function nearCalls(handler: Declaration | undefined, reach: Reach): readonly ReachedCall[] {
  return allCalls(handler, reach).filter(({ file }) => file === handler?.file);
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
  const found = new Map<string, OutputShape>();
  const add = (type: string, status: number | undefined): void => {
    const shape = { ...(status === undefined ? {} : { status }), type };
    found.set(JSON.stringify(shape), shape);
  };
  for (const { name, node: { arguments: [first, second] } } of calls) {
    const [type, usual] = answers.get(name) ?? [];
    if (type === undefined) continue;
    const written = name === "redirect" ? second : usual === undefined ? first : undefined;
    const isTyped = name === "json" && second !== undefined &&
      (ts.isSatisfiesExpression(second) || ts.isAsExpression(second));
    add(
      // The body may name its type: `satisfies EventJson`, `as EventJson`.
      isTyped ? oneLine(second.type.getText()) : type,
      written !== undefined && ts.isNumericLiteral(written) ? Number(written.text) : usual,
    );
  }
  if (route.file.base === "page" && method === "GET" && action === undefined) add("html", 200);
  return [...found.values()];
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
      ...(Number.isInteger(number) ? { status: number } : {}),
      type: type === undefined ? "json" : oneLine(type.getText()),
    });
    return false;
  });
  return found;
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, " "), maxTypeChars);
}
