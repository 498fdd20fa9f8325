import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { requireProject } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { addDatabase, findGuard, joinDatabase, refuseForeignFile } from "./database.ts";
import { engineNames, readEngine } from "./database/engine.ts";
import { openEdits } from "./edits.ts";
import { addImport, endOfImports } from "./imports.ts";
import { joinKit } from "./kit.ts";
import { joinNav } from "./nav.ts";
import { wordedLanguages } from "./languages.ts";
import { capital, lowered, pascal } from "./resource/names.ts";
import { type NewFile, type Rendering, renderSample, replaceNames, sampleText } from "./sample.ts";
import { joinSetupFile, type SetupCalls, setupFile } from "./setup.ts";
import { joinTasks } from "./tasks.ts";
import { Stop, UsageError } from "../stop.ts";

export const jobsFile = "jobs/mod.ts";
const mailFile = "lib/mail.ts";
const jobCalls: SetupCalls = { file: jobsFile, open: "openJobs", isAsync: true };
/** The calls for pg-boss, whose own connections must be closed. */
export const bossCalls: SetupCalls = { ...jobCalls, close: "closeJobs" };
const mailCalls: SetupCalls = { file: mailFile, open: "openMail" };

const startingSetup = `import type { Application } from "@fw/fw";

/** Runs at boot; an error here stops the start. */
export function Setup(app: Application): void {
}
`;

export async function generateJob(args: CommandArgs, io: Io): Promise<number> {
  const { snake, camel } = readName(args, "job");
  const schedule = parseSchedule(args);
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const engine = await readEngine(project.root);
  const isFirst = await readTextIfThere(join(project.root, jobsFile)) === undefined;
  if (isFirst) await refuseForeignFile(project);
  const edits = await openEdits(project);
  const ownNames = { lendReminder: camel, lend_reminder: snake };
  const names = { ...engineNames(engine), ...ownNames };
  const own = { names: schedule === undefined ? names : { ...names, ...clockedNames(camel) } };
  edits.add(...named(["jobs/lend_reminder.ts", "jobs/lend_reminder_test.ts"], own));
  await edits.addMissing(
    engine === "postgres"
      ? renderSample("kit/postgres/jobs.ts", jobsFile, {
        names: { ...ownNames, '"../jobs/': '"./' },
      })
      : renderSample(`kit/${jobsFile}`, jobsFile, { names }),
    ...named(["work.ts"], { names }),
  );
  if (isFirst) {
    await addDatabase(edits);
    await joinDatabase(edits, {
      stores: [engine === "postgres" ? bossCalls : jobCalls],
      hasWork: true,
    });
  } else {
    const list = /(\bconst jobs = \[\s*)/;
    const isListed = await edits.change(
      jobsFile,
      (text) =>
        list.test(text)
          ? addImport(text, camel, `./${snake}.ts`).replace(list, `$1${camel}, `)
          : undefined,
    );
    if (!isListed) edits.tell(texts.list(camel, jobsFile));
    await joinTasks(edits, { hasProvider: false, hasWork: true });
  }
  if (schedule === undefined) edits.tell(texts.hint(camel, `jobs/${snake}_test.ts`));
  else {
    const isListed = await edits.change(jobsFile, (text) => addSchedule(text, camel, schedule));
    const entry = scheduleEntry(camel, schedule);
    edits.tell(isListed ? texts.clocked(jobsFile, entry) : texts.unclocked(jobsFile, entry));
  }
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

/** Replacements for a scheduled job, which has no value. */
function clockedNames(job: string): Readonly<Record<string, string>> {
  return {
    'struct({ name: text("required") })': "struct({})",
    "({ name }, {": "(_, {",
    '("the job ran", { name })': '("the job ran")',
    'lendReminder, { name: "Ada" }': `${job}, {}`,
    'after `await enqueue(c, lendReminder, { name: "Ada" })`,':
      `on the schedule of \`${jobsFile}\`,`,
  };
}

export async function generateJobs(_: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const guard = await findGuard(project.root);
  const hasJobs = await readTextIfThere(join(project.root, jobsFile)) !== undefined;
  if (guard === undefined || !hasJobs) throw new Stop(hasJobs ? texts.noSignIn : texts.noJobs);
  const names = {
    ...engineNames(await readEngine(project.root)),
    ...guard === "auth" ? { sessions: "auth" } : {},
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
    role: "admin",
  };
  await joinNav(edits, entry);
  edits.tell(texts.pageHint);
  return await edits.finish(io);
}

export async function generateMail(args: CommandArgs, io: Io): Promise<number> {
  const { snake, camel, pascal: type } = readName(args, "mail");
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const edits = await openEdits(project);
  const engine = engineNames(await readEngine(project.root));
  const names = { ...engine, loanNotice: camel, LoanNotice: type, loan_notice: snake };
  const view = `mails/${snake}.ts`;
  const languages = wordedLanguages(configuredLanguages(await project.settings({})));
  edits.add(...named(["mails/loan_notice.ts", "mails/loan_notice_test.ts"], { names, languages }));
  await edits.addMissing(...named([mailFile, "lib/origin.ts"], { names: engine }));
  await edits.addMissing({ file: setupFile, text: startingSetup });
  const list = /(\bconst previews: [^=]* = \{)/;
  const isShown = await edits.change(
    mailFile,
    (text) =>
      list.test(text)
        ? addImport(text, `${camel}Preview`, edits.style(view, mailFile))
          .replace(list, `$1 ${snake}: ${camel}Preview,`)
        : undefined,
  );
  if (!isShown) edits.tell(texts.mailEdited(snake, camel));
  await joinSetupFile(edits, [mailCalls]);
  edits.tell(texts.preview(view, snake));
  return await edits.finish(io);
}

/** Renders samples of the kit, replacing names in their paths too. */
function named(samples: readonly string[], rendering: Rendering): readonly NewFile[] {
  return samples.map((path) =>
    renderSample(`kit/${path}`, replaceNames(path, rendering.names ?? {}), rendering)
  );
}

function readName(
  args: CommandArgs,
  subject: "job" | "mail",
): Readonly<Record<"snake" | "camel" | "pascal", string>> {
  const [name = ""] = args.positionals;
  const isName = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name) && name.length <= 60;
  // The file of a mail imports the type `Mail`.
  const isTaken = name === "mod" || (subject === "mail" && name === "mail");
  if (!isName || isTaken) {
    const example = subject === "job" ? "send_digest" : "welcome";
    throw new UsageError(({ generateName }) => generateName(subject, name, example));
  }
  const words = name.split(/[_-]/);
  const plain = pascal(words);
  const used = usedNames(subject);
  const type = used.has(plain) || used.has(lowered(plain)) ? plain + capital(subject) : plain;
  return { snake: words.join("_"), camel: lowered(type), pascal: type };
}

const reserved =
  "arguments await break case catch class const continue cron debugger default delete do else enum eval " +
  "every export extends false finally for function if implements import in instanceof interface let new " +
  "null package private protected public return static super switch this throw true try typeof var void " +
  "weekly while with yield";

/** Returns the names that the files of a subject import, declare or use, and reserved words. */
function usedNames(subject: "job" | "mail"): ReadonlySet<string> {
  const files = subject === "job"
    ? ["jobs/lend_reminder.ts", "jobs/lend_reminder_test.ts", "jobs/mod.ts", "postgres/jobs.ts"]
    : ["mails/loan_notice.ts", "mails/loan_notice_test.ts", "lib/mail.ts"];
  const code = files.map((file) => sampleText(`kit/${file}`)).join("\n")
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*|"[^"\n]*"|`[^`]*`/g, "");
  return new Set([...reserved.split(" "), ...code.match(/\w+/g) ?? []]);
}

/** The schedule of a job, as written in `jobs/mod.ts`. */
interface JobSchedule {
  /** The function of `@fw/fw/jobs`. */
  readonly call: "every" | "daily" | "weekly" | "cron";
  readonly at: string;
}

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const forms: Readonly<Record<JobSchedule["call"], readonly [form: RegExp, example: string]>> = {
  every: [/^[1-9]\d{0,4}[smhd]$/, "15m"],
  daily: [RegExp(`^${time}$`), "07:00"],
  weekly: [RegExp(`^(?:mon|tue|wed|thu|fri|sat|sun) ${time}$`), '"mon 07:00"'],
  cron: [/^(?:[\dA-Za-z*?#,/-]+ ){4,5}[\dA-Za-z*?#,/-]+$/, '"0 7 * * 1-5"'],
};
const units: Readonly<Record<string, string>> = {
  s: "1_000",
  m: "60_000",
  h: "3_600_000",
  d: "86_400_000",
};

const cronerImport =
  `// deno-lint-ignore no-import-prefix -- in the import map every task would install it
import { Cron } from "npm:croner@11";
`;

/** @throws {UsageError} for a malformed time or more than one schedule flag. */
function parseSchedule(args: CommandArgs): JobSchedule | undefined {
  const calls = ["every", "daily", "weekly", "cron"] as const;
  const given = calls.flatMap((call) => {
    const at = args.value(call);
    return at === undefined ? [] : [{ call, at }];
  });
  const [schedule] = given;
  const isSound = given.every(({ call, at }) => forms[call][0].test(at));
  if (isSound && given.length < 2) return schedule;
  const flags = given.map(({ call, at }) => `--${call} ${JSON.stringify(at)}`).join(", ");
  const examples = calls.map((call) => `--${call} ${forms[call][1]}`).join(", ");
  throw new UsageError(({ jobs }) => jobs.schedule(flags, examples));
}

/** Adds a schedule to the text of `jobs/mod.ts`; `undefined` if the text was changed. */
function addSchedule(
  text: string,
  job: string,
  schedule: JobSchedule,
): string | undefined {
  const { call } = schedule;
  const list = /(\bconst schedule: readonly Schedule\[\] = \[)(\s*)/;
  if (!list.test(text)) return undefined;
  const imported = new RegExp(`\\bimport \\{[^}]*\\b${call}\\b[^}]*\\} from "@fw/fw/jobs"`);
  const own = imported.test(text)
    ? text
    : text.replace(/(\bimport \{)([^}]*\} from "@fw\/fw\/jobs")/, `$1 ${call},$2`);
  const end = endOfImports(own);
  const whole = call === "cron" && !own.includes('"npm:croner')
    ? own.slice(0, end) + cronerImport + own.slice(end)
    : own;
  return whole.replace(
    list,
    (_, head: string) => `${head}\n  ${scheduleEntry(job, schedule)},\n  `,
  );
}

function scheduleEntry(job: string, { call, at }: JobSchedule): string {
  const quoted = JSON.stringify(at);
  if (call === "every") return `every(${at.slice(0, -1)} * ${units[at.slice(-1)]}, ${job})`;
  if (call !== "cron") return `${call}(${quoted}, ${job})`;
  return `cron(${quoted}, ${job}, { next: (after) => new Cron(${quoted}, { timezone: "UTC" }).nextRun(after) })`;
}
