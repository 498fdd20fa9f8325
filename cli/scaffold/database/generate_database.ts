import { join } from "@std/path";
import type { CommandArgs } from "../../args.ts";
import type { Io } from "../../io.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { migrationsFolder, readMigrations, schemaFile } from "../../project/migrations.ts";
import { requireProject } from "../../project/project.ts";
import { listFiles } from "../../project/sources/sources.ts";
import { Stop, UsageError } from "../../stop.ts";
import { addDatabase, databaseFiles, joinDatabase, refuseForeignFile } from "../database.ts";
import { type Edits, openEdits } from "../edits.ts";
import { databaseFile, engineNames, readEngine } from "./engine.ts";
import { bossParts, jobsFile, toBossJobs } from "../generate_job.ts";
import { type ColumnKind, findColumnKinds, toPostgresSql } from "./postgres_sql.ts";
import { pruneImports } from "../imports.ts";
import { renderSample, replaceNames } from "../sample.ts";

const moveSample = "kit/postgres/move_rows.ts";
const moveScript = "scripts/move_rows.ts";

export async function generateDatabase(args: CommandArgs, io: Io): Promise<number> {
  if (args.positionals[0] !== "postgres") {
    throw new UsageError(({ migrate }) => migrate.move.engine);
  }
  const project = await requireProject(io);
  const { messages: { migrate: { move: texts } } } = project;
  if (await readEngine(project.root) === "postgres") throw new Stop(texts.already);
  await refuseForeignFile(project);
  const isMove = await readTextIfThere(join(project.root, databaseFile)) !== undefined;
  // A dry run also shows changes to files that are not committed.
  const edits = await openEdits(project, args.has("dry-run") ? "any" : "committed");
  if (isMove) edits.add(...databaseFiles("postgres"), renderSample(moveSample, moveScript, {}));
  else await addDatabase(edits, "postgres");
  const jobs = await readTextIfThere(join(project.root, jobsFile));
  const moved = jobs === undefined ? undefined : toBossJobs(jobs);
  if (moved !== undefined) edits.put({ file: jobsFile, text: moved });
  const unsure = await translate(edits);
  await joinDatabase(edits, moved === undefined ? {} : { stores: bossParts, hasWork: true });
  const schema = join(project.root, schemaFile);
  if (await readTextIfThere(schema) !== undefined) {
    // Of SQLite: the first `migrate` on Postgres writes its own.
    edits.follow(async () => {
      await Deno.remove(schema);
      return [project.messages.resource.removed(schemaFile)];
    });
  }
  for (const each of unsure) edits.tell(texts.look(each));
  edits.tell(isMove ? texts.moved(moveScript) : texts.opened);
  return await edits.finish(io);
}

const numberedRows = /(\binsert into "\w+" \("id"[^)]*\)) values/g;

/**
 * Translates sources and migrations, also without a database: tests of mails name one.
 *
 * @returns The places that a developer must look at.
 */
async function translate(edits: Edits): Promise<readonly string[]> {
  const { project } = edits;
  const { root } = project;
  const unsure: string[] = [];
  const kinds = new Map<string, ColumnKind>();
  for (const path of listFiles(root, /\.tsx?$/)) {
    const file = path.replaceAll("\\", "/");
    if (edits.has(file) || /(?:^|\/)fw_gen\.ts$|^migrations\//.test(file)) continue;
    const before = await readTextIfThere(join(root, file)) ?? "";
    const [, table] = /^lib\/(\w+)\.ts$/.exec(file) ?? [];
    if (table !== undefined) {
      for (const [column, kind] of findColumnKinds(before, table)) kinds.set(column, kind);
    }
    const changed = replaceNames(before, engineNames("postgres"))
      .replaceAll(numberedRows, "$1 overriding system value values");
    const text = changed === before ? before : pruneImports(changed);
    if (text !== before) edits.put({ file, text });
    const line = text.split("\n").findIndex((each) =>
      /\.raw\b|\b(?:openSqlite|sqliteJobs)\(|"node:sqlite"/.test(each)
    );
    if (line >= 0) unsure.push(`${file}:${line + 1}`);
  }
  for (const { name, sql } of await readMigrations(project)) {
    const file = `${migrationsFolder}/${name}.sql`;
    const { text, unsure: lines } = toPostgresSql(sql, kinds);
    if (text !== sql) edits.put({ file, text });
    unsure.push(...lines.map((each) => `${file}: ${each.trim()}`));
  }
  return unsure;
}
