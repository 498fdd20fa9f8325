import type { Application } from "../../mod.ts";
import { appKeys } from "../../runtime/addon.ts";
import { decodeBase64url, encodeBase64url } from "../strict_json.ts";

/** The bytes of a nonce of AES-GCM. */
const nonceBytes = 12;

/**
 * Encrypts a string with a key of the application (AES-256-GCM), so that a copy of a store tells nothing.
 *
 * @throws {TypeError} in production without `FW_SECRET`.
 */
export async function sealText(app: Application, text: string, subject: string): Promise<string> {
  const [key] = appKeys(app, purpose);
  if (key === undefined) {
    throw new TypeError(
      "Cannot keep tokens: the application has no secret; set FW_SECRET to 32 bytes or more.",
    );
  }
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    algorithm(iv, subject),
    await importKey(key, "encrypt"),
    new TextEncoder().encode(text),
  );
  return encodeBase64url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Decrypts what {@link sealText} gave; `undefined` for anything else, and for another secret. */
export async function openText(
  app: Application,
  sealed: string,
  subject: string,
): Promise<string | undefined> {
  const bytes = decodeBase64url(sealed);
  if (bytes === undefined || bytes.length <= nonceBytes) return undefined;
  const iv = bytes.subarray(0, nonceBytes);
  for (const key of appKeys(app, purpose)) {
    const opened = await crypto.subtle.decrypt(
      algorithm(iv, subject),
      await importKey(key, "decrypt"),
      bytes.subarray(nonceBytes),
    ).catch(() => undefined);
    if (opened !== undefined) return new TextDecoder().decode(opened);
  }
  return undefined;
}

const purpose = "fw sign-in tokens 1";

function algorithm(iv: Uint8Array<ArrayBuffer>, subject: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(subject) };
}

function importKey(key: Uint8Array, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  const isExtractable = false;
  return crypto.subtle.importKey("raw", new Uint8Array(key), "AES-GCM", isExtractable, [usage]);
}
