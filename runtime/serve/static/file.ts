import type { SourceFile } from "../../base/file_source.ts";
import {
  acceptedCodings,
  type Coding,
  compress,
  decompress,
  isTextType,
  minCompressBytes,
} from "./compress.ts";
import { fingerprintBytes, maxHashedBytes } from "./fingerprint.ts";
import { mediaTypeOf } from "../../base/media_types.ts";
import { DiskFile } from "./directory.ts";
import type { Coded } from "./coded_cache.ts";
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

/** A compressed form, with the entry of the cache that holds its bytes; a sibling has none. */
interface CodedForm {
  readonly form: Form;
  readonly held: Coded | undefined;
}

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
  readonly #coded: Partial<Record<Coding, CodedForm | "none" | Promise<Form | undefined>>> = {};
  readonly #onRelease: (() => void)[] = [];
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
    const isCompressible = isTextType(this.#type) && file.source.size >= minCompressBytes &&
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
      const known = this.#coded[coding];
      if (known === "none") continue;
      return known === undefined || known instanceof Promise
        ? this.#makeFirst(accepted)
        : use(known);
    }
    return this.identity();
  }

  /**
   * Returns what {@link StaticFile.choose} returns, without compressing: a form that has not been made has no
   * bytes and no length.
   */
  async announce(headers: Headers): Promise<Form> {
    const identity = await this.identity();
    if (!this.#hasCodings) return identity;
    for (const coding of acceptedCodings(headers.get("accept-encoding"))) {
      const known = this.#coded[coding];
      if (known === "none" || this.#cached(coding) === "none") continue;
      // A file that was compressed beforehand costs no more than a look at it.
      if (known instanceof Promise || this.#siblings[coding] !== undefined) {
        return this.choose(headers);
      }
      if (known !== undefined) return use(known);
      return this.#makeForm({
        source: this.source,
        bytes: undefined,
        isAnnounced: true,
        coding,
        fingerprint: this.#codedFingerprint(coding),
      });
    }
    return identity;
  }

  /** Frees the memory when the file has been replaced. */
  release(): void {
    this.#isReleased = true;
    this.#settings.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
    for (const tell of this.#onRelease) tell();
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
    readonly isAnnounced?: boolean;
    readonly coding?: Coding;
    readonly fingerprint?: string;
  }): Form {
    return new Form({
      name: this.name,
      type: this.#type,
      source: form.source,
      bytes: form.bytes,
      size: form.bytes?.length ?? form.source.size,
      isAnnounced: form.isAnnounced ?? false,
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
      if (known === "none") continue;
      if (known !== undefined && !(known instanceof Promise)) return use(known);
      const form = await (known ?? this.#code(coding));
      if (form !== undefined) return form;
    }
    return identity;
  }

  /** Encodes a form once, however many requests are waiting for it. */
  #code(coding: Coding): Promise<Form | undefined> {
    const making = (async (): Promise<Form | undefined> => {
      let made: CodedForm | undefined;
      try {
        made = await this.#readSibling(coding) ?? await this.#compress(coding);
      } finally {
        this.#coded[coding] = made ?? "none";
      }
      return made?.form;
    })();
    return this.#coded[coding] = making;
  }

  /** What is known of the compressed form of this content. */
  #cached(coding: Coding): Coded | "none" | undefined {
    const fingerprint = this.#fingerprint;
    return fingerprint === undefined ? "none" : this.#settings.coded.get({ fingerprint, coding });
  }

  async #compress(coding: Coding): Promise<CodedForm | undefined> {
    const { size } = this.source;
    if (!isTextType(this.#type) || size < minCompressBytes || size > maxCompressBytes) {
      return undefined;
    }
    const fingerprint = this.#fingerprint;
    if (fingerprint === undefined) return undefined;
    const held = await this.#settings.coded.make(
      { fingerprint, coding },
      async () => await compress(this.#bytes ?? await readWhole(this.source), coding),
    );
    if (held === undefined) return undefined;
    const drop = (): void => void (this.#coded[coding] = "none");
    held.onDrop.add(drop);
    const forget = (): void => void held.onDrop.delete(drop);
    if (this.#isReleased) forget();
    else this.#onRelease.push(forget);
    const form = this.#makeForm({
      source: this.source,
      bytes: held.bytes,
      coding,
      fingerprint: this.#codedFingerprint(coding),
    });
    return { form, held };
  }

  /** A tag names the bytes that are sent: each coding has its own (RFC 9110, section 8.8.3.3). */
  #codedFingerprint(coding: Coding): string {
    return `${this.#fingerprint}-${coding}`;
  }

  async #readSibling(coding: Coding): Promise<CodedForm | undefined> {
    const source = this.#siblings[coding];
    if (!(source instanceof DiskFile)) return undefined;
    if (source.size > maxHashedBytes || this.source.size > maxHashedBytes) {
      const fingerprint = source.digest();
      const form = this.#makeForm({ source, bytes: undefined, coding, fingerprint });
      return { form, held: undefined };
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
    const fingerprint = fingerprintBytes(bytes);
    const form = this.#makeForm({ source, bytes: held, coding, fingerprint });
    return { form, held: undefined };
  }

  /** Reports whether a compressed file is this one, and not an older version of it. */
  async #decodesToFile(bytes: Uint8Array, coding: Coding): Promise<boolean> {
    const size = this.#bytes?.length ?? this.source.size;
    const decoded = await decompress(bytes, { coding, size });
    return decoded !== undefined && fingerprintBytes(decoded) === this.#fingerprint;
  }
}

/** Marks a form as used, so that it outlives those that no request asks for. */
function use({ form, held }: CodedForm): Form {
  if (held !== undefined) held.isUsed = true;
  return form;
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
