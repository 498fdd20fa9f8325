/**
 * Finds what protects an operation: guards, limits, body size, deadlines and caching. Each is what
 * the code of the handler and of its middleware names; conditions in the code are not evaluated.
 */
import type { TypeScript } from "../project/sources/module_names.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Operation, Operations } from "./operations.ts";
import type { Reach, ReachedCall } from "./reach.ts";
import { numberOf, writtenTexts } from "./written_values.ts";
import type ts from "npm:typescript@6.0.3";

export interface Protection {
  readonly guards: readonly string[];
  readonly limits: readonly string[];
  /** The largest `c.allowBody`, in bytes; a fingerprint of the code if only running code knows it. */
  readonly allowedBytes: number | string | undefined;
  /** The values of `c.cacheControl`; a fingerprint of the code for one that only running code knows. */
  readonly cache: readonly string[];
  readonly dropsReadDeadline: boolean;
  readonly dropsWriteDeadline: boolean;
}

export function protectionOf(
  operation: Operation,
  { reach, guards }: Operations,
  { maxBodyBytes, isMarked = false }: {
    /** The value of `config.maxBodyBytes`, if it is known. */
    readonly maxBodyBytes?: number | undefined;
    /** Whether a guard has a fingerprint of the code that it runs. @default false */
    readonly isMarked?: boolean;
  } = {},
): Protection {
  const { handler, middleware } = operation;
  const chain = [...middleware, ...(handler === undefined ? [] : [handler])];
  const all = [...new Set(chain.flatMap((each) => reach.from(each)))];
  const calls = reach.calls(all);
  return {
    guards: guards.list(operation, { isMarked }),
    limits: limitsIn(calls, reach),
    allowedBytes: allowedBytes(calls, { reach, maxBodyBytes }),
    cache: cacheControls(calls, reach),
    dropsReadDeadline: isCalled(calls, ["noReadDeadline", "upgrade"]),
    dropsWriteDeadline: isCalled(calls, ["noWriteDeadline", "stream", "upgrade"]),
  };
}

function isCalled(calls: readonly ReachedCall[], names: readonly string[]): boolean {
  return calls.some(({ name, isMethod, node }) =>
    isMethod && names.includes(name) && isOnContext(node)
  );
}

function isOnContext({ expression }: ts.CallExpression): boolean {
  return /^(?:c|ctx|context)\./.test(expression.getText());
}

function limitsIn(calls: readonly ReachedCall[], reach: Reach): string[] {
  const { ts } = reach.sources;
  const found = new Set<string>();
  for (const { file, node, name, isMethod } of calls) {
    if (isMethod || !reach.isFramework(file, name, { as: "limit" })) continue;
    const numbers = node.arguments.slice(0, 2).map((argument) =>
      numberOf(argument, { reach, file }) ??
        fingerprint([{ file, node: argument }], { reach, calls })
    );
    const label = labelOf(node.arguments[2], ts);
    found.add(`limit(${[...numbers, ...label].join(",")})`);
  }
  return [...found];
}

/** Returns the `name` among the options of a limit, which distinguishes limits with the same numbers. */
function labelOf(options: ts.Expression | undefined, parser: TypeScript): string[] {
  if (options === undefined || !parser.isObjectLiteralExpression(options)) return [];
  return options.properties.flatMap((property) =>
    parser.isPropertyAssignment(property) && property.name.getText() === "name" &&
      parser.isStringLiteralLike(property.initializer)
      ? [property.initializer.text]
      : []
  );
}

function allowedBytes(
  calls: readonly ReachedCall[],
  { reach, maxBodyBytes }: { readonly reach: Reach; readonly maxBodyBytes: number | undefined },
): Protection["allowedBytes"] {
  const found = calls.filter(({ name, isMethod, node }) =>
    isMethod && name === "allowBody" && isOnContext(node)
  ).flatMap(({ file, node: { arguments: [first] } }) => first === undefined ? [] : { file, first });
  if (found.length === 0) return undefined;
  const values = found.map(({ file, first }) => numberOf(first, { reach, file, maxBodyBytes }));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length
    ? Math.max(...known)
    : fingerprint(found.map(({ file, first: node }) => ({ file, node })), { reach, calls });
}

function cacheControls(calls: readonly ReachedCall[], reach: Reach): string[] {
  const found = new Set<string>();
  for (const { file, name, isMethod, node } of calls) {
    if (!isMethod || name !== "cacheControl" || !isOnContext(node)) continue;
    const [first] = node.arguments;
    if (first === undefined) continue;
    const texts = writtenTexts(first, { reach, file }) ??
      [fingerprint([{ file, node: first }], { reach, calls })];
    for (const text of texts) found.add(text);
  }
  return [...found];
}

/** Reports whether shared caches may keep a response with some `Cache-Control` values, joined by `+`. */
export function isShared(controls: string): boolean {
  return /(?:^|[+,])\s*(?:public|s-maxage=[1-9]\d*)\s*(?=$|[+,])/.test(controls);
}

/** Reports whether an operation checks a password or starts a session by itself. */
export function signsIn({ handler }: Operation, { reach }: Operations): boolean {
  if (handler === undefined) return false;
  return reach.calls(reach.from(handler)).some(({ file, name, isMethod, node }) => {
    if (!isMethod) {
      return reach.isFramework(file, name, { entry: "auth", as: "verifyPassword" });
    }
    return name === "start" && /(?:^|\.)sessions\.start$/.test(node.expression.getText()) &&
      node.arguments.length >= 2;
  });
}
