import { key, type Upload } from "@fw/fw";
import { basename, join } from "@std/path";
import type { Photo } from "./city_event.ts";

/** The uploaded images provided by `setup.ts`: `use(c, Photos)`. */
export const Photos = key<PhotoFiles>("photo files");

/** An opened image. */
export interface OpenPhoto {
  /** The content, which the caller must read or cancel. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The size in bytes. */
  readonly size: number;
}

/** Stores uploaded images, one file each, in a folder. */
export class PhotoFiles {
  readonly #folder: string;

  /** Uses an existing folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a checked upload. */
  async keep(upload: Upload): Promise<Photo> {
    const path = await upload.save(this.#folder);
    return {
      file: basename(path),
      type: upload.mime,
      // Random and not from the name, which may be reused after an image is removed.
      version: crypto.randomUUID().slice(0, 8),
    };
  }

  /** Opens an image; `undefined` if its file does not exist. */
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

  /** Removes an image if it exists. */
  async remove(photo: Photo | undefined): Promise<void> {
    if (photo === undefined) return;
    try {
      await Deno.remove(join(this.#folder, photo.file));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
