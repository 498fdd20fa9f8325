import { pageMethods, routeMethods } from "@fw/fw/conventions";
import { dirname } from "@std/path";
import type { Command, CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { refuseFiles, writeFiles } from "../project/files/write_files.ts";
import { openProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import { wordedLanguages } from "../scaffold/languages.ts";
import { dryRun } from "../scaffold/dry_run.ts";
import { usesKit } from "../scaffold/kit.ts";
import { generateAuth } from "../scaffold/generate_auth.ts";
import { generateDatabase } from "../scaffold/database/generate_database.ts";
import { generateIsland, generateMigration, generateServe } from "../scaffold/generate_file.ts";
import { generateJob, generateJobs, generateMail } from "../scaffold/generate_job.ts";
import { generateLanguage } from "../scaffold/generate_language.ts";
import { generateResource } from "../scaffold/generate_resource.ts";
import { pageFiles, testFile } from "../scaffold/pages.ts";
import { readTestSignIn } from "../scaffold/test_sign_in.ts";
import { parseUrlPath, sampleUrl, titleOf, type UrlPath } from "../scaffold/url_path.ts";
import { runStoppable, Stop, UsageError } from "../stop.ts";

/** Subjects that are not written for a URL. */
const otherSubjects: Readonly<Record<string, Command>> = {
  auth: generateAuth,
  database: generateDatabase,
  island: generateIsland,
  job: generateJob,
  jobs: generateJobs,
  language: generateLanguage,
  mail: generateMail,
  migration: generateMigration,
  resource: generateResource,
  serve: generateServe,
};

interface Request {
  readonly subject: "page" | "route" | "test";
  readonly path: UrlPath;
  readonly methods: readonly string[];
  readonly args: CommandArgs;
}

/**
 * Returns the command that writes a page, a route or a test for a URL, or what else an application needs, then the
 * generated file.
 */
export function generate(subject: string = ""): Command {
  return async (args, io) => {
    const run = otherSubjects[subject] ?? writeForUrl;
    if (!args.has("dry-run")) return await run(args, io);
    return await dryRun(io, (at) => runStoppable(`generate ${subject}`, at, () => run(args, at)));
  };

  async function writeForUrl(args: CommandArgs, io: Io): Promise<number> {
    const what = subject === "page" || subject === "route" ? subject : "test";
    const request = parseRequest(what, args, messagesOf(io));
    const project = openProject(io);
    return what === "test"
      ? await writeTest(request, { project, io })
      : await writeRoute(request, { project, io });
  }
}

const misfits: readonly (readonly [flag: string, others: readonly string[]])[] = [
  ["tmpl", ["methods", "bind", "form", "tsx"]],
  ["form", ["methods"]],
];

function parseRequest(
  subject: Request["subject"],
  args: CommandArgs,
  messages: Messages,
): Request {
  const [url = ""] = args.positionals;
  const misfit = misfits.flatMap(([flag, others]) => args.has(flag) ? others : [])
    .find((other) => args.has(other));
  if (misfit !== undefined) {
    throw new UsageError(messages.generateFlagMisfit(`--${misfit}`, subject));
  }
  const path = parseUrlPath(url);
  const allowed: readonly string[] = subject === "page" ? ["GET", ...pageMethods] : routeMethods;
  const isPost = subject === "page" && takesInput(args);
  const named = (args.value("methods") ?? (isPost ? "POST" : "GET"))
    .split(",").map((method) => method.trim().toUpperCase());
  const wrong = named.find((method) => !allowed.includes(method));
  if (wrong !== undefined) {
    throw new UsageError(messages.generateBadMethod(wrong, allowed.join(", ")));
  }
  const methods = allowed.filter((method) => named.includes(method));
  return { subject, path, methods, args };
}

interface Target {
  readonly project: Project;
  readonly io: Io;
}

async function writeRoute(request: Request, target: Target): Promise<number> {
  const { path, args } = request;
  const { project, io } = target;
  const messages = messagesOf(io);
  const before = await project.routes();
  const isWhole = before.problems.length === 0;
  if (before.problems.some(({ code }) => code === "E_NO_APP")) throw new Stop(before.problems);
  const isPage = request.subject === "page";
  const languages = isPage ? configuredLanguages(await project.settings({})) : [];
  const [main, ...others] = pageFiles(path, {
    ...request,
    subject: isPage ? "page" : "route",
    bind: args.has("bind"),
    form: args.has("form"),
    tsx: args.has("tsx"),
    tmpl: args.has("tmpl"),
    kit: await usesKit(project.root),
    languages,
  });
  const force = args.has("force");
  const owner = isWhole ? findRoute(before.routes, path) : undefined;
  if (owner !== undefined && !(force && owner.file.path === main.file)) {
    const isOtherForm = force && !args.has("tmpl") &&
      [`${path.folder}/page.ts`, `${path.folder}/page.tsx`].includes(owner.file.path);
    const message = request.subject === "page" && isOtherForm
      ? messages.generateOtherForm(owner.file.path, main.file)
      : messages.generateConflict(owner.file.path, path.pattern);
    throw new Stop(message);
  }
  const tests = takesInput(args) ? [`${path.folder}/${request.subject}_test.ts`] : [];
  if (force) await refuseFiles(project, tests, { force });
  const undo = await writeFiles(project, [main, ...others], { force });
  project.refresh([main.file]);
  const after = await runGenerators(project);
  // Roll back if the new file breaks a valid app, say with a second parameter at one level.
  if (!after.ok && isWhole) await undo();
  else for (const { file } of [main, ...others]) io.stdout(`${messages.files.made(file)}\n`);
  if (!after.ok) throw new Stop(after.problems);
  if (isPage && wordedLanguages(languages).some(({ language }) => language === "pt")) {
    io.stdout(`${messages.resource.untranslated(main.file, titleOf(path.segments))}\n`);
  }
  const route = takesInput(args) ? findRoute(after.routes, path) : undefined;
  if (route === undefined) return exitCodes.ok;
  return await writeTestFile(request, { project, io, route, sample: sampleInput(args) });
}

/** Reports whether the handler reads input. The schema is known here, so a test of it is written too. */
function takesInput(args: CommandArgs): boolean {
  return args.has("bind") || args.has("form");
}

function sampleInput(args: CommandArgs): Readonly<Record<string, string>> {
  return args.has("form") ? { name: "Ada", email: "ada@example.org" } : { name: "Ada" };
}

async function writeTest(request: Request, target: Target): Promise<number> {
  const { path } = request;
  const { project, io } = target;
  const messages = messagesOf(io);
  const result = await runGenerators(project);
  if (!result.ok) throw new Stop(result.problems);
  const route = findRoute(result.routes, path);
  if (route === undefined) throw new Stop(messages.generateNoRoute(path.pattern));
  return await writeTestFile(request, { project, io, route });
}

async function writeTestFile(
  { path, args }: Request,
  target: Target & {
    readonly route: Route;
    readonly sample?: Readonly<Record<string, string>>;
  },
): Promise<number> {
  const { project, io, route, sample } = target;
  const messages = messagesOf(io);
  const file = `${dirname(route.file.path)}/${route.file.base}_test.ts`;
  const source = (await project.sources()).read(route.file.path);
  // A handler generated here accepts every parameter; other handlers may not.
  const looksUp = sample === undefined &&
    path.segments.some((segment) => segment.kind !== "literal");
  const { text } = testFile(file, path, {
    route,
    text: source?.text ?? "",
    looksUp,
    signIn: await readTestSignIn(project, { pattern: path.pattern, file }),
    ...(sample === undefined ? {} : { sample }),
  });
  await writeFiles(project, [{ file, text }], { force: args.has("force"), io });
  const hint = looksUp ? `${messages.generateTestSample(sampleUrl(path.segments))}\n` : "";
  io.stdout(`${hint}${messages.generateTestHint(file)}\n`);
  return exitCodes.ok;
}

function findRoute(routes: readonly Route[], path: UrlPath): Route | undefined {
  return routes.find(({ pattern }) => pattern === path.pattern);
}
