import { key, type Upload } from "@fw/fw";
import { basename, join } from "@std/path";
import type { Photo } from "./city_event.ts";

/** The uploaded pictures, as `setup.ts` provides them: `use(c, Photos)`. */
export const Photos = key<PhotoFiles>("photo files");

/** A picture that was opened. */
export interface OpenPhoto {
  /** The content; the caller reads or cancels it. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The size in bytes. */
  readonly size: number;
}

/** Keeps the pictures that organisers upload, one file each, in one folder. */
export class PhotoFiles {
  readonly #folder: string;

  /** Takes a folder that exists. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores an upload that was checked. */
  async keep(upload: Upload): Promise<Photo> {
    const path = await upload.save(this.#folder);
    return {
      file: basename(path),
      type: upload.mime,
      // Not made from the name: that of a picture that was removed is free for another one.
      version: crypto.randomUUID().slice(0, 8),
    };
  }

  /** Opens a picture, unless its file is gone. */
  async open(photo: Photo): Promise<OpenPhoto | undefined> {
    try {
      const file = await Deno.open(join(this.#folder, photo.file));
      const { size } = await file.stat();
      return { stream: file.readable, size };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Removes a picture; one that is gone already, or was never there, is no fault. */
  async remove(photo: Photo | undefined): Promise<void> {
    if (photo === undefined) return;
    try {
      await Deno.remove(join(this.#folder, photo.file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
