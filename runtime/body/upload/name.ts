import { join } from "../../base/file_path.ts";
import { withoutFolders } from "../form/fields.ts";
import type { UploadFile } from "./file.ts";
import { explainDisk } from "./spool.ts";

/** One less than the limit for a name, because a device's name gets a prefix character. */
const maxChars = 99;
/** The maximum length of a name in bytes: file systems allow 255, and a random part may be added. */
const maxBytes = 240;
const fallbackName = "file";

/** Returns the last part of a path of any platform, without unsafe or misleading characters. */
export function safeFileName(sent: string): string {
  const cleaned = withoutFolders(sent).toWellFormed().normalize("NFC")
    // deno-lint-ignore no-control-regex -- control characters are what is dropped
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/g, "")
    // A full-width slash is not a separator, but a later reader may normalise the name into one.
    .replace(/[<>:"|?*\u2044\u2215\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/g, "_")
    .replace(/^[.\s]+/u, "");
  const shortened = trimEnd(shortenName(trimEnd(cleaned), maxChars));
  if (shortened === "") return fallbackName;
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(?:\.|$)/i.test(shortened)
    ? `_${shortened}`
    : shortened;
}

/** Trims in a loop, because a regular expression restarts at every blank inside the name. */
function trimEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

export function shortenName(name: string, maxChars: number): string {
  const { stem, ext } = splitName(name);
  const tail = [...ext].length > 20 ? [] : [...ext];
  const head = tail.length === 0 ? [...name] : [...stem];
  head.length = Math.min(head.length, maxChars - tail.length);
  while (head.length > 0 && byteLength(head) + byteLength(tail) > maxBytes) head.pop();
  return head.join("") + tail.join("");
}

function byteLength(chars: readonly string[]): number {
  return encoder.encode(chars.join("")).length;
}

const encoder = new TextEncoder();

/** Splits a name into its stem, and the ending with its dot; `""` when it has none. */
function splitName(name: string): { readonly stem: string; readonly ext: string } {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? { stem: name, ext: "" } : { stem: name.slice(0, dot), ext: name.slice(dot) };
}

/** Saves an upload; if the name is taken, with a random part: phones send the same name every time. */
export async function saveUpload(file: UploadFile, dir: string, name: string): Promise<string> {
  const save = async (free: string): Promise<string> => {
    await file.writeTo(join(dir, free));
    return join(dir, free);
  };
  try {
    return await save(name).catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const { stem, ext } = splitName(name);
      return save(`${stem}-${crypto.randomUUID().slice(-12)}${ext}`);
    });
  } catch (error) {
    throw explainSaveError(error, dir);
  }
}

function explainSaveError(error: unknown, dir: string): unknown {
  const reason = error instanceof Deno.errors.NotFound
    ? "there is no such folder; make it first"
    : error instanceof Deno.errors.NotCapable
    ? `Deno was not allowed to. Add --allow-write=${dir}`
    : undefined;
  if (reason === undefined) return explainDisk(error);
  return new Error(`Cannot save an upload in "${dir}": ${reason}.`, { cause: error });
}
