/** `generate page`, `route` and `test`, which write files for a URL. */
import { pageMethods, routeMethods } from "@fw/fw/conventions";
import type { Command, CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { openProject, type Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { Stop, UsageError } from "../stop.ts";
import { findGuard } from "./database.ts";
import { openEdits } from "./edits.ts";
import { joinKit, usesKit } from "./kit.ts";
import { wordedLanguages } from "./languages.ts";
import { writeTest } from "./page_tests.ts";
import { createList, type Item, type NewFile, renderSample } from "./sample.ts";
import { parseUrlPath, sampleUrl, titleOf, typeNameOf, type UrlPath } from "./url_path.ts";

type Subject = "page" | "route" | "test";

/** Returns the command that writes a page, a route or a test, then the generated file. */
export function generateForUrl(subject: Subject): Command {
  return async (args, io) => {
    const path = parseUrlPath(args.positionals[0] ?? "");
    const methods = parseMethods(subject, args);
    const project = openProject(io);
    if (subject !== "test") return await writeRoute(subject, { path, methods, args, project, io });
    const result = await runGenerators(project);
    if (!result.ok) throw new Stop(result.problems);
    const route = findRoute(result.routes, path);
    if (route === undefined) throw new Stop(project.messages.generateNoRoute(path.pattern));
    return await writeTest(path, { project, io, route });
  };
}

function parseMethods(subject: Subject, args: CommandArgs): readonly string[] {
  if (args.has("form") && args.has("methods")) {
    throw new UsageError((texts) => texts.generateFlagMisfit("--methods", "page --form"));
  }
  const allowed: readonly string[] = subject === "page" ? ["GET", ...pageMethods] : routeMethods;
  const isPost = subject === "page" && takesInput(args);
  const named = (args.value("methods") ?? (isPost ? "POST" : "GET"))
    .split(",").map((method) => method.trim().toUpperCase());
  const wrong = named.find((method) => !allowed.includes(method));
  if (wrong !== undefined) {
    throw new UsageError((texts) => texts.generateBadMethod(wrong, allowed.join(", ")));
  }
  return allowed.filter((method) => named.includes(method));
}

async function writeRoute(
  subject: "page" | "route",
  { path, methods, args, project, io }: {
    readonly path: UrlPath;
    readonly methods: readonly string[];
    readonly args: CommandArgs;
    readonly project: Project;
    readonly io: Io;
  },
): Promise<number> {
  const { messages } = project;
  const before = await project.routes();
  const isWhole = before.problems.length === 0;
  if (before.problems.some(({ code }) => code === "E_NO_APP")) throw new Stop(before.problems);
  const isPage = subject === "page";
  const languages = isPage ? configuredLanguages(await project.settings({})) : [];
  const hasForm = args.has("form");
  const file = pageFile(path, {
    subject,
    methods,
    bind: args.has("bind"),
    form: hasForm,
    kit: await usesKit(project.root),
    languages,
  });
  const owner = isWhole ? findRoute(before.routes, path) : undefined;
  if (owner !== undefined) {
    throw new Stop(messages.generateConflict(owner.file.path, path.pattern));
  }
  const edits = await openEdits(project);
  edits.put(file);
  const undo = await edits.write();
  const after = await runGenerators(project);
  // Roll back if the new file breaks a valid app, say with a second parameter at one level.
  if (!after.ok && isWhole) await undo();
  else io.stdout(`${messages.files.made(file.file)}\n`);
  if (!after.ok) throw new Stop(after.problems);
  if (hasForm) {
    const kit = await openEdits(project);
    await joinKit(kit);
    await kit.finish(io);
  }
  const route = findRoute(after.routes, path);
  const guard = await findGuard(project.root);
  if (guard !== undefined && route?.middleware.length === 0) {
    const middleware = `${path.folder}/middleware.ts`;
    io.stdout(`${messages.generatePublic(path.pattern, middleware, guard)}\n`);
  }
  if (route === undefined || !takesInput(args)) return exitCodes.ok;
  // Values that the schemas of `--form` and `--bind` accept.
  const sample = hasForm ? { name: "Ada", email: "ada@example.org" } : { name: "Ada" };
  return await writeTest(path, { project, io, route, sample });
}

/** Reports whether the handler reads input. Its schema is known, so it gets a test. */
function takesInput(args: CommandArgs): boolean {
  return args.has("bind") || args.has("form");
}

function findRoute(routes: readonly Route[], path: UrlPath): Route | undefined {
  return routes.find(({ pattern }) => pattern === path.pattern);
}

interface PageOptions {
  readonly subject: "page" | "route";
  /** The methods in the order of `Allow`; a page's `GET` is its `Page`. */
  readonly methods: readonly string[];
  readonly bind: boolean;
  readonly form: boolean;
  readonly kit: boolean;
  readonly languages: readonly string[];
}

function pageFile(path: UrlPath, options: PageOptions): NewFile {
  const { subject, methods, bind, form, kit, languages } = options;
  const folder = subject === "route" ? "/api/items" : form ? "/contact" : "/about";
  const handlers = methods.filter((method) => subject === "route" || method !== "GET");
  const params = path.segments.flatMap((each) => each.kind === "literal" ? [] : [each.name]);
  return renderSample(`kit/app${folder}/slug_/${subject}.ts`, `${path.folder}/${subject}.ts`, {
    names: namesOf(parseUrlPath(`${folder}/{slug}`), path),
    parts: { schema: bind && handlers.some(takesBody), kit },
    lists: {
      param: createList(["slug"], params.map((name) => [["slug", name]])),
      handler: {
        models: ["GET", "DELETE", "POST"],
        items: handlers.map((method) => handlerItem(method, { subject, bind })),
      },
    },
    languages: wordedLanguages(languages),
  });
}

function namesOf({ pattern, segments }: UrlPath, path: UrlPath): Readonly<Record<string, string>> {
  const hasParams = path.segments.some(({ kind }) => kind !== "literal");
  return {
    [`Ctx<"${pattern}">`]: hasParams ? `Ctx<${JSON.stringify(path.pattern)}>` : "Ctx",
    [pattern]: path.pattern,
    // A pattern must not end the comment that contains it.
    [`${pattern} */`]: `${path.pattern.replaceAll("*/", "*\\/")} */`,
    [sampleUrl(segments)]: sampleUrl(path.segments),
    [JSON.stringify(titleOf(segments))]: JSON.stringify(titleOf(path.segments)),
    [typeNameOf(segments)]: typeNameOf(path.segments),
  };
}

function handlerItem(
  method: string,
  { subject, bind }: Pick<PageOptions, "subject" | "bind">,
): Item {
  const isEmpty = subject === "page" || method === "DELETE" || method === "OPTIONS";
  const model = bind && takesBody(method) ? "POST" : isEmpty ? "DELETE" : "GET";
  const status = method === "POST" ? "201" : "200";
  return {
    models: [model],
    replace: () => [[model, method], ["200", status], ["201", status]],
  };
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}
