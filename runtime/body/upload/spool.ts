import { httpError } from "../../base/errors/errors.ts";
import { join } from "../../base/file_path.ts";
import { runningTask } from "../../base/diagnose/error_text.ts";

/** The spool folder of a process that may not write to the system's temporary folder. */
const ownSpoolDir = ".fw/spool";

/**
 * Finds the folder of the temporary files for an application that sets none. The path of the system's folder
 * differs between systems, so no fixed flag can allow it; a process that may write to `.fw/spool` below its
 * working directory, but not everywhere, uses that.
 */
export function findSpoolDir(): string | undefined {
  const may = (path?: string): boolean => {
    const query = path === undefined ? {} : { path };
    return Deno.permissions.querySync({ name: "write", ...query }).state === "granted";
  };
  return may(ownSpoolDir) && !may() ? ownSpoolDir : undefined;
}

export const spoolBatchBytes = 262_144;

export class UploadSpool {
  readonly #dir: string | undefined;
  readonly #paths = new Set<string>();
  #memoryLeft: number;
  #batch: Uint8Array<ArrayBuffer> | undefined = undefined;
  #isReleased = false;

  /** Files beyond `maxMemoryBytes` together are written to `dir`, by default the system's temporary folder. */
  constructor({ maxMemoryBytes, dir }: {
    readonly maxMemoryBytes: number;
    readonly dir: string | undefined;
  }) {
    this.#dir = dir;
    this.#memoryLeft = maxMemoryBytes;
  }

  get isUsed(): boolean {
    return this.#paths.size > 0;
  }

  /** The write buffer; one for all files, because they arrive one after the other. */
  get batch(): Uint8Array<ArrayBuffer> {
    return this.#batch ??= new Uint8Array(spoolBatchBytes);
  }

  /** Reserves bytes of the remaining memory; returns false if they do not fit. */
  reserve(bytes: number): boolean {
    if (bytes > this.#memoryLeft) return false;
    this.#memoryLeft -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#memoryLeft += bytes;
  }

  /** Creates a temporary file, for its owner alone, and opens it. */
  create(): { readonly path: string; readonly file: Deno.FsFile } {
    const dir = this.#dir;
    if (this.#isReleased) {
      throw new TypeError(
        "Cannot store an upload: the response has already been sent; await its form or its files " +
          "before the handler returns.",
      );
    }
    let path: string;
    try {
      if (dir === ownSpoolDir) Deno.mkdirSync(dir, { recursive: true });
      // The system cleans its own folder.
      if (dir !== undefined) removeLeftovers(dir);
      path = Deno.makeTempFileSync({ prefix: spoolPrefix, ...(dir === undefined ? {} : { dir }) });
    } catch (error) {
      throw explainSpoolError(error, dir);
    }
    this.#paths.add(path);
    return { path, file: Deno.openSync(path, { write: true }) };
  }

  /** Removes every temporary file, including those of uploads still being read. */
  release(): void {
    this.#isReleased = true;
    const failures: unknown[] = [];
    for (const path of this.#paths) {
      try {
        Deno.removeSync(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) failures.push(error);
      }
    }
    this.#paths.clear();
    if (failures.length > 0) throw failures[0];
  }
}

function explainSpoolError(error: unknown, dir: string | undefined): unknown {
  const own = dir ?? ownSpoolDir;
  const reason = error instanceof Deno.errors.NotCapable
    ? `Deno was not allowed to. Add --allow-read=${own} --allow-write=${own} to the ${runningTask()} task`
    : error instanceof Deno.errors.NotFound
    ? "there is no such folder. Make it, or set config.spoolDir"
    : undefined;
  if (reason === undefined) return explainDisk(error);
  const where = dir ?? "the system's temporary folder";
  return new TypeError(`Cannot store an upload in "${where}": ${reason}.`, { cause: error });
}

/** Returns a 503 for a disk or a quota that is full, and any other error as it is. */
export function explainDisk(cause: unknown): unknown {
  const code = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return cause;
  return httpError(503, "The disk of uploads is full.", { code: "upload_disk_full", cause });
}

const spoolPrefix = "fw-upload-";

/** The time without a write after which no running request can own a file. */
const maxAgeMs = 86_400_000;
const swept = new Set<string>();

/** Removes the uploads that a killed process left, once before the first upload of this one. */
function removeLeftovers(dir: string): void {
  if (swept.has(dir)) return;
  swept.add(dir);
  try {
    for (const { name, isFile } of Deno.readDirSync(dir)) {
      if (!isFile || !name.startsWith(spoolPrefix)) continue;
      const path = join(dir, name);
      const { mtime } = Deno.lstatSync(path);
      if (mtime !== null && Date.now() - mtime.getTime() > maxAgeMs) Deno.removeSync(path);
    }
  } catch {
    // The upload itself reports a folder that it cannot use.
  }
}

export async function removeQuietly(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
