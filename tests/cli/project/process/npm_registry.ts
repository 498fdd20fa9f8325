/** A local registry of npm packages, with one package that runs a program on installation. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { join } from "@std/path";
import { runDeno } from "../../../../cli/project/process/deno.ts";
import { serveLocal } from "../../../serve_local.ts";

export const packageName = "scripted";

export interface ScriptedRegistry extends AsyncDisposable {
  /** The variable that sets it as the user's registry. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the registry.
 *
 * @param script The program that the package runs after its installation.
 */
export function startScriptedRegistry(script: string): ScriptedRegistry {
  const manifest = {
    name: packageName,
    version: "1.0.0",
    type: "module",
    main: "index.js",
    scripts: { postinstall: script },
  };
  const archive = packageArchive({
    "package/package.json": JSON.stringify(manifest),
    "package/index.js": "export const x = 1;\n",
  });
  const server = serveLocal(({ url }) => {
    const { origin, pathname } = new URL(url);
    if (pathname === "/archive.tgz") return new Response(archive);
    if (pathname !== `/${packageName}`) return new Response(null, { status: 404 });
    const dist = {
      tarball: `${origin}/archive.tgz`,
      integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      shasum: createHash("sha1").update(archive).digest("hex"),
    };
    return Response.json({
      name: packageName,
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": { ...manifest, hasInstallScript: true, dist } },
      time: { "1.0.0": "2020-01-01T00:00:00.000Z" },
    });
  });
  const { port } = server.addr;
  return {
    env: { NPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}/` },
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      // Deno caches packages by the URL of the registry.
      const { stdout } = await runDeno(["info", "--json"], { cwd: Deno.cwd() });
      const kept = join(JSON.parse(stdout).npmCache, String(port));
      await Deno.remove(kept, { recursive: true }).catch(() => {});
    },
  };
}

/** Returns a compressed archive, whose entries have a header of 512 bytes each. */
function packageArchive(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(512);
    const octal = (value: number, length: number): string =>
      `${value.toString(8).padStart(length - 1, "0")}\0`;
    head.write(name, 0);
    head.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8), 100);
    head.write(octal(body.length, 12) + octal(0, 12), 124);
    head.write("        0", 148);
    head.write("ustar\x0000", 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, body, Buffer.alloc((512 - body.length % 512) % 512)];
  });
  return Uint8Array.from(gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
}
