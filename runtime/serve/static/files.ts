import { fromFileUrl, join } from "../../base/file_path.ts";
import type { Config } from "../../base/ctx/config.ts";
import type { FileSource } from "../../base/file_source.ts";
import type { Answered } from "../../base/ctx/answer.ts";
import type { AppTree } from "../../base/ctx/application.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import { type Mount, parseMounts, settingOf } from "./mounts.ts";
import { type DiskFile, isFolder, StaleFileError } from "./disk.ts";
import type { StaticFile } from "./file.ts";
import type { StaticSettings } from "./form.ts";
import { sendFile } from "./send.ts";
import { type Found, indexTree, liveTree, pathOf, type Tree } from "./tree.ts";

/** The default `Cache-Control` of a URL without a fingerprint: revalidate each time. */
const defaultCacheControl = "public, max-age=0, must-revalidate";
const maxAssetUrls = 4_096;

/** The changes of a file during one request, after which the request fails. */
const maxChanges = 4;

/** The maximum total size of contents and compressed forms in memory, in bytes. */
const maxHeldTotalBytes = 64 * 1_024 * 1_024;

/**
 * Opens the static files. In production it indexes the public folder, unless it is very large; other files
 * are read per request.
 *
 * @param defaultPublic The default public folder, which may be missing without a warning.
 */
export function openStaticFiles(
  config: Config,
  defaultPublic: string | undefined,
  { defaults, log }: Pick<StaticSettings, "defaults" | "log">,
): StaticFiles | undefined {
  const settings: StaticSettings = {
    env: config.env,
    cacheControl: checkCacheControl(config.staticCacheControl) ?? defaultCacheControl,
    headers: config.staticHeaders,
    defaults,
    log,
    memory: { left: maxHeldTotalBytes },
    compressed: new Set(),
  };
  const trees = new Map<string, Tree>();
  for (const mount of parseMounts(config.mounts)) {
    trees.set(settingOf(mount.prefix), openMount(mount, settings));
  }
  if (config.public !== undefined) {
    const isAsked = config.public !== defaultPublic;
    trees.set("config.public", openPublic(config.public, settings, isAsked));
  }
  return trees.size === 0 ? undefined : new StaticFiles(trees);
}

export class StaticFiles {
  readonly #trees: readonly Tree[];
  readonly #bySetting: ReadonlyMap<string, Tree>;
  readonly #urls = new Map<string, { readonly file: StaticFile; readonly url: string }>();

  constructor(trees: ReadonlyMap<string, Tree>) {
    this.#trees = [...trees.values()];
    this.#bySetting = trees;
  }

  find(path: string): Found {
    return findIn(this.#trees, path, 0);
  }

  answer(file: StaticFile, c: RequestCtx): Answered {
    try {
      const response = sendFile(file, c);
      return response instanceof Promise
        ? response.catch((error) => this.#renew(error, c))
        : response;
    } catch (error) {
      return this.#renew(error, c);
    }
  }

  /** Sends the present version of a file that has changed since it was described. */
  async #renew(error: unknown, c: RequestCtx, changes = 1): Promise<Response> {
    if (!(error instanceof StaleFileError) || changes > maxChanges) throw error;
    for (const tree of this.#trees) {
      const file = await tree.renew(c.path);
      if (file === undefined) continue;
      // It also changed while its content was read for the tag, so it is sent without one.
      if (changes > 1) file.allowGrowth();
      try {
        return await sendFile(file, c);
      } catch (again) {
        return await this.#renew(again, c, changes + 1);
      }
    }
    throw new Deno.errors.NotFound();
  }

  /** Returns the URL path of a file by its name, with `?v=` if its fingerprint is known. */
  asset(name: string): string {
    const file = this.find(pathOf(name));
    // An asynchronous source is not awaited, so its files have no fingerprint here.
    if (file === undefined || file instanceof Promise) return encodeName(name);
    const known = this.#urls.get(name);
    if (known?.file === file) return known.url;
    const { fingerprint } = file;
    if (fingerprint === undefined) return encodeName(name);
    const url = `${encodeName(name)}?v=${fingerprint}`;
    const [oldest] = this.#urls.size < maxAssetUrls ? [] : this.#urls.keys();
    if (oldest !== undefined) this.#urls.delete(oldest);
    this.#urls.set(name, { file, url });
    return url;
  }

  /** Reports whether a file of this name exists; `true` for asynchronous sources, which are not awaited. */
  has(name: string): boolean {
    return this.find(pathOf(name)) !== undefined;
  }

  /** Reports whether a folder has a file at a canonical path; other sources are not searched. */
  isInFolder(path: string): boolean {
    return this.#trees.some((tree) => tree.isFolder && tree.find(path) !== undefined);
  }

  /** Lists every file of a folder by canonical path, and the sources that cannot be listed. */
  list(): { readonly files: ReadonlyMap<string, DiskFile>; readonly unlisted: readonly string[] } {
    const files = new Map<string, DiskFile>();
    const unlisted: string[] = [];
    for (const [setting, tree] of this.#bySetting) {
      const listed = tree.list();
      if (listed === undefined) unlisted.push(setting);
      else for (const [path, file] of listed) if (!files.has(path)) files.set(path, file);
    }
    return { files, unlisted };
  }

  async warm(): Promise<void> {
    for (const tree of this.#trees) await tree.warm?.();
  }
}

export function publicFolderOf(tree: Pick<AppTree, "dir">): string | undefined {
  return tree.dir === undefined ? undefined : join(tree.dir, "public");
}

function openPublic(from: Mount["from"], settings: StaticSettings, isAsked: boolean): Tree {
  const source = openSource(from, "config.public");
  const live = (): Tree => liveTree(source, { prefix: "", hasIndex: false }, settings);
  if (typeof source !== "string") return live();
  if (isAsked && !isFolder(source)) {
    settings.log?.warn("config.public is not a folder; create it", { folder: String(from) });
  }
  return settings.env === "dev" ? live() : indexTree(source, settings) ?? live();
}

function openMount(mount: Mount, settings: StaticSettings): Tree {
  const { from } = mount;
  const setting = settingOf(mount.prefix);
  const source = openSource(from, setting);
  if (typeof source === "string" && !isFolder(source)) {
    throw new TypeError(`Cannot serve ${setting} "${from}": there is no such folder; create it.`);
  }
  return liveTree(source, mount, settings);
}

function openSource(from: Mount["from"], setting: string): string | FileSource {
  const isObject = typeof from === "object" && from !== null && !(from instanceof URL);
  // Its type may be wrong at run time.
  if (isObject && typeof from.get === "function") return from;
  const text = String(from);
  try {
    if (/^(?:file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text)) return fromFileUrl(text);
    if (from === text && text !== "") return text;
  } catch {
    // A URL with another scheme or a host.
  }
  const value = isObject ? ", an object without a function get" : ` "${text}"`;
  throw new TypeError(
    `Cannot serve ${setting}${value}: use a folder, a file: URL or a FileSource.`,
  );
}

function checkCacheControl(value: string | undefined): string | undefined {
  if (value === undefined || /^[\t\x20-\x7e\x80-\xff]+$/.test(value)) return value;
  throw new TypeError(
    `Cannot set config.staticCacheControl to ${
      JSON.stringify(value)
    }: write a header value such as "public, max-age=3600".`,
  );
}

function findIn(trees: readonly Tree[], path: string, from: number): Found {
  for (let i = from; i < trees.length; i++) {
    const found = trees[i]?.find(path);
    if (found instanceof Promise) return found.then((file) => file ?? findIn(trees, path, i + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function encodeName(name: string): string {
  const rooted = name.startsWith("/") ? name : `/${name}`;
  return encodeURI(rooted.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23");
}
