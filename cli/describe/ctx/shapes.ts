import type ts from "npm:typescript@6.0.3";
import { type Directive, docCommentOf } from "../../facts/doc_comment.ts";
import { cutText } from "../../problem.ts";
import type { Operation } from "../../facts/operations.ts";
import type { Declaration } from "../../facts/names.ts";
import type { Reach, ReachedCall } from "../../facts/reach.ts";
import { functionIn } from "../../project/sources/functions.ts";

export interface InputShape {
  readonly in: "path" | "query" | "body" | "file";
  readonly type: string;
}

export interface OutputShape {
  readonly status?: number;
  /** A type, `html`, `text`, `event-stream`, `redirect`. */
  readonly type: string;
}

const readers: Readonly<Record<string, InputShape["in"]>> = {
  bind: "body",
  tryBind: "body",
  bindJson: "body",
  bindQuery: "query",
  tryBindQuery: "query",
  form: "body",
  query: "query",
  file: "file",
};

const maxTypeChars = 160;

export function inputOf({ route, handler }: Operation, reach: Reach): InputShape[] {
  const types = new Map<string, string>(route.params.map(({ name }) => [name, ""]));
  const found = new Map<string, InputShape>();
  const near = handler === undefined ? [] : reach.calls(nearOf(handler, reach));
  // Such as a form that a helper elsewhere reads, or a query.
  const isNear = near.some(({ name }) => Object.hasOwn(readers, name));
  const calls = isNear || handler === undefined ? near : reach.calls(reach.from(handler));
  for (const { name, node, isMethod } of calls) {
    const [first, second] = node.arguments;
    if (!isMethod || first === undefined || !isContext(node.expression)) continue;
    if (name === "param" && second !== undefined && isText(reach, first)) {
      types.set(first.text, oneLine(second.getText()));
    }
    const place = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (place === undefined) continue;
    const type = isText(reach, first) ? first.text : oneLine(first.getText());
    found.set(`${place} ${type}`, { in: place, type });
  }
  for (const { name, text } of directivesOf(handler, reach)) {
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
 * Finds what an operation answers: what its directives declare, then the declared type of the handler, or else its
 * calls, those of helpers elsewhere only where it has none itself.
 */
export function outputsOf(operation: Operation, reach: Reach): OutputShape[] {
  const { handler } = operation;
  const named = directivesOf(handler, reach).flatMap(({ name, text }): OutputShape[] => {
    const [, status, type = ""] = /^([1-5]\d\d)(?:\s+(.+))?$/.exec(text) ?? [];
    if (name !== "response" || status === undefined) return [];
    const body = type || (Number(status) < 400 ? "none" : "problem");
    return [{ status: Number(status), type: oneLine(body) }];
  });
  const declared = handler === undefined ? [] : declaredOutputs(handler, reach);
  const near = handler === undefined || declared.length > 0
    ? declared
    : calledOutputs(operation, reach.calls(nearOf(handler, reach)), reach);
  const own = near.length > 0 || handler === undefined
    ? near
    : calledOutputs(operation, reach.calls(reach.from(handler)), reach);
  // A directive says more of its status than the code.
  return [
    ...own.filter(({ status }) => !named.some((each) => each.status === status)),
    ...named,
  ].sort((a, b) => (a.status ?? 0) - (b.status ?? 0));
}

function directivesOf(handler: Declaration | undefined, reach: Reach): readonly Directive[] {
  return handler === undefined ? [] : docCommentOf(reach.sources, handler.node).directives;
}

function calledOutputs(
  { route, method, action }: Operation,
  calls: readonly ReachedCall[],
  reach: Reach,
): OutputShape[] {
  const found = new Map<string, OutputShape>();
  const add = (shape: OutputShape): void => void found.set(JSON.stringify(shape), shape);
  const { ts } = reach.sources;
  for (const { name, node, isMethod } of calls) {
    if (!isMethod || !isContext(node.expression)) continue;
    const [first, second] = node.arguments;
    const status = first !== undefined && ts.isNumericLiteral(first)
      ? { status: Number(first.text) }
      : {};
    if (name === "json") {
      add({ ...status, type: second === undefined ? "json" : jsonType(second, reach) });
    } else if (name === "text" || name === "html") add({ ...status, type: name });
    else if (name === "render" || name === "renderAll") add({ ...status, type: "html" });
    else if (name === "stream") add({ status: 200, type: "event-stream" });
    else if (name === "noContent") add({ status: 204, type: "none" });
    else if (name === "redirect") {
      add({
        status: second && ts.isNumericLiteral(second) ? Number(second.text) : 303,
        type: "redirect",
      });
    }
  }
  if (route.file.base === "page" && method === "GET" && action === undefined) {
    add({ status: 200, type: "html" });
  }
  return [...found.values()];
}

/** Returns the type that a body names: `satisfies EventJson`, `as EventJson`, or nothing but JSON. */
function jsonType(body: ts.Expression, { sources: { ts } }: Reach): string {
  return ts.isSatisfiesExpression(body) || ts.isAsExpression(body)
    ? oneLine(body.type.getText())
    : "json";
}

/** Returns the handler and what it names in its own file: helpers elsewhere serve several operations. */
function nearOf(handler: Declaration, reach: Reach): Declaration[] {
  return reach.from(handler).filter(({ file }) => file === handler.file);
}

function isContext(callee: ts.Expression): boolean {
  return /^(?:c|ctx|context)\.\w+$/.test(callee.getText());
}

function isText(reach: Reach, node: ts.Expression): node is ts.StringLiteralLike {
  return reach.sources.ts.isStringLiteralLike(node);
}

function declaredOutputs({ node }: Declaration, { sources: { ts } }: Reach): OutputShape[] {
  const shown = functionIn(ts, node)?.type;
  const found: OutputShape[] = [];
  const visit = (at: ts.Node): void => {
    if (!ts.isTypeReferenceNode(at) || at.typeName.getText() !== "JsonResponse") {
      ts.forEachChild(at, visit);
      return;
    }
    const [status, type] = at.typeArguments ?? [];
    const number = Number(status?.getText());
    found.push({
      ...(Number.isInteger(number) ? { status: number } : {}),
      type: type === undefined ? "json" : oneLine(type.getText()),
    });
  };
  if (shown !== undefined) visit(shown);
  return found;
}

const directiveLine = /^[ \t]*openapi:\w.*$/gm;

/** Returns the first sentence of a declaration's documentation, without `GET /path` and directives. */
export function summaryOf(node: ts.Node): string | undefined {
  // The comment of a constant belongs to its statement.
  let at: ts.Node | undefined = node;
  for (let up = 0; at !== undefined && up < 3; up++, at = at.parent) {
    const comments = (at as { readonly jsDoc?: readonly { readonly comment?: unknown }[] }).jsDoc;
    const comment = comments?.at(-1)?.comment;
    if (typeof comment !== "string") continue;
    const prose = comment.replaceAll(directiveLine, "").trim();
    const text = prose.replaceAll(/\s+/g, " ").replace(/^(?:GET|POST|PUT|PATCH|DELETE) \S+/, "")
      .replace(/^[:.]? */, "");
    const sentence = /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
    if (sentence === "") return undefined;
    return (sentence.charAt(0).toUpperCase() + sentence.slice(1)).slice(0, maxTypeChars);
  }
  return undefined;
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, " "), maxTypeChars);
}
