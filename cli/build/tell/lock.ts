/**
 * Reads the digests of `deno.lock`.
 *
 * @module
 */
import { dirname, join } from "@std/path";
import { readTextIfThere } from "../../project/files/look.ts";
import { memberOf, parseJson, textOf } from "../../project/json.ts";

/** A digest of a package or a module. */
export interface LockHash {
  readonly algorithm: "SHA-256" | "SHA-512";
  readonly hex: string;
}

/** The digests of a lock file. */
export interface LockHashes {
  npm(id: string): LockHash | undefined;
  jsr(id: string): LockHash | undefined;
  remote(url: string): LockHash | undefined;
}

/** Reads the nearest `deno.lock`, which a workspace has at its root; without one there are no digests. */
export async function readLock(root: string): Promise<LockHashes> {
  // A damaged lock file is reported by Deno, whose own commands fail on it.
  const lock = parseJson(await findLock(root) ?? "{}");
  const integrityOf = (group: string, id: string): string | undefined => {
    const entry = memberOf(memberOf(lock, group), id);
    return textOf(memberOf(entry, "integrity"));
  };
  return {
    npm: (id) => parseIntegrity(integrityOf("npm", id)),
    jsr: (id) => sha256(integrityOf("jsr", id)),
    remote: (url) => sha256(memberOf(memberOf(lock, "remote"), url)),
  };
}

async function findLock(root: string): Promise<string | undefined> {
  for (let folder = root;; folder = dirname(folder)) {
    const text = await readTextIfThere(join(folder, "deno.lock"));
    if (text !== undefined || dirname(folder) === folder) return text;
  }
}

function sha256(hex: unknown): LockHash | undefined {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex)) return undefined;
  return { algorithm: "SHA-256", hex };
}

/** Parses npm's form (Subresource Integrity): an algorithm and base64. */
function parseIntegrity(text: string | undefined): LockHash | undefined {
  const [, bits, base64 = ""] = /^sha(256|512)-([A-Za-z0-9+/]+={0,2})$/.exec(text ?? "") ?? [];
  if (bits === undefined) return undefined;
  const algorithm = bits === "256" ? "SHA-256" : "SHA-512";
  return { algorithm, hex: Uint8Array.fromBase64(base64).toHex() };
}
