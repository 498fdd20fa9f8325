import { cutText, escapeLines } from "@fw/fw/addon";
import { resolve } from "@std/path";
import { exitCodes, type Io } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import { printJson } from "../../printer.ts";
import type { Place, Problem } from "../../problem.ts";
import { statIfThere } from "../../project/files/look.ts";
import { memberOf, parseJson, textOf } from "../../project/json.ts";
import { runGit } from "../../project/process/git.ts";
import type { Project } from "../../project/project.ts";
import { Stop } from "../../stop.ts";
import type { ApiDocument } from "../openapi/document.ts";
import type { Change } from "./schema.ts";
import { compareDocuments } from "./compare.ts";

const maxBytes = 16 * 1024 * 1024;

/** What git may get: a dash would start an option, a colon name another file. */
const ref = /^[\w@][\w./@{}^~+-]*$/;

/** @throws {Stop} if the document cannot be read. */
export async function readOlderDocument(
  against: string,
  { cwd, root, file, messages }: {
    readonly cwd: string;
    readonly root: string;
    readonly file: string;
    readonly messages: Messages;
  },
): Promise<unknown> {
  const path = resolve(cwd, against);
  const { isFile = false, size = 0 } = await statIfThere(path) ?? {};
  const isCommit = !isFile && ref.test(against);
  const run = isCommit ? await runGit(root, ["show", `${against}:./${file}`], { maxBytes }) : null;
  const text = isFile && size <= maxBytes ? await Deno.readTextFile(path) : run?.stdout;
  const document = parseJson(text ?? "");
  if (textOf(memberOf(document, "openapi"))?.startsWith("3.1.")) return document;
  const message = messages.diff.unreadable(against, file);
  throw new Stop([{ code: "E_AGAINST", severity: "error", message }]);
}

export function changeText(change: Change, { diff }: Messages): string {
  const { operation, kind, place, name = "", from, to } = change;
  const text = diff.kinds[kind](place, name, valueText(from), valueText(to));
  return operation === "" ? text : `${operation}: ${text}`;
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "–";
  return cutText(text, 120);
}

const severities = { breaking: "error", notice: "warning", compatible: "info" } as const;

export function changeProblems(
  changes: readonly Change[],
  messages: Messages,
  place: Place,
): Problem[] {
  return changes.map((change) => ({
    code: change.level === "breaking" ? "breaking_change" : "api_change",
    severity: severities[change.level],
    place,
    message: changeText(change, messages),
    ...change.level === "compatible" ? {} : { fix: messages.diff.fix[change.level] },
  }));
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
