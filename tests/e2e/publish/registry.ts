/**
 * A JSR registry on loopback: it stores what `deno publish` uploads, and serves it. `deno publish`
 * uses the real registry unless `JSR_URL` is set, so every subprocess gets exactly the environment
 * {@linkcode Registry.env}.
 */
import { walk } from "@std/fs";
import { join } from "@std/path";
import { serveLocal } from "../../serve_local.ts";

interface Version {
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  exports: Record<string, string>;
}

interface PublishedManifest {
  name: string;
  version: string;
  exports: string | Record<string, string>;
  imports?: Record<string, string>;
}

// Deno refuses versions less than a day old.
const publishedAt = "2025-01-01T00:00:00Z";

const mediaTypes: Readonly<Record<string, string>> = {
  ts: "text/typescript",
  tsx: "text/tsx",
  js: "text/javascript",
  json: "application/json",
  css: "text/css",
};

export class Registry implements AsyncDisposable {
  readonly #packages = new Map<string, Map<string, Version>>();
  readonly #server: ReturnType<typeof serveLocal>;

  constructor() {
    this.#server = serveLocal((request) => this.#answer(request));
  }

  /** The environment of every `deno` process that publishes to or installs from this registry. */
  get env(): Record<string, string> {
    return { JSR_URL: `${this.#server.origin}/` };
  }

  /** The published names and versions, `@fw/fw@0.1.0`, sorted. */
  get published(): string[] {
    return [...this.#packages].flatMap(([name, versions]) =>
      [...versions.keys()].map((version) => `${name}@${version}`)
    ).sort();
  }

  /** The files of one version by path, or `undefined`. */
  files(name: string, version: string): Version["files"] | undefined {
    return this.#packages.get(name)?.get(version)?.files;
  }

  /**
   * Adds a folder unchanged, except that its import map is applied to the sources, as on
   * publishing.
   */
  async addFolder(folder: string): Promise<void> {
    const manifest: PublishedManifest = JSON.parse(
      await Deno.readTextFile(join(folder, "deno.json")),
    );
    const files = new Map<string, Uint8Array<ArrayBuffer>>();
    for await (const { name } of Deno.readDir(folder)) {
      const text = await Deno.readTextFile(join(folder, name));
      files.set(`/${name}`, new TextEncoder().encode(applyImports(text, manifest.imports)));
    }
    this.#add(manifest, files);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #add(manifest: PublishedManifest, files: Version["files"]): void {
    const { name, version, exports } = manifest;
    const versions = this.#packages.get(name) ?? new Map<string, Version>();
    versions.set(version, {
      files,
      exports: typeof exports === "string" ? { ".": exports } : exports,
    });
    this.#packages.set(name, versions);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = decodeURIComponent(url.pathname);
    if (path.startsWith("/api/")) return await this.#answerApi(request, path);
    const [, name = "", rest = ""] = /^\/(@[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
    const versions = this.#packages.get(name);
    if (versions === undefined) return notFound();
    if (rest === "meta.json") return packageMeta(name, versions);
    const meta = /^([^/]+)_meta\.json$/.exec(rest);
    if (meta !== null) return await versionMeta(versions.get(meta[1] ?? ""));
    const [, version = "", file = ""] = /^([^/]+)(\/.+)$/.exec(rest) ?? [];
    return fileResponse(file, versions.get(version)?.files.get(file));
  }

  async #answerApi(request: Request, path: string): Promise<Response> {
    const done = { id: crypto.randomUUID(), status: "success", error: null };
    if (path.startsWith("/api/publish_status/")) return Response.json(done);
    const upload = /^\/api\/scopes\/([^/]+)\/packages\/([^/]+)\/versions\/([^/]+)$/.exec(path);
    if (upload === null) return Response.json({});
    const [, scope = "", name = "", version = ""] = upload;
    if (request.method === "GET") {
      const isThere = this.files(`@${scope}/${name}`, version) !== undefined;
      return isThere ? Response.json({ scope, package: name, version }) : notFound();
    }
    const files = await unpack(request);
    const config = new URL(request.url).searchParams.get("config") ?? "/deno.json";
    const manifest: PublishedManifest = JSON.parse(new TextDecoder().decode(files.get(config)));
    this.#add({ ...manifest, version }, files);
    return Response.json(done);
  }
}

function notFound(): Response {
  return Response.json({ code: "notFound", message: "not found" }, { status: 404 });
}

function packageMeta(name: string, versions: ReadonlyMap<string, Version>): Response {
  const [scope = "", short = ""] = name.slice(1).split("/");
  const dates = [...versions.keys()].map((version) => [version, { createdAt: publishedAt }]);
  return Response.json({
    scope,
    name: short,
    latest: [...versions.keys()].at(-1),
    versions: Object.fromEntries(dates),
  });
}

async function versionMeta(version: Version | undefined): Promise<Response> {
  if (version === undefined) return notFound();
  const manifest: Record<string, { size: number; checksum: string }> = {};
  for (const [path, content] of version.files) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
    manifest[path] = { size: content.length, checksum: `sha256-${digest.toHex()}` };
  }
  return Response.json({ manifest, exports: version.exports });
}

function fileResponse(path: string, content: Uint8Array<ArrayBuffer> | undefined): Response {
  if (content === undefined) return notFound();
  const type = mediaTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "text/plain";
  return new Response(content, { headers: { "content-type": `${type}; charset=utf-8` } });
}

/** Unpacks an upload. @returns Content by path; paths start with `/`. */
async function unpack(request: Request): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = await Deno.makeTempDir();
  const args = ["-xzf", "-", "-C", folder];
  const tar = new Deno.Command("tar", { args, stdin: "piped" }).spawn();
  await request.body?.pipeTo(tar.stdin);
  await tar.status;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for await (const { path, isFile } of walk(folder)) {
    if (isFile) files.set(path.slice(folder.length), await Deno.readFile(path));
  }
  await Deno.remove(folder, { recursive: true });
  return files;
}

function applyImports(source: string, imports: Record<string, string> = {}): string {
  const standIns = { ...imports, "@std/path": "jsr:@std/path@^1.1" };
  return Object.entries(standIns).reduce(
    (text, [from, to]) => text.replaceAll(`from "${from}`, `from "${to}`),
    source,
  );
}
