import { headBytes, removeQuietly, UploadFile } from "./upload_file.ts";

/** Options of {@link UploadSpool}. */
export interface SpoolOptions {
  /** The bytes that all files together may hold in memory. */
  readonly maxMemoryBytes: number;
  /** The folder of the temporary files. @default the system's */
  readonly dir: string | undefined;
}

/** Where the files of one request are kept, and what removes them when it ends. */
export class UploadSpool {
  readonly #options: SpoolOptions;
  readonly #paths = new Set<string>();
  #memoryLeft: number;
  #isReleased = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#memoryLeft = options.maxMemoryBytes;
  }

  /** Whether any temporary file was made. */
  get isUsed(): boolean {
    return this.#paths.size > 0;
  }

  /** Takes bytes from the memory that is left; false when they do not fit. */
  reserve(bytes: number): boolean {
    if (bytes > this.#memoryLeft) return false;
    this.#memoryLeft -= bytes;
    return true;
  }

  /** Gives memory back. */
  giveBack(bytes: number): void {
    this.#memoryLeft += bytes;
  }

  /**
   * Makes a temporary file, for its owner alone, and opens it.
   *
   * @throws {TypeError} when the process may not write there, naming the setting.
   */
  async create(): Promise<{ readonly path: string; readonly file: Deno.FsFile }> {
    const { dir } = this.#options;
    let path: string;
    try {
      path = await Deno.makeTempFile({
        prefix: "fw-upload-",
        ...(dir === undefined ? {} : { dir }),
      });
    } catch (error) {
      throw explainSpoolError(error, dir);
    }
    if (this.#isReleased) {
      await removeQuietly(path);
      throw new TypeError("Cannot store an upload: the request was answered already.");
    }
    this.#paths.add(path);
    return { path, file: await Deno.open(path, { write: true }) };
  }

  /** Removes every temporary file, now and of whatever is still being read. */
  async release(): Promise<void> {
    this.#isReleased = true;
    const paths = [...this.#paths];
    this.#paths.clear();
    for (const path of paths) await removeQuietly(path);
  }

  /** The same, without leaving anything to wait for. */
  releaseNow(): void {
    this.#isReleased = true;
    for (const path of this.#paths) {
      try {
        Deno.removeSync(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    this.#paths.clear();
  }
}

function explainSpoolError(error: unknown, dir: string | undefined): unknown {
  const where = dir ?? "the system's temporary folder";
  if (error instanceof Deno.errors.NotCapable) {
    return new TypeError(
      `Cannot store an upload in "${where}": Deno was not allowed to. Set config.spoolDir to a ` +
        "folder, and add --allow-read and --allow-write for it.",
      { cause: error },
    );
  }
  if (error instanceof Deno.errors.NotFound) {
    return new TypeError(
      `Cannot store an upload in "${where}": there is no such folder. Make it, or set config.spoolDir.`,
      { cause: error },
    );
  }
  return error;
}

/** Stores one file part as it comes in. */
export class UploadWriter {
  readonly #spool: UploadSpool;
  readonly #about: { readonly name: string; readonly type: string };
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  readonly #head = new Uint8Array(headBytes);
  #size = 0;
  #out: { readonly path: string; readonly file: Deno.FsFile } | undefined;

  constructor(
    spool: UploadSpool,
    about: { readonly name: string; readonly type: string },
  ) {
    this.#spool = spool;
    this.#about = about;
  }

  /** Stores a chunk; the array may be reused once the promise is fulfilled. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#size < headBytes) {
      this.#head.set(chunk.subarray(0, headBytes - this.#size), this.#size);
    }
    const before = this.#size;
    this.#size += chunk.length;
    if (this.#out === undefined) {
      if (this.#spool.reserve(chunk.length)) {
        this.#chunks.push(chunk.slice());
        return;
      }
      this.#out = await this.#spool.create();
      for (const held of this.#chunks.splice(0)) await writeAll(this.#out.file, held);
      this.#spool.giveBack(before);
    }
    await writeAll(this.#out.file, chunk);
  }

  /** Ends the part. */
  finish(): UploadFile {
    this.#out?.file.close();
    const path = this.#out?.path;
    return new UploadFile(this.#about, {
      size: this.#size,
      head: this.#head.subarray(0, Math.min(this.#size, headBytes)),
      content: { path, bytes: path === undefined ? join(this.#chunks, this.#size) : undefined },
    });
  }

  /** Gives the part up; the spool removes its file. */
  abort(): void {
    this.#out?.file.close();
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** Puts chunks together. */
export function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
