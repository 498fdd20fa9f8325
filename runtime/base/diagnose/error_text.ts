import { isAbsolute, relative, SEPARATOR } from "../file_path.ts";

/** The maximum length of a chain of causes: it may be circular. */
const maxCauses = 8;

/** The maximum number of errors written for an `AggregateError`, nested ones included. */
const maxInner = 8;

/** The maximum length of one string of an error, in characters: a message may quote a whole response. */
const maxPartChars = 16_384;

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

/** Replaces the user name and the password of each URL in a text. */
export function hideUserInfo(text: string, shown: string): string {
  return text.replace(upToAt, (part) => part.replace(credentials, `$1${shown}@`));
}

/** Hides the credentials of URLs in a string that is logged; cuts one that is too long, and marks it. */
function cutText(whole: string, most = maxPartChars): string {
  const text = hideUserInfo(whole, "[hidden]");
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

/** An error as fields of a JSON line; a cause or an inner error that is not an error is its message. */
interface ErrorFields {
  readonly name: string | undefined;
  readonly message: string | undefined;
  readonly stack: string | undefined;
  readonly errors?: readonly (ErrorFields | string)[];
  readonly more_errors?: number;
  readonly cause?: ErrorFields | string;
}

export function errorFields(error: Error, depth = 0, inner = { left: maxInner }): ErrorFields {
  // All branches share the budget: each error of an `AggregateError` may hold others.
  const all = innerErrors(error);
  const count = depth < maxCauses ? Math.min(inner.left, all.length) : 0;
  inner.left -= count;
  const write = (value: unknown): ErrorFields | string =>
    value instanceof Error && depth < maxCauses
      ? errorFields(value, depth + 1, inner)
      : thrownMessage(value);
  const cause = readCause(error);
  return {
    name: shortPartOf(error, "name"),
    message: shortPartOf(error, "message"),
    stack: shortPartOf(error, "stack"),
    ...count > 0 ? { errors: all.slice(0, count).map(write) } : {},
    ...all.length > count ? { more_errors: all.length - count } : {},
    ...cause === undefined ? {} : { cause: write(cause) },
  };
}

/** Formats an error for people: its stack, then the stacks of its inner errors and its causes. */
export function errorText(error: Error): string {
  return fieldsText(errorFields(error));
}

function fieldsText(fields: ErrorFields): string {
  const { errors = [], more_errors: more = 0, cause } = fields;
  let text = fields.stack ?? `${fields.name}: ${fields.message}`;
  for (const each of errors) text += `\nwith ${typeof each === "string" ? each : fieldsText(each)}`;
  if (more > 0) text += `\nwith ${more} more`;
  return typeof cause === "object" ? `${text}\ncaused by ${fieldsText(cause)}` : text;
}

function innerErrors(error: Error): readonly unknown[] {
  try {
    return error instanceof AggregateError && Array.isArray(error.errors) ? [...error.errors] : [];
  } catch {
    return [];
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

/**
 * Returns the names and messages of an error and its causes on one line, for a list of failures: `fetch failed`
 * tells neither host nor reason. URLs are cut after the host, because they may contain secrets. Never throws.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeCauses } from "@fw/fw/addon";
 *
 * const cause = new Error("refused by https://ada:secret@mail.example.org/send?token=1");
 * const error = new TypeError("fetch failed", { cause });
 * const text = "TypeError: fetch failed, caused by Error: refused by https://mail.example.org";
 * assertEquals(describeCauses(error), text);
 * ```
 */
export function describeCauses(error: unknown): string {
  const parts: string[] = [];
  let left = [error instanceof Error ? errorFields(error) : thrownMessage(error)];
  for (let seen = 0; left.length > 0 && seen < maxCauses; seen++) {
    const [at = "", ...rest] = left;
    const { message = "", errors = [], cause } = typeof at === "string" ? { message: at } : at;
    // Some errors quote their cause already.
    if (message === "" || !parts.some((part) => part.includes(message))) {
      parts.push(typeof at === "string" ? at : `${at.name}: ${message}`);
    }
    left = [...rest, ...errors, ...cause === undefined ? [] : [cause]];
  }
  return parts.join(", caused by ").replaceAll("[hidden]@", "").replace(urls, "$1");
}

/**
 * Hides the user name and the password of a URL, even an invalid one, for an error about a setting.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { hideCredentials } from "@fw/fw/addon";
 *
 * assertEquals(hideCredentials("redis://ada:secret@db.example:x"), "redis://[hidden]@db.example:x");
 * ```
 */
export function hideCredentials(url: string | URL): string {
  return String(url).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1[hidden]@");
}

/** The part of a word up to its last `@`. It starts where the word does, so that a long text is read once. */
const upToAt = /(?<![^\s"'])[^\s"']+@/g;

/** The scheme and the credentials of a URL that ends with them, even with a password that is not escaped. */
const credentials =
  /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!(?:[\w.-]*|\[[\da-f:.]+\])(?::\d+)?(?:[\s/?#"'<>)]|$)).*$/i;

const urls = /\b([a-z][a-z\d+.-]{0,20}:\/\/[^\s/?#"'<>)]*)[^\s"'<>)]*/gi;

/** Formats a thrown value that is not an error, for a message: an object as JSON, of a bounded length. */
export function showThrown(value: unknown): string {
  try {
    if (typeof value === "string") return JSON.stringify(cutText(value).slice(0, 200));
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

interface MissingPermission {
  /** The refused access, such as `read access to "data/app.db"`. */
  readonly what: string;
  /** The flag, such as `--allow-read=data/app.db`; in quotes where a shell needs them. */
  readonly flag: string;
  /** Whether the access writes a file of the project, which tests should not do. */
  readonly isOwnData?: boolean;
}

/** Deno's wording of a refusal; in a compiled application it says to specify flags, not to run again. */
const refusal =
  /^Requires (read|write|net|env|run|sys|ffi|import) access(?: to (.+?))?, (?:run again|specify) /s;

/** Finds the missing permission of an error or its causes: Deno's message lacks the exact flag. */
function findMissingPermission(error: unknown): MissingPermission | undefined {
  return causeChain(error)
    .map((at, depth) => parseRefusal(partOf(at, "message") ?? "", depth) ?? readLookup(at))
    .find((found) => found !== undefined);
}

/** Returns the fix for a missing permission, for a log line; `undefined` where no permission was missing. */
export function permissionFix(error: unknown): string | undefined {
  const missing = findMissingPermission(error);
  return missing === undefined ? undefined : fixOf(missing);
}

/** Explains an error that stopped the boot, if a permission was missing. */
export function explainBootError(error: unknown): unknown {
  const missing = findMissingPermission(error);
  if (missing === undefined) return error;
  return new Error(
    `Cannot start: Deno did not allow ${missing.what}. ${fixOf(missing)}`,
    { cause: error },
  );
}

function fixOf({ flag, isOwnData = false }: MissingPermission): string {
  if (isOwnData && runningTask() === "test") {
    return "Tests should not touch the application's data: put the variable that names its place " +
      "before the test task in deno.json, such as FW_DB=:memory: for a database.";
  }
  const again = Deno.build.standalone ? ", and build again" : "";
  return `Add ${flag} to the ${runningTask()} task in deno.json${again}.`;
}

/** Returns the task of a project's `deno.json` that runs this process, by its usual name. */
export function runningTask(): "start" | "test" {
  return isTestFile(Deno.mainModule) ? "test" : "start";
}

/** Checks whether a process runs tests, by its main module: `deno test` finds its files by these names. */
export function isTestFile(url: string): boolean {
  return /(?:^|[/._])test\.[cm]?[jt]sx?$/.test(url);
}

/** The name of a database file, with the slash before it in a folder that is not the root. */
const databaseFile = /(?:(?<=.)[/\\])?[^/\\]*\.(?:db|sqlite3?)(?:-journal|-wal|-shm)?$/;

function parseRefusal(message: string, depth: number): MissingPermission | undefined {
  const [, kind, target] = refusal.exec(message) ?? [];
  if (kind === undefined) return undefined;
  const what = `${kind} access${target === undefined ? "" : ` to ${target}`}`;
  const name = /^"(.*)"$/s.exec(target ?? "")?.[1];
  if (name === undefined) {
    // A placeholder path such as <TMP>. The bare flag would allow too much, and an enclosing error that
    // knows the operation can suggest a better fix.
    return depth === 0 ? { what, flag: `--allow-${kind}` } : undefined;
  }
  const isFile = kind === "read" || kind === "write";
  const path = isFile ? relativePath(name) : name;
  // The journal of a database is beside its file.
  const folder = isFile ? path.replace(databaseFile, "") : path;
  const place = folder === "" || folder === "/" ? path : folder;
  const isOwnData = kind === "write" || place !== path || (isFile && databaseFile.test(path));
  return { what, flag: quoted(`--allow-${kind}=${place.replaceAll(",", ",,")}`), isOwnData };
}

/** Returns a path below the working directory as a task in `deno.json` would name it. */
function relativePath(path: string): string {
  if (!isAbsolute(path)) return path;
  try {
    const inside = relative(Deno.cwd(), path);
    if (inside === "") return ".";
    return inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll(SEPARATOR, "/");
  } catch {
    // The folder in which the process was started is gone.
    return path;
  }
}

/** Explains a failed DNS lookup of `node:net` (database drivers): its error names no permission. */
function readLookup(error: Error): MissingPermission | undefined {
  const { code, syscall, hostname } = error as Partial<
    Record<"code" | "syscall" | "hostname", unknown>
  >;
  if (code !== "EPERM" || syscall !== "getaddrinfo" || typeof hostname !== "string") {
    return undefined;
  }
  return { what: `net access to "${hostname}"`, flag: quoted(`--allow-net=${hostname}`) };
}

function quoted(flag: string): string {
  return /^[\w\-=./:,@+*[\]]+$/.test(flag) ? flag : JSON.stringify(flag);
}
