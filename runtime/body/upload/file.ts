/** The number of bytes copied at once: each step waits for another thread, which takes longer than the copy. */
const batchBytes = 1_048_576;

/** The start of a file that its type is found by, in bytes. */
export const headBytes = 512;

/** A file part as it was stored. */
export interface StoredFile {
  readonly name: string;
  /** The media type that the client announced, as it came; `""` for none. */
  readonly type: string;
  readonly size: number;
  /** The first bytes, 512 at most. */
  readonly head: Uint8Array;
  /** The whole content, where it is small; else it is in the temporary file at `path`. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly path: string | undefined;
}

export class UploadFile {
  declare readonly name: string;
  declare readonly type: string;
  declare readonly size: number;
  declare readonly head: Uint8Array;
  #content: Pick<StoredFile, "bytes" | "path"> | undefined;
  #isLinked = false;

  constructor({ bytes, path, ...about }: StoredFile) {
    Object.assign(this, about);
    this.#content = { bytes, path };
  }

  /** A temporary file is opened now: the stream outlives its removal at the request's end. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { bytes, path } = this.#stored();
    if (path !== undefined) return Deno.openSync(path).readable;
    return new ReadableStream({
      start(controller): void {
        if (bytes !== undefined && bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }

  /** Returns the whole content. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes, path } = this.#stored();
    return path === undefined ? (bytes ?? new Uint8Array()).slice() : await Deno.readFile(path);
  }

  /** The first copy of a temporary file is a link, as uploads are large; a later one may differ. */
  async writeTo(path: string): Promise<void> {
    const { bytes, path: source } = this.#stored();
    if (source !== undefined && !this.#isLinked && await this.#link(source, path)) return;
    // O_EXCL: of two saves at once one gets the name, and a link of that name is never followed.
    using out = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
    try {
      if (source === undefined) await writeAll(out, bytes ?? new Uint8Array());
      else await copyFile(source, out);
    } catch (error) {
      await removeQuietly(path);
      throw error;
    }
  }

  async #link(source: string, path: string): Promise<boolean> {
    // Without the permission, Deno would ask the person at the terminal.
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return false;
    this.#isLinked = true;
    try {
      await Deno.link(source, path);
      return true;
    } catch (error) {
      this.#isLinked = false;
      if (error instanceof Deno.errors.AlreadyExists) throw error;
      // Another file system, or one without links.
      return false;
    }
  }

  /** Removes the temporary file, if any; a second call does nothing. */
  async remove(): Promise<void> {
    const path = this.#content?.path;
    this.#content = undefined;
    if (path !== undefined) await removeQuietly(path);
  }

  #stored(): Pick<StoredFile, "bytes" | "path"> {
    if (this.#content !== undefined) return this.#content;
    throw new TypeError(
      `Cannot read the upload "${this.name}": it was closed; read or save it before.`,
    );
  }
}

async function copyFile(path: string, out: Deno.FsFile): Promise<void> {
  using source = await Deno.open(path);
  const batch = new Uint8Array(batchBytes);
  for (let count = await source.read(batch); count !== null;) {
    await writeAll(out, batch.subarray(0, count));
    count = await source.read(batch);
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** Removes a file that may be gone already. */
export async function removeQuietly(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
