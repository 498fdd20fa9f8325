import { ByteBuffer } from "../chunks.ts";
import { headBytes, UploadFile } from "./file.ts";
import { spoolBatchBytes, type UploadSpool } from "./spool.ts";

/**
 * Stores one file part as it comes in. It writes without waiting: a batch goes into the system's cache
 * in less time than another thread takes to hear of it, and of a chunked body the server holds ever
 * more, in quadratic time, while its reader pauses.
 */
export class UploadWriter {
  readonly #spool: UploadSpool;
  readonly #about: { readonly name: string; readonly type: string };
  readonly #head = new Uint8Array(headBytes);
  #held: ByteBuffer | undefined = new ByteBuffer();
  #size = 0;
  #out: { readonly path: string; readonly file: Deno.FsFile } | undefined;
  #batchedBytes = 0;
  #isClosed = false;

  constructor(spool: UploadSpool, about: { readonly name: string; readonly type: string }) {
    this.#spool = spool;
    this.#about = about;
  }

  /** Stores a piece, which may be reused afterwards. */
  write(piece: Uint8Array): void {
    if (this.#size < headBytes) {
      this.#head.set(piece.subarray(0, headBytes - this.#size), this.#size);
    }
    this.#size += piece.length;
    if (this.#held !== undefined) {
      if (this.#spool.reserve(piece.length)) return this.#held.append(piece);
      this.#out = this.#spool.create();
      this.#batch(this.#out.file, this.#held.view());
      this.#spool.giveBack(this.#held.length);
      this.#held = undefined;
    }
    if (this.#out !== undefined) this.#batch(this.#out.file, piece);
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
    for (let at = 0; at < batch.length;) at += file.writeSync(batch.subarray(at));
    this.#batchedBytes = 0;
  }

  /** Ends the part. */
  finish(): UploadFile {
    try {
      if (this.#out !== undefined) this.#flush(this.#out.file);
    } finally {
      this.abort();
    }
    return new UploadFile(this.#about, {
      size: this.#size,
      head: this.#head.subarray(0, Math.min(this.#size, headBytes)),
      content: { path: this.#out?.path, bytes: this.#held?.view().slice() },
    });
  }

  /** Aborts the part unless it has ended; the spool removes its file. */
  abort(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#out?.file.close();
  }
}
