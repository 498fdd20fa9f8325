/**
 * Learns the licenses of JSR packages from their registry while an executable is built. The registry
 * serves the files of a package; what they say is kept, as a version never changes.
 *
 * @module
 */
import { readCapped } from "@fw/fw/addon";
import { createHash } from "node:crypto";
import { memberOf, objectOf, parseJson, textOf } from "../../project/json.ts";
import { readKept, writeKept } from "../../project/files/kept_file.ts";
import { type Component, type Components, registryOf } from "./components.ts";
import { findLicenseFile, maxLicenseFileSize } from "./license_file.ts";

export interface JsrOptions {
  /** The project's folder, in which results are kept. */
  readonly root: string;
  /** The registry, as `JSR_URL` names it. */
  readonly registry: string;
  /** How long all requests may take together, in milliseconds. @default 10000 */
  readonly timeoutMs?: number;
}

/** What the files of a package say; a member is absent where they say nothing. */
interface License {
  readonly license?: string;
  readonly text?: string;
}

/** Returns the key of a kept license: the version that it belongs to, and where it was read. */
function keyOf({ ref, hash }: Component, base: URL | undefined): string {
  return `${ref} ${hash?.hex ?? "-"} ${base?.href ?? "-"}`;
}

const keptName = "licenses.json";

/** The largest list of files that is read, in bytes: 10,000 files. */
const maxListBytes = 2_097_152;

/** The longest license that is believed, in characters. */
const maxLicenseChars = 200;

/** How many packages are asked for at a time. */
const atOnce = 4;

/**
 * Adds the licenses of JSR packages to the packages of an executable. It never fails: without the
 * registry they stay unknown.
 */
export async function addJsrLicenses(
  components: Components,
  options: JsrOptions,
): Promise<Components> {
  const wanted = components.list.filter(({ registry }) => registry === "jsr");
  if (wanted.length === 0) return components;
  const base = parseRegistry(options.registry);
  const kept = parseLicenses(await readKept(options.root, keptName));
  const found = new Map<string, License>();
  const asked: Component[] = [];
  for (const component of wanted) {
    const known = kept.get(keyOf(component, base));
    if (known === undefined) asked.push(component);
    else found.set(component.ref, known);
  }
  if (base !== undefined && asked.length > 0) {
    await askAll(asked, { base, timeoutMs: options.timeoutMs ?? 10_000, found });
    const entries = wanted.flatMap((component) => {
      const license = found.get(component.ref);
      return license === undefined ? [] : [[keyOf(component, base), license] as const];
    });
    await writeKept(options.root, keptName, Object.fromEntries(entries));
  }
  const list = components.list.map((component): Component => {
    const license = found.get(component.ref);
    if (license === undefined) return component;
    return { ...component, license: license.license, licenseText: license.text };
  });
  return { ...components, list };
}

function parseRegistry(text: string): URL | undefined {
  const url = URL.parse(registryOf(text));
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Parses what an earlier build kept. A member of another shape is left out, so it is read again. */
function parseLicenses(kept: unknown): ReadonlyMap<string, License> {
  return new Map(
    Object.entries(objectOf(kept) ?? {}).flatMap(([ref, value]): [string, License][] => {
      if (objectOf(value) === undefined) return [];
      return [[
        ref,
        licenseOf(textOf(memberOf(value, "license")), textOf(memberOf(value, "text"))),
      ]];
    }),
  );
}

interface Round {
  readonly base: URL;
  readonly timeoutMs: number;
  /** Receives what was learnt. */
  readonly found: Map<string, License>;
}

async function askAll(
  components: readonly Component[],
  { base, timeoutMs, found }: Round,
): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const rest = [...components];
  const work = async (): Promise<void> => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      try {
        const license = await askOne(next, { base, signal: controller.signal });
        if (license !== undefined) found.set(next.ref, license);
      } catch {
        // The registry cannot be reached, so neither can the other packages.
        rest.length = 0;
        controller.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  clearTimeout(timer);
}

interface Asking {
  readonly base: URL;
  readonly signal: AbortSignal;
}

/** Returns what a package says; `undefined` if the registry does not tell, or tells another version. */
async function askOne(
  { name, version, hash }: Component,
  asking: Asking,
): Promise<License | undefined> {
  const list = await readFile(`${name}/${version}_meta.json`, asking, maxListBytes);
  // The digest of the lock file is that of the list of files, which holds the digests of the files.
  if (list === undefined || (hash !== undefined && digestOf(list) !== hash.hex)) return undefined;
  const files = objectOf(memberOf(parseJson(decode(list)), "manifest"));
  if (files === undefined) return undefined;
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await readFile(`${name}/${version}${path}`, asking, maxLicenseFileSize);
    const wanted = textOf(memberOf(files[path], "checksum"));
    const isListed = bytes !== undefined && wanted === `sha256-${digestOf(bytes)}`;
    return isListed ? decode(bytes) : undefined;
  };
  const paths = Object.keys(files);
  const manifest = ["/deno.json", "/jsr.json", "/deno.jsonc", "/jsr.jsonc"]
    .find((path) => paths.includes(path));
  const notice = findLicenseFile(paths.map((path) => path.slice(1)));
  const texts: (string | undefined)[] = [];
  for (const path of [manifest, notice && `/${notice}`]) {
    const text = path === undefined ? undefined : await read(path);
    // A file that is listed and cannot be read says nothing: the next build asks again.
    if (path !== undefined && text === undefined) return undefined;
    texts.push(text);
  }
  const [stated, text] = texts;
  return licenseOf(stated === undefined ? undefined : licenseIn(stated), text);
}

/** A manifest may have comments; the one text that is wanted is found in spite of them. */
function licenseIn(manifest: string): string | undefined {
  const parsed = objectOf(parseJson(manifest));
  if (parsed !== undefined) return textOf(parsed["license"]);
  return /^[ \t]*"license"[ \t]*:[ \t]*"([^"\\\n]+)"/m.exec(manifest)?.[1];
}

/** What a terminal or an editor interprets: control characters and those that turn the direction. */
const control =
  // deno-lint-ignore no-control-regex -- what a registry says is shown on terminals
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function licenseOf(license: string | undefined, text: string | undefined): License {
  const shown = license?.replace(/\s+/g, " ").replace(control, "").trim() ?? "";
  return {
    ...(shown === "" || shown.length > maxLicenseChars ? {} : { license: shown }),
    ...(text === undefined || text.length > maxLicenseFileSize
      ? {}
      : { text: text.replace(control, "") }),
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/**
 * Reads a file of the registry. A redirect is not followed: it may lead to any host.
 *
 * @returns `undefined` if it is not there or too large.
 */
async function readFile(
  path: string,
  { base, signal }: Asking,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const response = await fetch(new URL(path, base), { signal, redirect: "manual" });
  if (response.ok) return await readCapped(response.body, { maxBytes });
  await response.body?.cancel();
  return undefined;
}
