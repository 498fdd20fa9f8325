import type { SourceFile } from "../../base/file_source.ts";
import { isTextType, mediaTypeOf } from "../../base/media_types.ts";
import { acceptedCodings, type Coding, decompress, minCompressBytes } from "./compress.ts";
import { DiskFile } from "./disk.ts";
import {
  createForm,
  fingerprintBytes,
  fingerprintFile,
  fingerprintLater,
  type Form,
  type Heads,
  headsOf,
  type HeadsOptions,
  type StaticSettings,
} from "./form.ts";

/** A cached file is copied for each response: a larger one costs more than its reading (`bench/static`). */
const maxHeldBytes = 256 * 1_024;

/** Text up to this size is compressed on the first request that accepts it. */
const maxCompressBytes = 1_024 * 1_024;

/** Contents up to this size are read whole for their fingerprint. */
const maxReadBytes = 8 * 1_024 * 1_024;

/** The first request waits for the fingerprint of a file up to this size; a larger one has no tag meanwhile. */
const maxAwaitedBytes = 64 * 1_024 * 1_024;

export type Siblings = Readonly<Partial<Record<Coding, SourceFile>>>;

export class StaticFile {
  /** The URL path without the leading slash. */
  readonly name: string;
  readonly source: SourceFile;
  readonly #siblings: Siblings;
  readonly #settings: StaticSettings;
  readonly #isCompressible: boolean;
  /** Whether another `Accept-Encoding` might get another form. */
  readonly hasCodings: boolean;
  #fingerprint: string | undefined;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #heldBytes = 0;
  #isReleased = false;
  #identity: Form | undefined;
  #preparing: Promise<Form> | undefined;
  readonly #forms: Partial<Record<Coding, Form | "none" | Promise<Form | undefined>>> = {};

  constructor(
    file: { readonly name: string; readonly source: SourceFile; readonly siblings?: Siblings },
    settings: StaticSettings,
  ) {
    this.name = file.name;
    this.source = file.source;
    this.#siblings = file.siblings ?? {};
    this.#settings = settings;
    const type = mediaTypeOf(file.name);
    this.#fingerprint = checkFingerprint(file.source.fingerprint);
    const { size } = file.source;
    this.#isCompressible = isTextType(type) && size >= minCompressBytes &&
      size <= maxCompressBytes;
    // In development a form that was compressed beforehand is one of yesterday's.
    this.hasCodings = settings.env === "prod" &&
      (this.#isCompressible || this.#siblings.br !== undefined ||
        this.#siblings.gzip !== undefined);
  }

  get fingerprint(): string | undefined {
    const { source } = this;
    if (this.#fingerprint !== undefined || !(source instanceof DiskFile)) return this.#fingerprint;
    if (source.size > maxReadBytes) {
      this.#prepare().catch(() => {});
      return undefined;
    }
    try {
      return this.#fingerprint = fingerprintBytes(this.#read(source));
    } catch {
      // A page that links to a file which is gone is a page all the same.
      return undefined;
    }
  }

  /** Whether the file may change without another version, and is not cached: describe it for each request. */
  get isUnsettled(): boolean {
    return this.#bytes === undefined && this.source instanceof DiskFile && !this.source.isSettled;
  }

  identity(): Form | Promise<Form> {
    return this.#identity ?? this.#prepare();
  }

  choose(headers: Headers, isHead: boolean): Form | Promise<Form> {
    if (!this.hasCodings) return this.identity();
    const accepted = acceptedCodings(headers.get("accept-encoding"));
    if (accepted.length === 0) return this.identity();
    if (this.#identity === undefined) {
      return this.#prepare().then(() => this.choose(headers, isHead));
    }
    return this.#chooseOf(accepted, { identity: this.#identity, isHead });
  }

  release(): void {
    this.#isReleased = true;
    this.#settings.memory.left += this.#heldBytes;
    this.#heldBytes = 0;
  }

  heads(form: Form, options: HeadsOptions): Heads {
    return headsOf(form, this, this.#settings, options);
  }

  #prepare(): Promise<Form> {
    return this.#preparing ??= this.#describe().finally(() => this.#preparing = undefined);
  }

  /** Reads what the headers must know: the content of a small file, the fingerprint of a large one. */
  async #describe(): Promise<Form> {
    const { source } = this;
    const { size } = source;
    const { env, memory } = this.#settings;
    const isHeld = env === "prod" && size <= maxHeldBytes && size <= memory.left;
    if (isHeld || (this.#fingerprint === undefined && size <= maxReadBytes)) {
      const bytes = source instanceof DiskFile ? this.#read(source) : await readWhole(source);
      if (isHeld && this.#take(size)) this.#bytes = bytes;
      this.#fingerprint ??= await fingerprintLater(bytes);
    } else if (this.#fingerprint === undefined && source instanceof DiskFile) {
      // A file that may still be written would be read again for each request.
      if (size <= maxAwaitedBytes) await this.#hashLarge(source);
      else if (source.isSettled) this.#hashLarge(source);
    }
    const bytes = this.#bytes;
    return this.#identity = createForm(this.source, {
      source,
      bytes,
      size,
      fingerprint: this.#fingerprint,
    });
  }

  #hashing: Promise<void> | undefined;

  #hashLarge(source: DiskFile): Promise<void> {
    return this.#hashing ??= fingerprintFile(source.path).then(async (fingerprint) => {
      // A file that was written meanwhile gets its fingerprint when it is described again.
      const { version } = new DiskFile(source.path, await Deno.stat(source.path));
      if (version !== source.version) return;
      this.#fingerprint = fingerprint;
      this.#identity = undefined;
    }).catch((error) => void this.#explain(error, source));
  }

  #read(source: DiskFile): Uint8Array<ArrayBuffer> {
    try {
      return source.readSync();
    } catch (error) {
      throw this.#explain(error, source);
    }
  }

  /** A file that the system refuses is reported here, and not found for the client. */
  #explain(error: unknown, { path }: DiskFile): unknown {
    if (!(error instanceof Deno.errors.PermissionDenied)) return error;
    this.#settings.log?.warn(`Cannot read "${path}": permission denied; it is not served`, {
      fix: "let the user that runs the app read it",
    });
    return new Deno.errors.NotFound(error.message, { cause: error });
  }

  #take(bytes: number): boolean {
    const { memory } = this.#settings;
    if (this.#isReleased || bytes > memory.left) return false;
    memory.left -= bytes;
    this.#heldBytes += bytes;
    return true;
  }

  #chooseOf(
    accepted: readonly Coding[],
    at: { readonly identity: Form; readonly isHead: boolean },
  ): Form | Promise<Form> {
    const { identity, isHead } = at;
    for (const [index, coding] of accepted.entries()) {
      const known = this.#known(coding);
      if (known === "none") continue;
      if (known !== undefined && !(known instanceof Promise)) return known;
      const fingerprint = this.#codedFingerprint(coding);
      // A file that was compressed beforehand costs no more than a look at it.
      if (isHead && known === undefined && this.#siblings[coding] === undefined) {
        const { source } = this;
        return createForm(this.source, {
          source,
          bytes: undefined,
          size: undefined,
          coding,
          fingerprint,
        });
      }
      const making = known ?? this.#make(coding);
      const rest = accepted.slice(index + 1);
      return making.then((form) => form ?? this.#chooseOf(rest, at));
    }
    return identity;
  }

  /** Returns the form of a coding, if it has been made or refused; one that was dropped counts as refused. */
  #known(coding: Coding): Form | "none" | Promise<Form | undefined> | undefined {
    const known = this.#forms[coding];
    if (known === undefined || known === "none" || known instanceof Promise) return known;
    if (known.source !== this.source) return known;
    const fingerprint = this.#fingerprint ?? "";
    const kept = this.#settings.compressor.get({ fingerprint, coding });
    return kept === known.bytes ? known : this.#forms[coding] = "none";
  }

  /** Makes a form once, however many requests wait for it. */
  #make(coding: Coding): Promise<Form | undefined> {
    const making = (async (): Promise<Form | undefined> => {
      let made: Form | undefined;
      try {
        made = await this.#readSibling(coding) ?? await this.#compress(coding);
      } finally {
        this.#forms[coding] = made ?? "none";
      }
      return made;
    })();
    return this.#forms[coding] = making;
  }

  /** A tag names the bytes that are sent: each coding has its own (RFC 9110, section 8.8.3.3). */
  #codedFingerprint(coding: Coding): string | undefined {
    return this.#fingerprint === undefined ? undefined : `${this.#fingerprint}-${coding}`;
  }

  async #compress(coding: Coding): Promise<Form | undefined> {
    const { source } = this;
    const fingerprint = this.#fingerprint;
    if (!this.#isCompressible || fingerprint === undefined) return undefined;
    const bytes = await this.#settings.compressor.make(
      { fingerprint, coding },
      async () => this.#bytes ?? await readWhole(source),
    );
    if (bytes === undefined) return undefined;
    const own = this.#codedFingerprint(coding);
    return createForm(this.source, { source, bytes, size: bytes.length, coding, fingerprint: own });
  }

  async #readSibling(coding: Coding): Promise<Form | undefined> {
    const source = this.#siblings[coding];
    if (!(source instanceof DiskFile)) return undefined;
    const { size } = source;
    if (size > maxReadBytes || this.source.size > maxReadBytes) {
      const fingerprint = await fingerprintFile(source.path);
      return createForm(this.source, { source, bytes: undefined, size, coding, fingerprint });
    }
    const bytes = source.readSync();
    const decoded = await decompress(bytes, coding, this.source.size);
    // An older version of the file would be another content under its URL.
    if (decoded === undefined || fingerprintBytes(decoded) !== this.#fingerprint) {
      this.#settings.log?.warn("a compressed file is not that of the file beside it: not served", {
        file: this.name,
        coding,
      });
      return undefined;
    }
    const held = size <= maxHeldBytes && this.#take(size) ? bytes : undefined;
    const fingerprint = await fingerprintLater(bytes);
    return createForm(this.source, { source, bytes: held, size, coding, fingerprint });
  }
}

function checkFingerprint(text: string | undefined): string | undefined {
  if (text === undefined || /^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new TypeError(
    `Cannot use the fingerprint ${
      JSON.stringify(text)
    } of a static file: use 1 to 64 letters, digits, "-" and "_".`,
  );
}

async function readWhole(source: SourceFile): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = source;
  const content = await source.read({ start: 0, end: size });
  const bytes = content instanceof Uint8Array
    ? content
    : new Uint8Array(await new Response(content).arrayBuffer());
  if (bytes.length === size) return bytes;
  throw new TypeError(
    `Cannot serve a static file: its source said ${size} bytes and gave ${bytes.length}.`,
  );
}
