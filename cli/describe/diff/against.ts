/**
 * Reads the older document that the present one is compared with: a file, or the file of a git commit.
 *
 * @module
 */
import { readCapped } from "@fw/fw/addon";
import { resolve } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import { statIfThere } from "../../project/files/look.ts";
import { parseJson } from "../../project/json.ts";
import { quietGit } from "../../project/process/git.ts";
import { findDocumentFaults } from "../document/operations.ts";

/** The largest document that is read. */
const maxBytes = 16 * 1024 * 1024;

export interface OlderDocumentOptions {
  /** The folder from which files are named. */
  readonly cwd: string;
  /** The project's folder. */
  readonly root: string;
  /** The file of the document inside the project, for a commit. */
  readonly file: string;
  readonly messages: Messages;
}

/** The older document, or why it cannot be read. */
export type OlderDocument =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the older document.
 *
 * @param against A file, or a git ref: a file wins.
 */
export async function readOlderDocument(
  against: string,
  options: OlderDocumentOptions,
): Promise<OlderDocument> {
  const texts = options.messages.diff;
  const source = await readSource(against, options);
  if (source.kind === "unreadable") {
    return { ok: false, message: texts.unreadable(against, source.detail) };
  }
  if (source.kind === "large") {
    return { ok: false, message: texts.tooLarge(against, String(maxBytes)) };
  }
  const document = parseJson(source.text);
  const [fault] = findDocumentFaults(document);
  if (fault !== undefined) return { ok: false, message: texts.notDocument(against, fault) };
  return { ok: true, document };
}

type Source =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "large" }
  | { readonly kind: "unreadable"; readonly detail: string };

async function readSource(against: string, options: OlderDocumentOptions): Promise<Source> {
  const path = resolve(options.cwd, against);
  const info = await statIfThere(path);
  if (info?.isFile === true) {
    if (info.size > maxBytes) return { kind: "large" };
    return { kind: "text", text: await Deno.readTextFile(path) };
  }
  return await readCommit(against, options);
}

async function readCommit(
  ref: string,
  { root, file, messages }: OlderDocumentOptions,
): Promise<Source> {
  // A ref that starts with a dash would be an option of git, and a colon would name another file.
  if (!/^[\w@][\w./@{}^~+-]*$/.test(ref)) {
    return { kind: "unreadable", detail: messages.diff.noRef };
  }
  try {
    const process = new Deno.Command("git", {
      ...quietGit(["show", `${ref}:./${file}`]),
      cwd: root,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    // What is longer is cancelled: git ends when it cannot write on.
    const [output, errors] = await Promise.all([
      readCapped(process.stdout, { maxBytes }),
      readCapped(process.stderr, { maxBytes }),
    ]);
    const { success } = await process.status;
    if (output === undefined) return { kind: "large" };
    if (success) return { kind: "text", text: new TextDecoder().decode(output) };
    const [detail = ""] = new TextDecoder().decode(errors).trim().split("\n");
    return { kind: "unreadable", detail: detail.slice(0, 300) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return { kind: "unreadable", detail: messages.diff.noGit };
    }
    throw error;
  }
}
