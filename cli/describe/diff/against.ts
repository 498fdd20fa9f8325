import { escapeLines } from "@fw/fw/addon";
import { resolve } from "@std/path";
import { exitCodes, type Io } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import { printJson } from "../../printer.ts";
import { cutText, type Place, type Problem } from "../../problem.ts";
import { statIfThere } from "../../project/files/look.ts";
import { memberOf, parseJson, textOf } from "../../project/json.ts";
import { runGit } from "../../project/process/git.ts";
import type { Project } from "../../project/project.ts";
import { Stop } from "../../stop.ts";
import type { ApiDocument } from "../openapi/document.ts";
import type { Change } from "./schema.ts";
import { compareDocuments } from "./compare.ts";

const maxBytes = 16 * 1024 * 1024;

interface OlderDocumentOptions {
  readonly cwd: string;
  readonly root: string;
  readonly file: string;
  readonly messages: Messages;
}

/** @throws {Stop} if the document cannot be read. */
export async function readOlderDocument(
  against: string,
  options: OlderDocumentOptions,
): Promise<unknown> {
  const texts = options.messages.diff;
  const path = resolve(options.cwd, against);
  const info = await statIfThere(path);
  const text = info?.isFile !== true
    ? await readCommit(against, options)
    : info.size > maxBytes
    ? undefined
    : await Deno.readTextFile(path);
  const document = parseJson(text ?? "");
  if (textOf(memberOf(document, "openapi"))?.startsWith("3.1.")) return document;
  const message = text === undefined
    ? texts.tooLarge(against, String(maxBytes))
    : text === ""
    ? texts.unreadable(against, options.file)
    : texts.notDocument(against);
  throw new Stop([{ code: "E_AGAINST", severity: "error", message }]);
}

/** Returns a file of a commit; `""` if git does not find it, `undefined` if it is too large. */
async function readCommit(
  ref: string,
  { root, file }: OlderDocumentOptions,
): Promise<string | undefined> {
  // A ref that starts with a dash would be an option of git, and a colon would name another file.
  if (!/^[\w@][\w./@{}^~+-]*$/.test(ref)) return "";
  const run = await runGit(root, ["show", `${ref}:./${file}`], { maxBytes });
  if (run?.stopped === "output") return undefined;
  return run?.code === 0 ? run.stdout : "";
}

export function changeText(change: Change, { diff }: Messages): string {
  const { operation, kind, place, name = "", from, to } = change;
  const text = diff.kinds[kind](place, name, valueText(from), valueText(to));
  return operation === "" ? text : `${operation}: ${text}`;
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "–";
  return cutText(text, 121);
}

/** Turns changes into problems: breaking ones are errors, notices warnings, the rest information. */
export function changeProblems(
  changes: readonly Change[],
  messages: Messages,
  place: Place,
): Problem[] {
  const { fix } = messages.diff;
  return changes.map((change) => {
    const message = changeText(change, messages);
    if (change.level === "compatible") {
      return { code: "api_change", severity: "info", place, message };
    }
    return change.level === "breaking"
      ? { code: "breaking_change", severity: "error", place, message, fix: fix.breaking }
      : { code: "api_change", severity: "warning", place, message, fix: fix.notice };
  });
}

export async function compareWith(
  against: string,
  { document, file, isJson, project, io }: {
    readonly document: ApiDocument;
    readonly file: string;
    readonly isJson: boolean;
    readonly project: Project;
    readonly io: Io;
  },
): Promise<number> {
  const { root, messages } = project;
  const own = file.replaceAll("\\", "/");
  const older = await readOlderDocument(against, { cwd: io.cwd, root, file: own, messages });
  const changes = compareDocuments(older, document);
  const count = (level: string): string =>
    String(changes.filter((change) => change.level === level).length);
  const ok = count("breaking") === "0";
  const { diff: texts } = messages;
  if (isJson) {
    const problems = changeProblems(changes, messages, { file });
    printJson({ ok, problems, changes }, io);
  } else if (changes.length === 0) io.stdout(`${texts.none(against)}\n`);
  else {
    for (const change of changes) {
      const text = escapeLines(changeText(change, messages)).replaceAll("\n", " ");
      io.stdout(`${texts.levels[change.level]}: ${text}\n`);
    }
    io.stdout(`${texts.summary(count("breaking"), count("notice"), count("compatible"))}\n`);
  }
  return ok ? exitCodes.ok : exitCodes.failure;
}
