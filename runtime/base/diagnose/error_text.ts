/** The maximum length of a chain of causes: it may be circular. */
const maxCauses = 8;

/** The maximum number of errors written for an `AggregateError`, nested ones included. */
const maxInner = 8;

/** The maximum length of one string of an error, in characters: a message may quote a whole response. */
const maxPartChars = 16_384;

/** The maximum length of a thrown value that is not an error, in characters. */
const maxThrownChars = 1_024;

const unreadable = "(unreadable)";

/** Returns a part of an error as text: some libraries assign a message that is not a string. */
export function partOf(error: Error, name: "name" | "message" | "stack"): string | undefined {
  try {
    const value: unknown = error[name];
    return value === undefined || typeof value === "string" ? value : String(value);
  } catch {
    return unreadable;
  }
}

/** Yields an error and its causes, at most 32, because a chain may be circular. */
export function* causeChain(error: unknown): Generator<Error, void> {
  let at = error;
  for (let depth = 0; depth < 32 && at instanceof Error; depth++) {
    yield at;
    at = at.cause;
  }
}

/** Cuts a string that is too long for a log line, between code points, and marks it. */
function cutText(text: string, most = maxPartChars): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}… (cut: ${text.length - end} more characters)`;
}

/** Returns a part of an error as text, cut for a log line. Never throws. */
export function shortPartOf(error: Error, name: "name" | "message" | "stack"): string | undefined {
  const text = partOf(error, name);
  return text === undefined ? undefined : cutText(text);
}

/** The remaining budget for nested errors. */
interface Budget {
  readonly depth: number;
  /** Shared by all branches: each error of an `AggregateError` may hold others. */
  readonly inner: { left: number };
}

const newBudget = (): Budget => ({ depth: 0, inner: { left: maxInner } });

/** Returns an error as fields of a JSON line, causes and the errors of an `AggregateError` included. */
export function errorFields(error: Error, budget = newBudget()): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    name: shortPartOf(error, "name"),
    message: shortPartOf(error, "message"),
    stack: shortPartOf(error, "stack"),
  };
  const below = { ...budget, depth: budget.depth + 1 };
  const write = (value: unknown): unknown =>
    value instanceof Error && budget.depth < maxCauses
      ? errorFields(value, below)
      : thrownMessage(value);
  const { values, more } = takeInner(error, budget);
  if (values.length > 0) fields["errors"] = values.map(write);
  if (more > 0) fields["more_errors"] = more;
  const cause = readCause(error);
  if (cause !== undefined) fields["cause"] = write(cause);
  return fields;
}

/** Formats an error for people: its stack, then the stacks of its inner errors and its causes. */
export function errorText(error: Error, budget = newBudget()): string {
  const below = { ...budget, depth: budget.depth + 1 };
  const write = (value: unknown): string =>
    value instanceof Error ? errorText(value, below) : thrownMessage(value);
  let text = shortPartOf(error, "stack") ??
    `${shortPartOf(error, "name")}: ${shortPartOf(error, "message")}`;
  if (budget.depth >= maxCauses) return text;
  const { values, more } = takeInner(error, budget);
  for (const value of values) text += `\nwith ${write(value)}`;
  if (more > 0) text += `\nwith ${more} more`;
  const cause = readCause(error);
  return cause instanceof Error ? `${text}\ncaused by ${write(cause)}` : text;
}

/** Selects the errors of an `AggregateError` to write; `more` counts the rest. */
function takeInner(
  error: Error,
  { depth, inner }: Budget,
): { readonly values: readonly unknown[]; readonly more: number } {
  try {
    if (!(error instanceof AggregateError) || !Array.isArray(error.errors)) {
      return { values: [], more: 0 };
    }
    const count = depth < maxCauses ? Math.min(inner.left, error.errors.length) : 0;
    inner.left -= count;
    return { values: error.errors.slice(0, count), more: error.errors.length - count };
  } catch {
    return { values: [], more: 0 };
  }
}

function readCause(error: Error): unknown {
  try {
    return error.cause;
  } catch {
    return unreadable;
  }
}

/**
 * Returns the message of a thrown value, which may be anything, even a value that has no text. Never throws.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { thrownMessage } from "@fw/fw/addon";
 *
 * assertEquals(thrownMessage(new Error("no such row")), "no such row");
 * assertEquals(thrownMessage(Object.create(null)), "{}");
 * ```
 */
export function thrownMessage(value: unknown): string {
  if (typeof value === "string") return cutText(value);
  return value instanceof Error ? cutText(partOf(value, "message") ?? "") : showThrown(value);
}

/** Formats a thrown value that is not an error, for a message: an object as JSON, of a bounded length. */
export function showThrown(value: unknown): string {
  try {
    if (typeof value === "string") return JSON.stringify(value.slice(0, 200));
    return cutText((hasNoText(value) ? jsonOf(value) : undefined) ?? String(value), maxThrownChars);
  } catch {
    return "an object that has no text";
  }
}

/** Checks whether a value would convert to `[object …]`. */
function hasNoText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) || Object.getPrototypeOf(value) === null) return true;
  return String(value).startsWith("[object ");
}

/** The maximum number of members written for a thrown object: it may hold half the application. */
const maxMembers = 100;

/** Returns an object as JSON; `undefined` for one without members, such as a `Response`. */
function jsonOf(value: unknown): string | undefined {
  let count = 0;
  const json = JSON.stringify(value, (_key, member: unknown) => {
    if (++count > maxMembers) return undefined;
    if (typeof member === "bigint") return member.toString();
    if (typeof member === "string") return cutText(member, maxThrownChars);
    return member instanceof Error
      ? `${partOf(member, "name")}: ${partOf(member, "message")}`
      : member;
  });
  return json === "{}" && Object.prototype.toString.call(value) !== "[object Object]"
    ? undefined
    : json;
}
