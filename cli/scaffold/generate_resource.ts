/**
 * `fw generate resource`: writes the pages, the store, the migration and the test of a resource.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { statIfThere } from "../project/files/look.ts";
import { writeAll } from "../project/files/write_all.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import {
  findForeignFile,
  findTableMaker,
  joinDatabase,
  missingDatabaseFiles,
  type NewFile,
} from "./database.ts";
import { misfitOf } from "./flags.ts";
import { readImportStyle } from "./import_style.ts";
import { usesKit } from "./kit.ts";
import { apiFile, apiListSource, apiRowSource } from "./resource/api_source.ts";
import { apiTestSource } from "./resource/api_test_source.ts";
import { type Field, type FieldFault, parseFields, typeNames } from "./resource/fields.ts";
import { formFile, resourceFormSource } from "./resource/form_source.ts";
import { capital, nameResource, type ResourceNames } from "./resource/names.ts";
import { listSource } from "./resource/list_source.ts";
import { pageFile } from "./resource/page_markup.ts";
import { deleteSource, detailSource, editSource, newSource } from "./resource/pages_source.ts";
import { messagesFile, type ResourcePlan } from "./resource/plan.ts";
import { isAccepted, sampleOf } from "./resource/samples.ts";
import { storeSource, tableSource } from "./resource/store_source.ts";
import { bytesTable } from "./resource/upload_store_source.ts";
import { resourceTestSource } from "./resource/test_source.ts";
import { resourceTexts } from "./resource/texts.ts";
import { roomSource, uploadRouteFile, uploadRouteSource } from "./resource/upload_source.ts";
import type { UploadField } from "./resource/uploads.ts";

/**
 * Writes a resource: all of its files or none, then the generated file.
 *
 * @param args The arguments after `generate`, of which the first is `resource`.
 * @param io The environment of the command.
 * @returns 0; 1 if a name is taken or the app has problems; 2 for a wrong command line.
 */
export async function generateResource(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const request = await readRequest(args, io);
  if (typeof request === "string") {
    io.stderr(`${request}\n${messages.seeHelp("fw generate resource --help")}\n`);
    return exitCodes.usage;
  }
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const table = await project.routes();
  const migrations = await readMigrationFiles(project);
  const problems = [...table.problems, ...migrations.problems];
  if (problems.length > 0) {
    printProblems(problems, io);
    return exitCodes.failure;
  }
  const conflict = await findConflict(project, request, io);
  if (conflict !== undefined) {
    io.stderr(`${conflict}\n`);
    return exitCodes.failure;
  }
  const plan = await planOf(project, request);
  const number = numberText(migrations.files.length + 1);
  const files = [...await missingDatabaseFiles(project), ...resourceFiles(plan, number)];
  return await write(project, { plan, files }, io);
}

interface Request {
  readonly names: ResourceNames;
  readonly fields: readonly Field[];
  readonly uploads: readonly UploadField[];
  readonly hasApi: boolean;
}

/** Reads the names and the fields; returns a message if they are not right. */
async function readRequest(args: CommandArgs, io: Io): Promise<Request | string> {
  const messages = messagesOf(io);
  const [, name, ...texts] = args.positionals;
  const misfit = misfitOf("resource", args);
  if (misfit !== undefined) return messages.generateFlagMisfit(misfit, "resource");
  if (name === undefined) {
    return messages.missingArgument("generate resource", messages.resource.argument);
  }
  const names = nameResource(name, args.value("singular"));
  if (typeof names === "string") {
    const wrong = names === "syntax" && typeof nameResource(name, "x") !== "string"
      ? args.value("singular") ?? name
      : name;
    return messages.resource.name[names](wrong);
  }
  const parsed = parseFields(texts);
  if ("kind" in parsed) return explainFault(parsed, messages);
  const { fields } = parsed;
  const isSound = await isAccepted(fields, sampleOf(fields)) &&
    await isAccepted(fields, sampleOf(fields, { isOther: true }));
  return isSound ? { names, ...parsed, hasApi: args.has("api") } : messages.resource.contradiction;
}

function explainFault(fault: FieldFault, { resource: { field: texts } }: Messages): string {
  const types = typeNames.join(", ");
  const hint = (nearest: string | undefined): string =>
    nearest === undefined ? "" : ` ${texts.nearest(nearest)}`;
  switch (fault.kind) {
    case "none":
      return texts.none(types);
    case "uploads":
      return texts.uploads(fault.fields.map((name) => JSON.stringify(name)).join(", "));
    case "many":
      return texts.many(String(fault.max));
    case "syntax":
      return texts.syntax(fault.field, types);
    case "type":
      return texts.type(fault.field, fault.type, types) + hint(fault.nearest);
    case "rule":
      return texts.rule(fault.field, fault.rule, fault.allowed.join(", ")) + hint(fault.nearest);
    case "param":
      return texts.param(fault.field, fault.rule, fault.example);
    default:
      return texts[fault.kind](fault.field);
  }
}

/** Returns what is in the way: a folder, a route below the URL, or a table of that name. */
async function findConflict(
  project: Project,
  { names, uploads, hasApi }: Request,
  io: Io,
): Promise<string | undefined> {
  const { resource: texts } = messagesOf(io);
  const { routes } = await project.routes();
  const { url } = names;
  for (const path of hasApi ? [url, `api/${url}`] : [url]) {
    const folder = `${appFolder}/${path}`;
    if (await statIfThere(join(project.root, folder)) !== undefined) return texts.folder(folder);
    const route = routes.find(({ pattern }) =>
      pattern === `/${path}` || pattern.startsWith(`/${path}/`)
    );
    if (route !== undefined) return texts.route(route.file.path, route.pattern);
  }
  const foreign = await findForeignFile(project);
  if (foreign !== undefined) return texts.foreign(foreign);
  for (const table of [names.table, ...uploads.length > 0 ? [bytesTable(names)] : []]) {
    const maker = await findTableMaker(project, table);
    if (maker !== undefined) return texts.table(maker, table);
  }
  return undefined;
}

async function planOf(project: Project, request: Request): Promise<ResourcePlan> {
  const [hasKit, importOf, settings] = await Promise.all([
    usesKit(project.root),
    readImportStyle(project),
    project.settings({}),
  ]);
  const languages = configuredLanguages(settings);
  return { ...request, hasKit, importOf, texts: resourceTexts({ ...request, languages }) };
}

function resourceFiles(plan: ResourcePlan, number: string): readonly NewFile[] {
  const { names: { table, file, url }, texts, hasApi } = plan;
  const files = [
    { file: `${migrationsFolder}/${number}_create_${table}.sql`, text: tableSource(plan) },
    { file: `lib/${table}.ts`, text: storeSource(plan) },
    { file: formFile(file), text: resourceFormSource(plan) },
    { file: pageFile(plan), text: listSource(plan) },
    { file: pageFile(plan, "new"), text: newSource(plan) },
    { file: pageFile(plan, "id_"), text: detailSource(plan) },
    { file: pageFile(plan, "id_/edit"), text: editSource(plan) },
    { file: pageFile(plan, "id_/delete"), text: deleteSource(plan) },
    { file: `${appFolder}/${url}/page_test.ts`, text: resourceTestSource(plan) },
    ...uploadFiles(plan),
    ...hasApi ? apiFiles(plan) : [],
  ];
  // The last one: it has what the others say.
  return texts.hasCatalog ? [...files, { file: messagesFile(plan), text: texts.source() }] : files;
}

/** Returns the routes that serve the uploads, and what lets their forms be large. */
function uploadFiles(plan: ResourcePlan): readonly NewFile[] {
  const routes = plan.uploads.map((upload) => ({
    file: uploadRouteFile(plan, upload),
    text: uploadRouteSource(plan, upload),
  }));
  const room = roomSource(plan);
  const middleware = room === undefined ? [] : ["new", "id_/edit"].map((folder) => ({
    file: `${appFolder}/${plan.names.url}/${folder}/middleware.ts`,
    text: room,
  }));
  return [...routes, ...middleware];
}

function apiFiles(plan: ResourcePlan): readonly NewFile[] {
  return [
    { file: apiFile(plan), text: apiListSource(plan) },
    { file: apiFile(plan, "id_/"), text: apiRowSource(plan) },
    { file: `${appFolder}/api/${plan.names.url}/route_test.ts`, text: apiTestSource(plan) },
  ];
}

async function write(
  project: Project,
  { plan, files }: { readonly plan: ResourcePlan; readonly files: readonly NewFile[] },
  io: Io,
): Promise<number> {
  const messages = messagesOf(io);
  const { names: { many, table, url, words }, hasKit, texts } = plan;
  const written = await writeAll(project.root, files);
  if (!written.ok) {
    const say = messages.generateRefused[written.cause];
    io.stderr(`${say(written.file)}\n`);
    return exitCodes.failure;
  }
  const paths = files.map(({ file }) => file);
  for (const file of paths) io.stdout(`${messages.generateMade(file)}\n`);
  const store = { file: `lib/${table}.ts`, open: `open${many}` };
  await joinDatabase(project, { written: paths, io, stores: [store] });
  project.refresh();
  const result = await runGenerators(project);
  if (!result.ok) {
    printProblems(result.problems, io);
    return exitCodes.failure;
  }
  const title = texts.hasCatalog ? texts.text("title") : JSON.stringify(capital(words[1]));
  const link = hasKit
    ? `ui.navLink(c.href("/${url}"), ${title}, c.pattern.startsWith("/${url}"))`
    : `h.a(h.href(c.href("/${url}")), ${title})`;
  io.stdout(`${messages.resource.link(link)}\n`);
  const left = texts.untranslated();
  if (left.length > 0) {
    io.stdout(`${messages.resource.untranslated(messagesFile(plan), left.join(", "))}\n`);
  }
  const generic = texts.generic();
  if (generic.length > 0) {
    io.stdout(`${messages.resource.generic(messagesFile(plan), generic.join(", "))}\n`);
  }
  io.stdout(`${messages.generateTestHint(`${appFolder}/${url}`)}\n`);
  return exitCodes.ok;
}
