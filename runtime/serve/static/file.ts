import type { SourceFile } from "../../base/file_source.ts";
import {
  acceptedCodings,
  type Coding,
  compress,
  decompress,
  isText,
  minCompressBytes,
} from "./compress.ts";
import { fingerprintBytes, maxHashedBytes } from "./fingerprint.ts";
import { mediaTypeOf } from "./media_types.ts";
import { DiskFile } from "./directory.ts";
import { Form, type StaticSettings } from "./form.ts";

/**
 * Files up to this size are cached in memory in production. A cached file is copied for every response: from
 * some hundred KB on, the server's own reading of the disk costs less (`bench/static`).
 */
const maxHeldBytes = 256 * 1_024;

/** Text up to this size is compressed on the first request that accepts it. */
const maxCompressBytes = 1_024 * 1_024;

/** Files that were compressed beforehand, by coding. */
export type Siblings = Readonly<Partial<Record<Coding, SourceFile>>>;

/** One static file, with all that was found out about it. */
export class StaticFile {
  /** Its URL path without the leading slash. */
  readonly name: string;
  /** The source of its bytes. */
  readonly source: SourceFile;
  readonly #type: string;
  readonly #siblings: Siblings;
  readonly #settings: StaticSettings;
  readonly #hasCodings: boolean;
  #fingerprint: string | undefined;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #identity: Form | undefined;
  #preparing: Promise<Form> | undefined;
  readonly #coded: Partial<Record<Coding, Form | "none" | Promise<Form | undefined>>> = {};
  #heldBytes = 0;
  #isReleased = false;

  constructor(
    file: { readonly name: string; readonly source: SourceFile; readonly siblings?: Siblings },
    settings: StaticSettings,
  ) {
    this.name = file.name;
    this.source = file.source;
    this.#siblings = file.siblings ?? {};
    this.#settings = settings;
    this.#type = mediaTypeOf(file.name);
    this.#fingerprint = checkFingerprint(file.source.fingerprint);
    const isCompressible = isText(this.#type) && file.source.size >= minCompressBytes &&
      file.source.size <= maxCompressBytes;
    // In development a form that was compressed beforehand is one of yesterday's.
    this.#hasCodings = settings.env === "prod" &&
      (isCompressible || this.#siblings.br !== undefined || this.#siblings.gzip !== undefined);
  }

  /** The fingerprint if it is already known; a file of a source must have been requested first. */
  get fingerprint(): string | undefined {
    if (this.#fingerprint === undefined && this.source instanceof DiskFile) {
      this.#fingerprint = this.source.digest();
    }
    return this.#fingerprint;
  }

  /** Reads a file on disk into memory and builds its headers, so that no request has to wait. */
  hold(): void {
    if (this.source instanceof DiskFile) this.#prepareDisk(this.source).heads();
  }

  /** Returns the file as it is. */
  identity(): Form | Promise<Form> {
    if (this.#identity !== undefined) return this.#identity;
    if (this.source instanceof DiskFile) return this.#prepareDisk(this.source);
    return this.#preparing ??= this.#prepareSource().finally(() => this.#preparing = undefined);
  }

  /** Returns the form that a client prefers by its `Accept-Encoding`. */
  choose(headers: Headers): Form | Promise<Form> {
    if (!this.#hasCodings) return this.identity();
    const accepted = acceptedCodings(headers.get("accept-encoding"));
    for (const coding of accepted) {
      const form = this.#coded[coding];
      if (form === "none") continue;
      return form instanceof Form ? form : this.#makeFirst(accepted);
    }
    return this.identity();
  }

  /** Frees the memory when the file has been replaced. */
  release(): void {
    this.#isReleased = true;
    this.#settings.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
  }

  #take(bytes: number): boolean {
    if (this.#isReleased || !this.#settings.memory.take(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  #isHeld(): boolean {
    const { size } = this.source;
    return this.#settings.env === "prod" && size <= maxHeldBytes && this.#take(size);
  }

  #prepareDisk(file: DiskFile): Form {
    if (this.#isHeld()) {
      this.#bytes = file.readSync();
      this.#fingerprint = fingerprintBytes(this.#bytes);
    }
    this.#fingerprint ??= file.digest();
    return this.#identity = this.#makeIdentity();
  }

  async #prepareSource(): Promise<Form> {
    const { source } = this;
    if (this.#isHeld()) {
      this.#bytes = await readWhole(source);
      this.#fingerprint ??= fingerprintBytes(this.#bytes);
    } else if (this.#fingerprint === undefined && source.size <= maxHashedBytes) {
      this.#fingerprint = fingerprintBytes(await readWhole(source));
    }
    return this.#identity = this.#makeIdentity();
  }

  #makeIdentity(): Form {
    return this.#makeForm({ source: this.source, bytes: this.#bytes });
  }

  #makeForm(form: {
    readonly source: SourceFile;
    readonly bytes: Uint8Array<ArrayBuffer> | undefined;
    readonly coding?: Coding;
    readonly fingerprint?: string;
  }): Form {
    return new Form({
      name: this.name,
      type: this.#type,
      source: form.source,
      bytes: form.bytes,
      size: form.bytes?.length ?? form.source.size,
      coding: form.coding,
      fingerprint: form.fingerprint ?? this.#fingerprint,
      modifiedMs: this.source.modifiedMs,
      varies: this.#hasCodings,
    }, this.#settings);
  }

  async #makeFirst(accepted: readonly Coding[]): Promise<Form> {
    const identity = await this.identity();
    for (const coding of accepted) {
      const known = this.#coded[coding];
      if (known instanceof Form) return known;
      if (known === "none") continue;
      const form = await (known ?? this.#code(coding));
      if (form !== undefined) return form;
    }
    return identity;
  }

  /** Encodes a form once, however many requests are waiting for it. */
  #code(coding: Coding): Promise<Form | undefined> {
    const making = (async (): Promise<Form | undefined> => {
      let form: Form | undefined;
      try {
        form = await this.#readSibling(coding) ?? await this.#compress(coding);
      } finally {
        this.#coded[coding] = form ?? "none";
      }
      return form;
    })();
    return this.#coded[coding] = making;
  }

  async #compress(coding: Coding): Promise<Form | undefined> {
    const { size } = this.source;
    if (!isText(this.#type) || size < minCompressBytes || size > maxCompressBytes) return undefined;
    const bytes = this.#bytes ?? await readWhole(this.source);
    const coded = await compress(bytes, coding);
    if (coded === undefined || !this.#take(coded.length)) return undefined;
    // A tag names the bytes that are sent: each coding has its own (RFC 9110, section 8.8.3.3).
    const fingerprint = `${this.#fingerprint}-${coding}`;
    return this.#makeForm({ source: this.source, bytes: coded, coding, fingerprint });
  }

  async #readSibling(coding: Coding): Promise<Form | undefined> {
    const source = this.#siblings[coding];
    if (!(source instanceof DiskFile)) return undefined;
    if (source.size > maxHashedBytes || this.source.size > maxHashedBytes) {
      return this.#makeForm({ source, bytes: undefined, coding, fingerprint: source.digest() });
    }
    const bytes = source.readSync();
    if (!await this.#decodesToFile(bytes, coding)) {
      this.#settings.log?.warn("a compressed file is not that of the file beside it: not served", {
        file: this.name,
        coding,
      });
      return undefined;
    }
    const held = bytes.length <= maxHeldBytes && this.#take(bytes.length) ? bytes : undefined;
    return this.#makeForm({ source, bytes: held, coding, fingerprint: fingerprintBytes(bytes) });
  }

  /** Whether a compressed file is this one, and not an older version of it. */
  async #decodesToFile(bytes: Uint8Array, coding: Coding): Promise<boolean> {
    const size = this.#bytes?.length ?? this.source.size;
    const decoded = await decompress(bytes, { coding, size });
    return decoded !== undefined && fingerprintBytes(decoded) === this.#fingerprint;
  }
}

function checkFingerprint(text: string | undefined): string | undefined {
  if (text === undefined || /^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new TypeError(
    `Cannot use the fingerprint ${
      JSON.stringify(text)
    } of a static file: give 1 to 64 letters, digits, "-" and "_".`,
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
