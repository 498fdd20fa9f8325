import type { Coding } from "./compress.ts";

/** The maximum total size of the compressed forms in memory. */
const maxCodedBytes = 32 * 1_024 * 1_024;

/** For how many contents it is remembered that no compressed form is kept. */
const maxRefusals = 65_536;

/** A compressed form in memory. */
export interface Coded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Set by each use, so that a form in use outlives the others. */
  isUsed: boolean;
  /** Called when the form is dropped. */
  readonly onDrop: Set<() => void>;
}

/** A content and its coding. */
export interface CodedKey {
  /** Names the content. */
  readonly fingerprint: string;
  readonly coding: Coding;
}

/**
 * The compressed forms of static files by content, within a byte budget. A content is compressed once: if it
 * saved too little, or was dropped for others, it is not compressed again, because files that do not fit
 * would otherwise be compressed on every request.
 */
export class CodedCache {
  readonly #maxBytes: number;
  #bytes = 0;
  readonly #kept = new Map<string, Coded>();
  readonly #refused = new Set<string>();
  /** The last work on a content: its codings are made one after the other. */
  readonly #working = new Map<string, Promise<Coded | undefined>>();

  constructor(maxBytes: number = maxCodedBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the form, `"none"` where none is sent, or `undefined` where it has not been made. */
  get(key: CodedKey): Coded | "none" | undefined {
    const name = nameOf(key);
    return this.#kept.get(name) ?? (this.#refused.has(name) ? "none" : undefined);
  }

  /**
   * Makes a form, after the one that is being made of the same content.
   *
   * @param compress Returns `undefined` where compressing saves too little.
   * @returns The form, or `undefined` where the file is sent as it is.
   */
  make(
    key: CodedKey,
    compress: () => Promise<Uint8Array<ArrayBuffer> | undefined>,
  ): Promise<Coded | undefined> {
    const before = this.#working.get(key.fingerprint);
    const work = (async (): Promise<Coded | undefined> => {
      await before?.catch(() => {});
      const known = this.get(key);
      if (known !== undefined) return known === "none" ? undefined : known;
      return this.#keep(nameOf(key), await compress());
    })();
    this.#working.set(key.fingerprint, work);
    const forget = (): void => {
      if (this.#working.get(key.fingerprint) === work) this.#working.delete(key.fingerprint);
    };
    work.then(forget, forget);
    return work;
  }

  #keep(name: string, bytes: Uint8Array<ArrayBuffer> | undefined): Coded | undefined {
    if (bytes === undefined || bytes.length > this.#maxBytes) {
      this.#refuse(name);
      return undefined;
    }
    this.#bytes += bytes.length;
    while (this.#bytes > this.#maxBytes) this.#dropOne();
    const coded: Coded = { bytes, isUsed: false, onDrop: new Set() };
    this.#kept.set(name, coded);
    return coded;
  }

  /** Drops the oldest form that was not used since the last look at it. */
  #dropOne(): void {
    for (const [name, coded] of this.#kept) {
      this.#kept.delete(name);
      if (coded.isUsed) {
        coded.isUsed = false;
        this.#kept.set(name, coded);
        continue;
      }
      this.#bytes -= coded.bytes.length;
      this.#refuse(name);
      for (const tell of coded.onDrop) tell();
      return;
    }
  }

  #refuse(name: string): void {
    const [oldest] = this.#refused.size < maxRefusals ? [] : this.#refused;
    if (oldest !== undefined) this.#refused.delete(oldest);
    this.#refused.add(name);
  }
}

function nameOf({ fingerprint, coding }: CodedKey): string {
  return `${fingerprint}-${coding}`;
}
