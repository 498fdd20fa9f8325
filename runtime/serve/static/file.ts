import type { SourceFile } from "../../base/file_source.ts";
import { isTextType, mediaTypeOf } from "../../base/media_types.ts";
import {
  chooseCoding,
  type Coding,
  compress,
  createForm,
  fingerprintBytes,
  fingerprintFile,
  fingerprintLater,
  type Form,
  minCompressBytes,
  type StaticSettings,
} from "./form.ts";
import { DiskFile, maxReadBytes } from "./disk.ts";

/** The maximum size of a cached file: copying a larger one costs more than reading it (`bench/static`). */
const maxHeldBytes = 256 * 1_024;

/** The maximum size of text that is compressed on the first request that accepts it. */
const maxCompressBytes = 1_024 * 1_024;

/** The number of files remembered as compressed. */
const maxCompressed = 65_536;

/** The maximum size of a file whose first request waits for its fingerprint; a larger one has no tag yet. */
const maxAwaitedBytes = 64 * 1_024 * 1_024;

type CodedForms = Partial<Record<Coding, Form | Promise<Form>>>;

export class StaticFile {
  /** The URL path without the leading slash. */
  readonly name: string;
  readonly source: SourceFile;
  readonly settings: StaticSettings;
  /** Whether the form depends on `Accept-Encoding`. */
  readonly hasCodings: boolean;
  #fingerprint: string | undefined;
  #heldBytes = 0;
  #isReleased = false;
  #identity: Form | undefined;
  #preparing: Promise<Form> | undefined;
  /** The forms by coding: the file itself if compression saves too little. */
  readonly #coded: CodedForms = {};
  #former: { readonly fingerprint: string | undefined; readonly coded: CodedForms } | undefined;

  constructor(name: string, source: SourceFile, settings: StaticSettings) {
    this.name = name;
    this.source = source;
    this.settings = settings;
    this.#fingerprint = checkFingerprint(source.fingerprint);
    const { size } = source;
    this.hasCodings = settings.env === "prod" && isTextType(mediaTypeOf(name)) &&
      size >= minCompressBytes && size <= maxCompressBytes;
  }

  get fingerprint(): string | undefined {
    const { source } = this;
    const isKnown = this.#fingerprint !== undefined;
    if (isKnown || !(source instanceof DiskFile) || source.size > maxReadBytes) {
      return this.#fingerprint;
    }
    // Development does not load the module that hashes: 20 ms of the first page (`bench/start`).
    if (this.settings.env === "dev" && source.isSettled) return this.#fingerprint = source.version;
    try {
      return this.#fingerprint = fingerprintBytes(this.#read(source));
    } catch {
      // A link to a missing file must not break the page.
      return undefined;
    }
  }

  /** Whether the file may change without a new version and must be described again for each request. */
  get isUnsettled(): boolean {
    return this.#identity?.bytes === undefined && this.source instanceof DiskFile &&
      !this.source.isSettled;
  }

  /** Lets a file that is being written be sent at its present length, without a tag. */
  allowGrowth(): boolean {
    if (!(this.source instanceof DiskFile)) return false;
    this.source.mayGrow = true;
    this.#identity = this.#fingerprint = undefined;
    return true;
  }

  identity(): Form | Promise<Form> {
    return this.#identity ??
      (this.#preparing ??= this.#describe().finally(() => this.#preparing = undefined));
  }

  choose(headers: Headers): Form | Promise<Form> {
    const coding = this.hasCodings ? chooseCoding(headers.get("accept-encoding")) : undefined;
    return coding === undefined ? this.identity() : this.#coded[coding] ??= this.#encode(coding);
  }

  /** Reuses the forms of a previous description of the same content. */
  inherit(former: StaticFile | undefined): this {
    this.#former = former && { fingerprint: former.#fingerprint, coded: former.#coded };
    return this;
  }

  release(): void {
    this.#isReleased = true;
    this.settings.memory.left += this.#heldBytes;
    this.#heldBytes = 0;
  }

  /** Reads the data that the headers need: the content of a small file, the fingerprint of a large one. */
  async #describe(): Promise<Form> {
    const { source } = this;
    const { size } = source;
    const isHeld = this.settings.env === "prod" && size <= maxHeldBytes;
    let held: Uint8Array<ArrayBuffer> | undefined;
    if (isHeld || (this.#fingerprint === undefined && size <= maxReadBytes)) {
      const bytes = source instanceof DiskFile ? this.#read(source) : await readWhole(source);
      if (isHeld && this.#take(bytes.length)) held = bytes;
      this.#fingerprint ??= await fingerprintLater(bytes);
      // Not kept: the next request reads it again.
      if (this.isUnsettled && held === undefined) {
        return createForm(source, this.#fingerprint, { bytes });
      }
    } else if (this.#fingerprint === undefined && source instanceof DiskFile && !source.mayGrow) {
      if (size <= maxAwaitedBytes) await this.#hash(source);
      // A file that is still being written would be read again for each request.
      else if (source.isSettled) this.#hash(source).catch(() => {});
    }
    return this.#identity = createForm(source, this.#fingerprint, { bytes: held });
  }

  async #hash(source: DiskFile): Promise<void> {
    try {
      this.#fingerprint = await fingerprintFile(source.path);
      this.#identity = undefined;
    } catch (error) {
      throw this.#explain(error, source);
    }
  }

  /** Compresses the file once for all waiting requests. */
  async #encode(coding: Coding): Promise<Form> {
    try {
      const identity = await this.identity();
      const known = await this.#findFormer(coding);
      const bytes = known === undefined
        ? await this.#compress(identity, coding)
        : known.coding && known.bytes;
      // A description replaced meanwhile passes the form to its successor.
      const isKept = bytes !== undefined && (this.#isReleased || this.#take(bytes.length));
      return this.#coded[coding] = isKept
        ? createForm(this.source, this.#fingerprint, { bytes, coding })
        : identity;
    } catch (error) {
      delete this.#coded[coding];
      throw error;
    }
  }

  async #findFormer(coding: Coding): Promise<Form | undefined> {
    const { fingerprint, coded } = this.#former ?? {};
    if (fingerprint === undefined || fingerprint !== this.#fingerprint) return undefined;
    return await Promise.resolve(coded?.[coding]).catch(() => undefined);
  }

  /** Compresses once: creating dropped forms again would let clients cause that work with many files. */
  async #compress({ bytes }: Form, coding: Coding): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { source } = this;
    const { compressed } = this.settings;
    const key = `${this.name} ${this.#fingerprint} ${coding}`;
    // This does not apply to a file that is described, and dropped, for each request.
    const isSettled = !(source instanceof DiskFile) || source.isSettled;
    if (isSettled && compressed.has(key)) return undefined;
    const made = await compress(bytes ?? await readWhole(source), coding);
    if (!isSettled) return made;
    const [oldest] = compressed.size < maxCompressed ? [] : compressed;
    if (oldest !== undefined) compressed.delete(oldest);
    compressed.add(key);
    return made;
  }

  #read(source: DiskFile): Uint8Array<ArrayBuffer> {
    try {
      return source.readSync();
    } catch (error) {
      throw this.#explain(error, source);
    }
  }

  /** Logs a file that the system refuses; the client gets a 404. */
  #explain(error: unknown, { path }: DiskFile): unknown {
    if (!(error instanceof Deno.errors.PermissionDenied)) return error;
    this.settings.log?.warn(`Cannot read "${path}": permission denied; it is not served`, {
      fix: "let the user that runs the app read it",
    });
    return new Deno.errors.NotFound(error.message, { cause: error });
  }

  #take(bytes: number): boolean {
    const { memory } = this.settings;
    if (this.#isReleased || bytes > memory.left) return false;
    memory.left -= bytes;
    this.#heldBytes += bytes;
    return true;
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
  const bytes = content instanceof Uint8Array ? content : await new Response(content).bytes();
  if (bytes.length === size) return bytes;
  throw new TypeError(
    `Cannot serve a static file: its source said ${size} bytes and gave ${bytes.length}.`,
  );
}
