/**
 * A file that the framework owns until somebody edits it: its first line holds the hash of the rest,
 * so that a later version can tell an older copy, which it replaces, from an edited one, which it does
 * not.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import { createHash } from "node:crypto";
import { dirname } from "@std/path";
import { replaceFile } from "./write_inside.ts";
import { readTextIfThere } from "./look.ts";

/** What became of a file. */
export type OwnedOutcome =
  /** It was not there and was written. */
  | "made"
  /** An older copy was replaced, or with `force` an edited one. */
  | "updated"
  /** It is as it would be written. */
  | "fresh"
  /** Somebody edited it: it was left as it is. */
  | "edited";

/** What to write. */
export interface OwnedFileOptions {
  /** The text below the first line. */
  readonly body: string;
  /** How the first line is marked as a comment. */
  readonly comment: { readonly open: string; readonly close: string };
  /** The command that writes the file, which the first line names. */
  readonly command: string;
  /** Whether an edited file is replaced. */
  readonly force: boolean;
}

/**
 * Writes a file that the framework owns, unless it was edited.
 *
 * @param path The file, absolute.
 * @param options What to write.
 * @returns What became of it.
 */
export async function writeOwned(path: string, options: OwnedFileOptions): Promise<OwnedOutcome> {
  const { body, force } = options;
  const present = await readTextIfThere(path);
  if (present === undefined) {
    await Deno.mkdir(dirname(path), { recursive: true });
  } else {
    const copy = parseCopy(present);
    if (copy.body === unified(body)) return "fresh";
    if (!copy.isUntouched && !force) return "edited";
  }
  await replaceFile(path, `${firstLine(options)}\n${body}`);
  return present === undefined ? "made" : "updated";
}

/** Its second comment keeps the application's `deno fmt` from editing the file. */
function firstLine({ body, comment, command }: OwnedFileOptions): string {
  return `${comment.open} fw ${version} ${hashOf(body)} written by \`fw ${command}\`, which ` +
    `replaces it unless it was edited ${comment.close} ` +
    `${comment.open} deno-fmt-ignore-file ${comment.close}`;
}

interface Copy {
  /** The text below the first line; all of the text where the first line is none of ours. */
  readonly body: string;
  /** Whether the body is what some version wrote. */
  readonly isUntouched: boolean;
}

function parseCopy(text: string): Copy {
  const whole = unified(text);
  const end = whole.indexOf("\n");
  const hash = /^\S+ fw \S+ ([0-9a-f]{16}) /.exec(end < 0 ? whole : whole.slice(0, end))?.[1];
  if (hash === undefined) return { body: whole, isUntouched: false };
  const body = end < 0 ? "" : whole.slice(end + 1);
  return { body, isUntouched: hashOf(body) === hash };
}

function hashOf(body: string): string {
  return createHash("sha256").update(unified(body)).digest("hex").slice(0, 16);
}

/** The text with one kind of line end: a checkout may have changed them. */
function unified(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
