import { extendVary } from "../../base/headers.ts";
import type { SourceFile } from "../../base/file_source.ts";
import type { Logger } from "../../base/observe/logger.ts";
import type { Env } from "../../base/env.ts";
import {
  type DefaultHeaders,
  type DefaultHeaderSets,
  fileDefaults,
} from "../../request/default_headers.ts";
import type { CodedCache } from "./coded_cache.ts";
import type { Coding } from "./compress.ts";
import type { Validators } from "./conditions.ts";
import type { HeldMemory } from "./memory.ts";

/** What all static files of an application share. */
export interface StaticSettings {
  /** Where the application runs. */
  readonly env: Env;
  /** The `Cache-Control` in production of a URL without a fingerprint. */
  readonly cacheControl: string;
  /** Changes the headers of a file; `name` is its URL path without the leading slash. */
  readonly headers: ((name: string, headers: Headers) => void) | undefined;
  /** The default headers of responses. */
  readonly defaults: DefaultHeaderSets;
  /** Receives warnings. */
  readonly log: Logger | undefined;
  /** The memory budget of the cache. */
  readonly memory: HeldMemory;
  /** The compressed forms. */
  readonly coded: CodedCache;
}

/** The `Cache-Control` of a fingerprinted URL, whose content never changes. */
const immutable = "public, max-age=31536000, immutable";

/** The headers of one form of a file, built once and sent with every response. */
export interface Heads {
  /** For 200. */
  readonly whole: { readonly headers: Headers };
  /** For 304: without what describes a body. */
  readonly notModified: { readonly status: 304; readonly headers: Headers };
}

/** What a form is made of. */
export interface FormInit {
  readonly name: string;
  readonly type: string;
  /** The source of the bytes that are not cached. */
  readonly source: SourceFile;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** How long the form is; the length of `bytes` where they are held. */
  readonly size: number;
  /** Whether the form has not been made, so that its length is not known. @default false */
  readonly isAnnounced?: boolean;
  readonly coding: Coding | undefined;
  readonly fingerprint: string | undefined;
  readonly modifiedMs: number | undefined;
  /** Whether another `Accept-Encoding` might get another form. */
  readonly varies: boolean;
}

/** One form of a file, as it is or compressed: its bytes, its validators and its headers. */
export class Form implements Validators {
  readonly tag: string | undefined;
  readonly modifiedSeconds: number | undefined;
  readonly init: FormInit;
  readonly #settings: StaticSettings;
  /** By scheme, and by whether the URL names the content. */
  readonly #heads: (Heads | undefined)[] = [];

  constructor(init: FormInit, settings: StaticSettings) {
    this.init = init;
    this.#settings = settings;
    const { fingerprint, modifiedMs } = init;
    this.tag = fingerprint === undefined ? undefined : `"${fingerprint}"`;
    this.modifiedSeconds = modifiedMs === undefined ? undefined : Math.floor(modifiedMs / 1_000);
  }

  /**
   * Returns the headers, for a URL that carries the file's fingerprint or for another, and for the scheme.
   * They are complete: finding missing ones in a response costs a third of a small file (`bench/static`).
   */
  heads(options: { readonly isFingerprinted?: boolean; readonly isSecure?: boolean } = {}): Heads {
    const { isFingerprinted = false, isSecure = false } = options;
    const { env, cacheControl, defaults } = this.#settings;
    const own = isSecure ? defaults.https : defaults.http;
    // In development a file changes under its URL.
    if (env === "dev") return this.#build("no-cache", own);
    const index = (isFingerprinted ? 2 : 0) + (isSecure ? 1 : 0);
    return this.#heads[index] ??= this.#build(isFingerprinted ? immutable : cacheControl, own);
  }

  #build(cacheControl: string, defaults: DefaultHeaders): Heads {
    const { init, tag, modifiedSeconds } = this;
    const headers = new Headers({
      "content-type": init.type,
      "cache-control": cacheControl,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    if (modifiedSeconds !== undefined) {
      headers.set("last-modified", new Date(modifiedSeconds * 1_000).toUTCString());
    }
    this.#settings.headers?.(init.name, headers);
    if (init.varies) extendVary(headers, "Accept-Encoding");
    // These headers describe the bytes, so no other code may set them.
    setOrDelete(headers, "etag", tag);
    setOrDelete(headers, "content-encoding", init.coding);
    headers.set("content-length", String(init.size));
    if (init.isAnnounced === true) headers.delete("content-length");
    const bare = new Headers(headers);
    for (const name of ["content-type", "content-encoding", "content-length", "accept-ranges"]) {
      bare.delete(name);
    }
    for (const [name, value] of fileDefaults(headers.get("content-type") ?? "", defaults)) {
      if (!headers.has(name)) headers.set(name, value);
    }
    return { whole: { headers }, notModified: { status: 304, headers: bare } };
  }
}

function setOrDelete(headers: Headers, name: string, value: string | undefined): void {
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
}
