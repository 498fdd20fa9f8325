import { findNearest } from "@fw/fw/addon";
import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere, statIfThere } from "../project/files/look.ts";
import { numberText, readMigrationFiles, readMigrations } from "../project/migrations.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import {
  addDatabase,
  findGuard,
  findTableMaker,
  joinDatabase,
  openSound,
  refuseForeignFile,
} from "./database.ts";
import { readEngine } from "./database/engine.ts";
import { findColumnKinds } from "./database/postgres_sql.ts";
import { type Edits, openEdits } from "./edits.ts";
import { joinKit } from "./kit.ts";
import { iconOf, joinNav } from "./nav.ts";
import { isRoleName } from "./resource/access.ts";
import { insideFiles, joinHolder } from "./resource/inside.ts";
import { findParentResource, joinParents, parentsOf } from "./resource/parents.ts";
import { parseFields } from "./resource/fields.ts";
import { messagesFile, resourceFiles } from "./resource/files.ts";
import type { Resource } from "./resource/resource.ts";
import { findReferencedTable, type ReferencedTable, tableNames } from "./resource/references.ts";
import { nameResource } from "./resource/names.ts";
import { joinOverview } from "./resource/overview.ts";
import { seedValuesFile } from "./resource/seeds.ts";
import { isAccepted } from "./resource/samples.ts";
import { undoResource } from "./resource/undo.ts";
import { type NewFile, renderSample } from "./sample.ts";
import { Stop, UsageError } from "../stop.ts";
import { joinRoles } from "./users.ts";

export async function generateResource(args: CommandArgs, io: Io): Promise<number> {
  const request = await readRequest(args, io);
  const isInside = args.has("inside");
  const isUndo = args.has("undo");
  if (isInside) refuseFlags(args, request);
  const project = await openSound(io);
  const { messages: { resource: texts } } = project;
  const { files: migrations } = await readMigrationFiles(project);
  if (!isUndo) await refuseConflict(project, request);
  const { table } = request.names;
  const at = migrations.findIndex(({ name }) => name.slice(4) === `_create_${table}`);
  if (isUndo && at < 0) throw new Stop(texts.nothing(table));
  const number = numberText((isUndo ? at : migrations.length) + 1);
  const resource = {
    ...request,
    references: await readReferences(project, request),
    languages: configuredLanguages(await project.settings({})),
    engine: await readEngine(project.root),
    ...isInside ? { guard: undefined } : await planAccess(args, project, request),
  };
  const edits = await openEdits(project);
  if (isInside) return await generateInside(edits, resource, { number, io });
  const write = (own: Resource): readonly NewFile[] =>
    resourceFiles(own, { number, seeds: request.seeds });
  if (isUndo) {
    const isBuiltOn = at < migrations.length - 1;
    return await undoResource(edits, { resource, write, isBuiltOn }, io);
  }
  await addDatabase(edits);
  edits.add(...write(resource));
  await joinResource(edits, resource);
  return await edits.finish(io);
}

/** Decides who sees and who changes the rows. @throws {UsageError} if the flags do not fit. */
async function planAccess(
  args: CommandArgs,
  { root, messages: { resource: texts } }: Project,
  { writers, names }: Request,
): Promise<Pick<Resource, "guard" | "isPublic" | "hasAccounts">> {
  const guard = await findGuard(root);
  const [isGuarded, isPublic] = [args.has("guard"), args.has("public")];
  if (isGuarded && isPublic) throw new UsageError(texts.publicGuard);
  if (isGuarded && guard === undefined) throw new UsageError(texts.noSignIn("--guard"));
  // Rows from before the sign-in have no guard.
  const file = join(root, `${appFolder}/${names.url}/middleware.ts`);
  const isEarlier = args.has("undo") && await statIfThere(file) === undefined;
  if (!isGuarded && !isPublic && guard !== undefined && !isEarlier) {
    throw new UsageError(texts.guard);
  }
  const isSigned = guard !== undefined && (isGuarded || writers !== undefined);
  if (writers !== undefined && !isSigned) throw new UsageError(texts.writers(writers));
  // A history needs authors, and anonymous users have no name.
  if (!isSigned && isPublic && args.has("audit")) throw new UsageError(texts.publicAudit);
  return {
    guard: isSigned ? guard : undefined,
    isPublic,
    hasAccounts: isSigned && guard === "sessions" &&
      await readTextIfThere(join(root, "lib/account_testing.ts")) !== undefined,
  };
}

/** @throws {UsageError} for flags that rows without pages cannot have, and for uploads. */
function refuseFlags(args: CommandArgs, { fields, uploads }: Request): void {
  if (args.has("undo")) {
    throw new UsageError((texts) => texts.resource.noUndoInside);
  }
  const flag = ["api", "audit", "csv", "guard", "public", "seed", "writers"]
    .find((name) => args.has(name) || args.value(name) !== undefined);
  const [upload] = uploads;
  const wrong = flag === undefined ? upload?.name : `--${flag}`;
  if (wrong !== undefined) throw new UsageError(({ resource }) => resource.insideAlone(wrong));
  // The order of the rows.
  if (fields.some(({ name }) => name === "position")) {
    throw new UsageError(({ resource }) => resource.field.reserved("position"));
  }
}

async function generateInside(
  edits: Edits,
  resource: Resource,
  { number, io }: { readonly number: string; readonly io: Io },
): Promise<number> {
  const { messages } = edits.project;
  const holder = await findParentResource(edits, resource.fields);
  if (holder === undefined) throw new UsageError(({ resource }) => resource.inside);
  const inside = { resource, holder };
  const written = insideFiles(inside, number);
  await addDatabase(edits);
  edits.add(...written.files);
  await joinHolder(edits, inside, written);
  edits.tell(messages.resource.insideShown(`/${holder.url}`));
  if (await edits.read(`${appFolder}/${holder.url}/export/route.ts`) !== undefined) {
    edits.tell(messages.resource.insideCsv(`/${holder.url}`));
  }
  edits.tell(messages.generateTestHint(`${appFolder}/${holder.url}`));
  return await edits.finish(io);
}

interface Request extends Omit<Resource, "languages" | "guard" | "references" | "engine"> {
  /** The number of example rows. @default no module with example rows */
  readonly seeds: number | undefined;
}

const maxSeeds = 1_000;

async function readReferences(
  project: Project,
  { fields, names }: Request,
): Promise<readonly ReferencedTable[]> {
  const sql = (await readMigrations(project)).map(({ sql }) => sql).join("\n");
  const stores = tableNames(sql).map(async (table) =>
    findColumnKinds(await readTextIfThere(join(project.root, `lib/${table}.ts`)) ?? "", table)
  );
  const kinds = new Map((await Promise.all(stores)).flatMap((each) => [...each]));
  const found: ReferencedTable[] = [];
  for (const table of new Set(fields.flatMap(({ reference }) => reference?.table ?? []))) {
    const referenced = findReferencedTable(sql, table, kinds);
    if (referenced === undefined) {
      const nearest = findNearest(table, tableNames(sql));
      throw new Stop(({ resource }) =>
        table === names.table ? resource.ownTable(table) : resource.reference(table, nearest)
      );
    }
    found.push({ ...referenced, ...await findPage(project, table) });
  }
  return found;
}

/** Finds the page of a row, if a generator wrote it, and its guard. */
async function findPage(
  { root }: Project,
  table: string,
): Promise<Pick<ReferencedTable, "page" | "isGuarded" | "role">> {
  const url = table.replaceAll("_", "-");
  const [page, guard = ""] = await Promise.all(
    ["id_/page.ts", "middleware.ts"].map((file) =>
      readTextIfThere(join(root, `app/${url}/${file}`))
    ),
  );
  if (page === undefined) return {};
  // What is behind a condition is for changes.
  const [reading = ""] = guard.split("if (!isWrite");
  const calls = reading.replaceAll(/^\s*(?:if\b|\/\/).*/gm, "");
  const [, role] = /\.requireRole\("([^"]+)"\)/.exec(calls) ?? [];
  return { page: `/${url}/{id}`, isGuarded: calls.includes(".require"), role };
}

async function readRequest(args: CommandArgs, io: Io): Promise<Request> {
  const messages = messagesOf(io);
  const [name = "", ...texts] = args.positionals;
  const names = nameResource(name, args.value("singular"));
  const [role, writers] = [args.value("guard"), args.value("writers")];
  for (const [flag, each] of Object.entries({ guard: role, writers })) {
    if (each === undefined || isRoleName(each)) continue;
    throw new UsageError(messages.resource.role(each, flag));
  }
  const seed = args.value("seed");
  const seeds = seed === undefined ? undefined : Number(seed);
  if (seeds !== undefined && !(Number.isInteger(seeds) && seeds > 0 && seeds <= maxSeeds)) {
    throw new UsageError(messages.resource.seed(seed ?? "", String(maxSeeds)));
  }
  const parsed = parseFields(texts);
  for (const field of parsed.fields) {
    if (await isAccepted(field)) continue;
    throw new UsageError(messages.resource.contradiction(field.name));
  }
  return {
    names,
    ...parsed,
    seeds,
    role,
    // All users who see the rows may change them then.
    writers: writers === role ? undefined : writers,
    hasApi: args.has("api"),
    hasCsv: args.has("csv"),
    isAudited: args.has("audit"),
  };
}

/** @throws {Stop} if a folder, a route below the URL or a table of that name exists. */
async function refuseConflict(
  project: Project,
  { names, uploads, hasApi }: Request,
): Promise<void> {
  const { messages: { resource: texts } } = project;
  const { routes } = await project.routes();
  const { url } = names;
  for (const path of hasApi ? [url, `api/${url}`] : [url]) {
    const folder = `${appFolder}/${path}`;
    if (await statIfThere(join(project.root, folder)) !== undefined) {
      throw new Stop(texts.folder(folder));
    }
    const route = routes.find(({ pattern }) =>
      pattern === `/${path}` || pattern.startsWith(`/${path}/`)
    );
    if (route !== undefined) throw new Stop(texts.route(route.file.path, route.pattern));
  }
  await refuseForeignFile(project);
  for (const table of [names.table, ...uploads.length > 0 ? [`${names.table}_bytes`] : []]) {
    const maker = await findTableMaker(project, table);
    if (maker !== undefined) throw new Stop(texts.table(maker, table));
  }
}

/** Adds a resource to shared files. Prints what is left to the developer. */
async function joinResource(edits: Edits, resource: Resource & Request): Promise<void> {
  const { messages: { resource: texts, generateTestHint } } = edits.project;
  const { names, role, seeds, references } = resource;
  const guard = resource.isPublic === true ? undefined : resource.guard;
  const { many, table, url, one } = names;
  const store = `lib/${table}.ts`;
  await joinKit(edits);
  const storeNames = { book_loans: table, BookLoans: many };
  await joinDatabase(edits, { stores: [{ part: "store", names: storeNames }] });
  await joinOverview(edits, resource);
  await joinRoles(edits, [role, resource.writers]);
  const entry = {
    path: `/${url}`,
    catalog: `${one}Messages`,
    key: "title",
    file: messagesFile(names),
    icon: iconOf(url),
    guard,
    role,
    count: { key: many, file: store },
  };
  // The page of their parent lists such rows, except for rows that users own.
  const isChild = parentsOf(resource).some(({ field, parent }) =>
    field.reference?.onDelete === "cascade" && parent.table !== "users"
  );
  if (!isChild) await joinNav(edits, entry);
  await joinParents(edits, resource);
  for (const { table, title, isGuarded, role: needed } of references) {
    if (guard === undefined) {
      if (isGuarded === true || table === "users") edits.tell(texts.shown(title, table));
    } else if (needed !== undefined && needed !== role && table !== "users") {
      edits.tell(texts.shownRole(title, table, needed));
    }
  }
  if (resource.guard !== undefined && resource.hasAccounts !== true) {
    const file = "lib/session_testing.ts";
    const names = { sessions: resource.guard };
    await edits.addMissing(renderSample("kit/guards/session_testing.ts", file, { names }));
  }
  if (seeds !== undefined) {
    // All seed modules share the values, which come with the first one.
    await edits.addMissing(renderSample(`kit/${seedValuesFile}`, seedValuesFile, {}));
    const seedText = await edits.read(`seeds/${table}.ts`) ?? "";
    const [command = ""] = /deno run .*(?=`)/.exec(seedText) ?? [];
    await edits.tellCommand(texts.seeded(command));
  }
  const folders = resource.hasApi ? [appFolder, `${appFolder}/api`] : [appFolder];
  edits.tell(generateTestHint(folders.map((folder) => `${folder}/${url}`).join(" ")));
}
