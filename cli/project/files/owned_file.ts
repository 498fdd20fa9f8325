/**
 * A file that the framework owns until the developer edits it. Its first line holds a hash of the
 * rest: an outdated file is replaced, an edited one is kept.
 */
import { version } from "@fw/fw/conventions";
import { dirname } from "@std/path";
import { createHash } from "node:crypto";
import { readTextIfThere } from "./look.ts";
import { createFile, replaceFile } from "./write_inside.ts";

export type OwnedOutcome =
  | "made"
  /** An outdated file, or with `force` an edited one, was replaced. */
  | "updated"
  | "fresh"
  | "edited";

export interface OwnedFileOptions {
  /** The text below the first line. */
  readonly body: string;
  readonly comment: { readonly open: string; readonly close: string };
  readonly command: string;
  readonly force: boolean;
  /** Reports the outcome and writes nothing. @default false */
  readonly isDry?: boolean;
}

export async function writeOwned(path: string, options: OwnedFileOptions): Promise<OwnedOutcome> {
  const { body, force, isDry = false } = options;
  const present = await readTextIfThere(path);
  if (present !== undefined) {
    const whole = unified(present);
    const [first = "", ...rest] = whole.split("\n");
    const hash = /^\S+ fw \S+ ([0-9a-f]{16}) /.exec(first)?.[1];
    const copy = hash === undefined ? whole : rest.join("\n");
    if (copy === unified(body)) return "fresh";
    if (hash !== hashOf(copy) && !force) return "edited";
  }
  if (!isDry) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await replaceFile(path, `${firstLine(options)}\n${body}`);
  }
  return present === undefined ? "made" : "updated";
}

/** Returns the first line. Its second comment stops `deno fmt` from editing the file. */
function firstLine({ body, comment, command }: OwnedFileOptions): string {
  return `${comment.open} fw ${version} ${hashOf(body)} written by \`fw ${command}\`, which ` +
    `replaces it unless it was edited ${comment.close} ` +
    `${comment.open} deno-fmt-ignore-file ${comment.close}`;
}

function hashOf(body: string): string {
  return createHash("sha256").update(unified(body)).digest("hex").slice(0, 16);
}

/** Normalises line ends, which a checkout may have changed. */
function unified(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Writes a file that belongs to the application once written. */
export async function writeOnce(path: string, text: string): Promise<"made" | "kept"> {
  try {
    await createFile(path, text);
    return "made";
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return "kept";
  }
}
