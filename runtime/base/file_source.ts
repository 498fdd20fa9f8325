/** A part of a file, in bytes. */
export interface ByteRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/** One file of a {@linkcode FileSource}. */
export interface SourceFile {
  /** Size, in bytes. */
  readonly size: number;
  /** When it changed last, in milliseconds since 1970; absent means that it never changes. */
  readonly modifiedMs?: number | undefined;
  /**
   * Fingerprint of the content, 1 to 64 letters, digits, `-` and `_`: the `ETag` and `?v=`. @default a
   * digest of the content, for files up to 8 MiB
   */
  readonly fingerprint?: string | undefined;
  /** Returns a part of the file: exactly `end - start` bytes. */
  read(range: ByteRange):
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array>
    | Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>;
}

/**
 * A source of static files outside a folder: in memory, in an archive, in a store. It is consulted on every
 * request, in development and in production.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, type FileSource } from "@fw/fw";
 *
 * const text = new TextEncoder().encode("User-agent: *\n");
 * const file = { size: text.length, read: ({ start = 0, end = 0 }) => text.slice(start, end) };
 * const source: FileSource = { get: (path) => path === "robots.txt" ? file : undefined };
 * const app = new App({ public: source });
 * const response = await app.fetch(new Request("http://localhost/robots.txt"));
 * assertEquals(await response.text(), "User-agent: *\n");
 * ```
 */
export interface FileSource {
  /**
   * Finds a file by its decoded path below the source, such as `img/a b.png`: never empty, without dot
   * segments, dot files (but `.well-known/`), backslashes and control characters.
   */
  get(path: string): SourceFile | undefined | Promise<SourceFile | undefined>;
}

/** A mount of `config.mounts` with its settings. */
export interface MountSettings {
  /** The files: a folder, its `file:` URL or a {@linkcode FileSource}. */
  readonly from: string | URL | FileSource;
  /**
   * Whether a path that ends in a slash serves the `index.html` below it; without the slash it redirects
   * there. @default false
   */
  readonly index?: boolean;
}
