import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { type Project, requireProject } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import { findGuard, joinDatabase, missingDatabaseFiles, refuseForeignFile } from "./database.ts";
import { engineNames, readEngine } from "./database/engine.ts";
import { addImport, changeFile, missingFiles, readImportStyle, restyleFiles } from "./imports.ts";
import { joinKit } from "./kit.ts";
import { wordedLanguages } from "./languages.ts";
import { type NewFile, type Rendering, renderSample, replaceNames } from "./sample.ts";
import { joinSetupFile, type SetupCalls, setupFile } from "./setup.ts";
import { addWorkTask } from "./tasks.ts";
import { Stop, UsageError } from "../stop.ts";

const jobsFile = "jobs/mod.ts";
const mailFile = "lib/mail.ts";
const jobCalls: SetupCalls = { file: jobsFile, open: "openJobs", isAsync: true };
const mailCalls: SetupCalls = { file: mailFile, open: "openMail" };

const startingSetup = `import type { Application } from "@fw/fw";

/** Runs at boot: what throws here stops it. */
export function Setup(app: Application): void {
}
`;

export async function generateJob(args: CommandArgs, io: Io): Promise<number> {
  const name = readName(args, "job");
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const isFirst = await readTextIfThere(join(project.root, jobsFile)) === undefined;
  const isOnPostgres = await readEngine(project.root) === "postgres";
  if (isFirst && isOnPostgres) throw new Stop(texts.postgres(jobsFile));
  if (isFirst) await refuseForeignFile(project);
  const { snake, camel } = name;
  const names = { lendReminder: camel, lend_reminder: snake };
  const own = [`jobs/${snake}.ts`, `jobs/${snake}_test.ts`];
  const sample = (file: string): string => `kit/${file.replace(`/${snake}`, "/lend_reminder")}`;
  const added = await writeMissing(project, [
    ...own.map((file) => renderSample(sample(file), file, { names })),
    ...await missingFiles(
      project,
      [jobsFile, "work.ts"].map((file) => renderSample(`kit/${file}`, file, { names })),
    ),
    ...isFirst ? await missingDatabaseFiles(project) : [],
  ], io);
  if (isFirst) await joinDatabase(project, { written: added, stores: [jobCalls], io });
  else {
    const listed = await changeFile(project, {
      file: jobsFile,
      change: (text) =>
        /\bconst jobs = \[/.test(text)
          ? addImport(text, camel, `./${snake}.ts`)
            .replace(/(\bconst jobs = \[\s*)/, `$1${camel}, `)
          : undefined,
      io,
    });
    if (!listed) io.stdout(`${texts.list(camel, jobsFile)}\n`);
  }
  await addWorkTask(project, io);
  return await finish(project, texts.hint(camel, own[1] ?? ""), io);
}

export async function generateJobs(_: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const guard = await findGuard(project.root);
  const hasJobs = await readTextIfThere(join(project.root, jobsFile)) !== undefined;
  if (guard === undefined || !hasJobs) throw new Stop(hasJobs ? texts.noSignIn : texts.noJobs);
  const languages = wordedLanguages(configuredLanguages(await project.settings({})));
  const rendering: Rendering = { names: guard === "auth" ? { sessions: "auth" } : {}, languages };
  const pages = ["middleware.ts", "page.ts", "page_test.ts"].map((file) => `app/jobs/${file}`);
  const files = [...pages, "lib/job_messages.ts"];
  await writeMissing(
    project,
    files.map((file) => renderSample(`kit/${file}`, file, rendering)),
    io,
  );
  await joinKit(project, io);
  return await finish(project, texts.pageHint, io);
}

export async function generateMail(args: CommandArgs, io: Io): Promise<number> {
  const name = readName(args, "mail");
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const { snake, camel, pascal } = name;
  const names = { loanNotice: camel, LoanNotice: pascal, loan_notice: snake };
  const own = [`mails/${snake}.ts`, `mails/${snake}_test.ts`];
  const sample = (file: string): string => `kit/${file.replace(`/${snake}`, "/loan_notice")}`;
  const added = await writeMissing(project, [
    ...own.map((file) => renderSample(sample(file), file, { names })),
    ...await missingFiles(project, [
      ...[mailFile, "lib/origin.ts"].map((file) => renderSample(`kit/${file}`, file, {})),
      { file: setupFile, text: startingSetup },
    ]),
  ], io);
  const style = await readImportStyle(project);
  const list = /(\bconst previews: [^=]* = \{)/;
  const isShown = await changeFile(project, {
    file: mailFile,
    change: (text) =>
      list.test(text)
        ? addImport(text, `${camel}Preview`, style(own[0] ?? "", mailFile))
          .replace(list, `$1 ${snake}: ${camel}Preview,`)
        : undefined,
    io,
  });
  if (!isShown) io.stdout(`${texts.mailEdited(snake, camel)}\n`);
  await joinSetupFile(project, { written: added, calls: [mailCalls], io });
  return await finish(project, texts.preview(own[0] ?? "", snake), io);
}

function readName(
  args: CommandArgs,
  subject: "job" | "mail",
): Readonly<Record<"snake" | "camel" | "pascal", string>> {
  const [name = ""] = args.positionals;
  const isName = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name) && name.length <= 60;
  // The file of a mail imports the type `Mail`.
  const isTaken = name === "mod" || (subject === "mail" && name === "mail");
  if (!isName || isTaken) throw new UsageError(({ jobs }) => jobs.badName(subject, name));
  const words = name.split(/[_-]/);
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return { snake: words.join("_"), camel: reserved.test(camel) ? `${camel}Job` : camel, pascal };
}

/** Words that no value may have as its name, and names of the files of jobs. */
const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|jobs?|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

async function writeMissing(
  project: Project,
  files: readonly NewFile[],
  io: Io,
): Promise<readonly string[]> {
  const names = engineNames(await readEngine(project.root));
  const named = files.map(({ file, text }) => ({ file, text: replaceNames(text, names) }));
  await writeFiles(project, await restyleFiles(project, named), { io });
  project.refresh(files.map(({ file }) => file));
  return files.map(({ file }) => file);
}

async function finish(project: Project, hint: string, io: Io): Promise<number> {
  await regenerate(project);
  io.stdout(`${hint}\n`);
  return exitCodes.ok;
}
