import { dirname, isAbsolute, relative, SEPARATOR } from "@std/path";
import { causeChain, partOf } from "./error_text.ts";

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

/**
 * Finds the missing permission that an error or one of its causes reports: Deno's message lacks the exact
 * flag.
 */
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
  const isCompiled = Deno.build.standalone;
  return `Add ${flag} to the ${runningTask()} task in deno.json${
    isCompiled ? ", and build again" : ""
  }.`;
}

/** Returns the task of a project's `deno.json` that runs this process, by its usual name. */
export function runningTask(): "start" | "test" {
  return isTestFile(Deno.mainModule) ? "test" : "start";
}

/** Checks whether a process runs tests, by its main module: `deno test` finds its files by these names. */
export function isTestFile(url: string): boolean {
  return /(?:^|[/._])test\.[cm]?[jt]sx?$/.test(url);
}

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
  const place = isFile ? folderOfDatabase(path) : name;
  const isOwnData = kind === "write" || (isFile && isDatabase(path));
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

/** Returns the folder of a database file, whose journal is beside it; any other path unchanged. */
function folderOfDatabase(path: string): string {
  const folder = dirname(path);
  return isDatabase(path) && folder !== "." && folder !== dirname(folder) ? folder : path;
}

function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite3?)(?:-journal|-wal|-shm)?$/.test(path);
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
