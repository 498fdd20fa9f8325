import { ByteBuffer } from "../chunks.ts";
import { explainDisk, removeQuietly, spoolBatchBytes, type UploadSpool } from "./spool.ts";

const headBytes = 512;

/**
 * A file part, stored as it arrives: in memory if it is small, else in a temporary file. Writes are
 * synchronous: a batch reaches the system's cache before another thread could be notified, and while the
 * reader of a chunked body pauses, the server buffers ever more, in quadratic time.
 */
export class UploadFile {
  readonly name: string;
  /** The media type that the client announced, unchanged; `""` for none. */
  readonly type: string;
  readonly #spool: UploadSpool;
  readonly #head = new Uint8Array(headBytes);
  #size = 0;
  #held: ByteBuffer | undefined = new ByteBuffer();
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #path: string | undefined;
  #out: Deno.FsFile | undefined;
  #batchedBytes = 0;
  #isLinked = false;
  #isRemoved = false;

  constructor(spool: UploadSpool, about: { readonly name: string; readonly type: string }) {
    this.#spool = spool;
    this.name = about.name;
    this.type = about.type;
  }

  get size(): number {
    return this.#size;
  }

  get head(): Uint8Array {
    return this.#head.subarray(0, Math.min(this.#size, headBytes));
  }

  /** Stores a piece, which may be reused afterwards. */
  write(piece: Uint8Array): void {
    if (this.#size < headBytes) {
      this.#head.set(piece.subarray(0, headBytes - this.#size), this.#size);
    }
    this.#size += piece.length;
    if (this.#held !== undefined) {
      if (this.#spool.reserve(piece.length)) return this.#held.append(piece);
      const { path, file } = this.#spool.create();
      this.#path = path;
      this.#out = file;
      this.#batch(file, this.#held.view());
      this.#spool.giveBack(this.#held.length);
      this.#held = undefined;
    }
    if (this.#out !== undefined) this.#batch(this.#out, piece);
  }

  #batch(file: Deno.FsFile, piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + spoolBatchBytes - this.#batchedBytes);
      this.#spool.batch.set(part, this.#batchedBytes);
      this.#batchedBytes += part.length;
      at += part.length;
      if (this.#batchedBytes === spoolBatchBytes) this.#flush(file);
    }
  }

  #flush(file: Deno.FsFile): void {
    const batch = this.#spool.batch.subarray(0, this.#batchedBytes);
    try {
      for (let at = 0; at < batch.length;) at += file.writeSync(batch.subarray(at));
    } catch (error) {
      throw explainDisk(error);
    }
    this.#batchedBytes = 0;
  }

  finish(): void {
    try {
      if (this.#out !== undefined) this.#flush(this.#out);
    } finally {
      this.abort();
    }
    this.#bytes = this.#held?.view().slice();
    this.#held = undefined;
  }

  /** Aborts the part unless it has ended; the spool removes its file. */
  abort(): void {
    this.#out?.close();
    this.#out = undefined;
  }

  /** Returns the content; a temporary file is opened now, so that the stream outlives its removal. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#check();
    if (this.#path !== undefined) return Deno.openSync(this.#path).readable;
    const bytes = this.#bytes;
    return new ReadableStream({
      start(controller): void {
        if (bytes !== undefined && bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#check();
    return this.#path === undefined
      ? (this.#bytes ?? new Uint8Array()).slice()
      : await Deno.readFile(this.#path);
  }

  /** Saves the file. The first save of a temporary file is a hard link (fast); a later one copies it. */
  async writeTo(path: string): Promise<void> {
    this.#check();
    const source = this.#path;
    if (source !== undefined && !this.#isLinked && await this.#link(source, path)) return;
    // O_EXCL: of two concurrent saves one gets the name, and a link of that name is never followed.
    using out = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
    try {
      await this.stream().pipeTo(out.writable);
    } catch (error) {
      await removeQuietly(path);
      throw error;
    }
  }

  async #link(source: string, path: string): Promise<boolean> {
    // Without the permission, Deno would prompt in the terminal.
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return false;
    this.#isLinked = true;
    try {
      await Deno.link(source, path);
      return true;
    } catch (error) {
      this.#isLinked = false;
      if (error instanceof Deno.errors.AlreadyExists) throw error;
      // A different file system, or one without hard links.
      return false;
    }
  }

  /** Removes the temporary file, if any; a second call does nothing. */
  async remove(): Promise<void> {
    const path = this.#path;
    this.#isRemoved = true;
    this.#bytes = this.#path = undefined;
    if (path !== undefined) await removeQuietly(path);
  }

  #check(): void {
    if (!this.#isRemoved) return;
    throw new TypeError(
      `Cannot read the upload "${this.name}": it was closed; read or save it before.`,
    );
  }
}
