/**
 * Reads the digests of `deno.lock`.
 *
 * @module
 */
import { dirname, join } from "@std/path";
import { readTextIfThere } from "../../project/files/look.ts";

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
  const lock = parseLock(await findLock(root) ?? "{}");
  const integrityOf = (group: string, id: string): string | undefined => {
    const entry = membersOf(lock[group])[id];
    const { integrity } = membersOf(entry);
    return typeof integrity === "string" ? integrity : undefined;
  };
  return {
    npm: (id) => parseIntegrity(integrityOf("npm", id)),
    jsr: (id) => sha256(integrityOf("jsr", id)),
    remote: (url) => sha256(membersOf(lock["remote"])[url]),
  };
}

async function findLock(root: string): Promise<string | undefined> {
  for (let folder = root;; folder = dirname(folder)) {
    const text = await readTextIfThere(join(folder, "deno.lock"));
    if (text !== undefined || dirname(folder) === folder) return text;
  }
}

function parseLock(text: string): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    // A damaged lock file is reported by Deno, whose own commands fail on it.
    return {};
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
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
