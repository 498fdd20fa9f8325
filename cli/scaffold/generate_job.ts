import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { requireProject } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { addDatabase, findGuard, joinDatabase, refuseForeignFile } from "./database.ts";
import { engineNames, readEngine } from "./database/engine.ts";
import { openEdits } from "./edits.ts";
import { joinKit } from "./kit.ts";
import { joinNav } from "./nav.ts";
import { wordedLanguages } from "./languages.ts";
import { lowered, pascal } from "./resource/names.ts";
import {
  type NewFile,
  type Rendering,
  renderRegion,
  renderSample,
  replaceNames,
} from "./sample.ts";
import { joinSetupFile, setupFile, type SetupPart } from "./setup.ts";
import { joinTasks } from "./tasks.ts";
import { Stop, UsageError } from "../stop.ts";
import { joinRoles, readRoles } from "./users.ts";

export const jobsFile = "jobs/mod.ts";
const mailFile = "lib/mail.ts";
/** The calls for pg-boss, whose own connections must be closed. */
export const bossParts: readonly SetupPart[] = [
  { part: "jobs" },
  { part: "boss", sample: "postgres/setup.ts", names: { "./jobs.ts": `../${jobsFile}` } },
];

export async function generateJob(args: CommandArgs, io: Io): Promise<number> {
  const { snake, camel } = readName(args, "job");
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const engine = await readEngine(project.root);
  const isFirst = await readTextIfThere(join(project.root, jobsFile)) === undefined;
  if (isFirst) await refuseForeignFile(project);
  const edits = await openEdits(project);
  // A second call of `provideJobs` would stop the boot.
  const isOwn = isFirst && /\bprovideJobs\(/.test(await edits.read(setupFile) ?? "");
  const isPostgres = engine === "postgres";
  const own = { lendReminder: camel, lend_reminder: snake };
  const names = { ...engineNames(engine), ...own };
  edits.add(...named(["jobs/lend_reminder.ts", "jobs/lend_reminder_test.ts"], { names }));
  const list = isPostgres
    ? renderSample("kit/postgres/jobs.ts", jobsFile, { names: { ...own, '"../jobs/': '"./' } })
    : renderSample(`kit/${jobsFile}`, jobsFile, { names, parts: { job: true } });
  await edits.addMissing(...isOwn ? [] : [list], ...named(["work.ts"], { names }));
  if (isFirst && !isOwn) {
    await addDatabase(edits);
    const stores = isPostgres ? bossParts : [{ part: "jobs" }];
    await joinDatabase(edits, { stores, hasWork: true });
  } else {
    const head = /(\bconst jobs = \[\s*)/;
    const file = isOwn ? setupFile : jobsFile;
    const region = renderRegion(`kit/${jobsFile}`, "job", { names: own });
    const left = await edits.insert(
      file,
      region,
      (text, code) => !isOwn && head.test(text) ? text.replace(head, `$1${code} `) : undefined,
    );
    if (left !== undefined) edits.tell(texts.list(camel, file));
    await joinTasks(edits, { hasProvider: false, hasWork: true });
  }
  edits.tell(texts.hint(camel, `jobs/${snake}_test.ts`));
  return await edits.finish(io);
}

/** Rewrites a generated list of jobs for pg-boss; `undefined` if its function was edited. */
export function toBossJobs(text: string): string | undefined {
  const [, imports = "", boss = ""] =
    /"@fw\/fw\/jobs";\n([^]*?)import .* "\.[^]*^(const Closing[^]*)/m
      .exec(renderSample("kit/postgres/jobs.ts", jobsFile, {}).text) ?? [];
  const begin = "/** Opens the jobs.";
  const [head = "", own] = text.split(begin);
  const [, present] = renderSample(`kit/${jobsFile}`, jobsFile, {}).text.split(begin);
  // The line width of the project decides where a line breaks.
  const squeeze = (code = ""): string => code.replaceAll(/\s|,(?=\s*\})/g, "");
  if (squeeze(own) !== squeeze(present)) return undefined;
  return head
    .replace(/(?<=Application,\s*)(?=use,)/, "key, provide, ")
    .replace(/\b(?=provideJobs,)/, "pgBossJobs, ")
    .replace('"@fw/fw/jobs";\n', (line) => line + imports) + boss;
}

export async function generateJobs(_: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const { jobs: texts } = messages;
  const hasJobs = await readTextIfThere(join(project.root, jobsFile)) !== undefined;
  if (!hasJobs) throw new Stop(texts.noJobs);
  const guard = await findGuard(project.root);
  if (guard === undefined) throw new Stop(messages.resource.noSignIn("/jobs"));
  const [role = "admin"] = await readRoles(project) ?? [];
  const names = {
    ...engineNames(await readEngine(project.root)),
    ...guard === "auth" ? { sessions: "auth" } : {},
    '"admin"': `"${role}"`,
  };
  const languages = wordedLanguages(configuredLanguages(await project.settings({})));
  const pages = ["middleware.ts", "page.ts", "page_test.ts"].map((file) => `app/jobs/${file}`);
  const edits = await openEdits(project);
  edits.add(
    ...[...pages, "lib/job_messages.ts"]
      .map((file) => renderSample(`kit/${file}`, file, { names, languages })),
  );
  await joinKit(edits);
  const entry = {
    path: "/jobs",
    catalog: "jobMessages",
    key: "title",
    file: "lib/job_messages.ts",
    icon: "clock",
    guard,
    role,
  };
  await joinNav(edits, entry);
  edits.tell(texts.pageHint(role));
  await joinRoles(edits, [role]);
  return await edits.finish(io);
}

export async function generateMail(args: CommandArgs, io: Io): Promise<number> {
  const { snake, camel, pascal: type } = readName(args, "mail");
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const edits = await openEdits(project);
  const engine = engineNames(await readEngine(project.root));
  const names = { ...engine, loanNotice: camel, LoanNotice: type, loan_notice: snake };
  const languages = wordedLanguages(configuredLanguages(await project.settings({})));
  edits.add(...named(["mails/loan_notice.ts", "mails/loan_notice_test.ts"], { names, languages }));
  await edits.addMissing(...named([mailFile, "lib/origin.ts"], { names: engine }));
  const list = /(\bconst previews: [^=]* = \{)/;
  const left = await edits.insert(
    mailFile,
    renderRegion(`kit/${mailFile}`, "preview", { names }),
    (text, code) => list.test(text) ? text.replace(list, `$1 ${code}`) : undefined,
  );
  if (left !== undefined) edits.tell(texts.mailEdited(snake, camel));
  await joinSetupFile(edits, [{ part: "mail" }]);
  edits.tell(texts.preview(`mails/${snake}.ts`, snake));
  return await edits.finish(io);
}

function named(samples: readonly string[], rendering: Rendering): readonly NewFile[] {
  return samples.map((path) =>
    renderSample(`kit/${path}`, replaceNames(path, rendering.names ?? {}), rendering)
  );
}

/** Returns the names of a file and its exports, whose ending keeps them apart from imported names. */
function readName(
  args: CommandArgs,
  subject: "job" | "mail",
): Readonly<Record<"snake" | "camel" | "pascal", string>> {
  const [name = ""] = args.positionals;
  const isName = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name) && name.length <= 60;
  if (!isName || name === "mod") {
    const example = subject === "job" ? "send_digest" : "welcome";
    throw new UsageError(({ generateName }) => generateName(subject, name, example));
  }
  const words = name.split(/[_-]/);
  const type = pascal([...words, subject]);
  return { snake: words.join("_"), camel: lowered(type), pascal: type };
}
