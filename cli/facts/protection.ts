/**
 * Finds what protects an operation: guards, limits, body size, deadlines and caching. It collects
 * what the handler and its middleware name, without evaluating conditions.
 */
import { memberNamed, memberValue, writtenText } from "../project/sources/syntax.ts";
import { writtenNumber, writtenValues } from "../project/sources/written_values.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Operation, Operations } from "./operations.ts";
import type { Reached, ReachedCall } from "./reach.ts";

export interface Protection {
  readonly guards: readonly string[];
  readonly limits: readonly string[];
  /** The largest `c.allowBody`, in bytes; a fingerprint of the code if known only at run time. */
  readonly allowedBytes: number | string | undefined;
  /** The values of `c.cacheControl`; a fingerprint of the code if known only at run time. */
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
    /** Whether guards carry a fingerprint of their code. @default false */
    readonly isMarked?: boolean;
  } = {},
): Protection {
  const { handler, middleware } = operation;
  const chain = [...middleware, ...(handler === undefined ? [] : [handler])];
  const reached = reach.fromAll(chain);
  const onContext = (...names: readonly string[]): readonly ReachedCall[] =>
    reached.onContext.filter(({ name }) => names.includes(name));
  const mark = (parts: readonly ReachedCall[]): string =>
    fingerprint(
      parts.flatMap(({ file, node: { arguments: [node] } }) =>
        node === undefined ? [] : { file, node }
      ),
      reached,
    );
  const allowed = onContext("allowBody").filter(({ node }) => node.arguments.length > 0);
  const sizes = allowed.flatMap(({ file, node: { arguments: [first] } }) =>
    first === undefined ? [] : writtenNumber(first, { names: reach, file, maxBodyBytes }) ?? []
  );
  const controls = onContext("cacheControl").flatMap((call) => {
    const [first] = call.node.arguments;
    if (first === undefined) return [];
    const values = writtenValues(first, { names: reach, file: call.file });
    const texts = values.map((each) => each.kind === "known" ? each.value : undefined);
    return texts.length > 0 && texts.every((each) => typeof each === "string")
      ? texts
      : mark([call]);
  });
  return {
    guards: guards.list(operation, { isMarked }),
    limits: limitsIn(reached),
    allowedBytes: allowed.length === 0
      ? undefined
      : sizes.length === allowed.length
      ? Math.max(...sizes)
      : mark(allowed),
    cache: [...new Set(controls)],
    dropsReadDeadline: onContext("noReadDeadline", "upgrade").length > 0,
    dropsWriteDeadline: onContext("noWriteDeadline", "stream", "upgrade").length > 0,
  };
}

function limitsIn(reached: Reached): string[] {
  const { calls, reach } = reached;
  const limits = calls.filter(({ file, node }) =>
    reach.isFramework(file, node.expression, { as: "limit" })
  ).map(({ file, node }) => {
    const numbers = node.arguments.slice(0, 2).map((argument) =>
      writtenNumber(argument, { names: reach, file }) ??
        fingerprint([{ file, node: argument }], reached)
    );
    // The name distinguishes limits with the same numbers.
    const label = writtenText(memberValue(memberNamed(node.arguments[2], "name"))) ?? [];
    return `limit(${[...numbers, label].flat().join(",")})`;
  });
  return [...new Set(limits)];
}

/** Reports whether shared caches may keep a response with some `Cache-Control` values, joined by `+`. */
export function isShared(controls: string): boolean {
  return /(?:^|[+,])\s*(?:public|s-maxage=[1-9]\d*)\s*(?=$|[+,])/.test(controls);
}

/** Reports whether an operation checks a password or starts a session by itself. */
export function signsIn({ handler }: Operation, { reach }: Operations): boolean {
  if (handler === undefined) return false;
  return reach.from(handler).calls.some(({ file, name, node }) => {
    if (reach.isFramework(file, node.expression, { entry: "auth", as: "verifyPassword" })) {
      return true;
    }
    return name === "start" && /(?:^|\.)sessions\.start$/.test(node.expression.getText()) &&
      node.arguments.length >= 2;
  });
}
