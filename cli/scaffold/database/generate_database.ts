import { join } from "@std/path";
import type { CommandArgs } from "../../args.ts";
import { regenerate } from "../../gen/generate.ts";
import { exitCodes, type Io } from "../../io.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { writeFiles } from "../../project/files/write_files.ts";
import { migrationsFolder, readMigrations } from "../../project/migrations.ts";
import { type Project, requireProject } from "../../project/project.ts";
import { listFiles } from "../../project/sources/sources.ts";
import { Stop, UsageError } from "../../stop.ts";
import { accountSchema } from "../auth.ts";
import {
  databaseFiles,
  joinDatabase,
  missingDatabaseFiles,
  refuseForeignFile,
} from "../database.ts";
import { databaseFile, engineNames, readEngine } from "./engine.ts";
import { readImportStyle, restyleFiles } from "../imports.ts";
import { type ColumnKind, findColumnKinds, toPostgresSql } from "./postgres_sql.ts";
import { type NewFile, pruneImports, renderSample, replaceNames } from "../sample.ts";

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
  const { files, unsure } = await moveFiles(project, isMove);
  // A dry run tells what would change before the files are committed.
  await writeFiles(project, files, { io, replaces: args.has("dry-run") ? "any" : "committed" });
  const paths = files.map(({ file }) => file);
  await joinDatabase(project, { written: paths, io });
  await regenerate(project);
  for (const each of unsure) io.stdout(`${texts.look(each)}\n`);
  io.stdout(`${isMove ? texts.moved(moveScript) : texts.opened}\n`);
  return exitCodes.ok;
}

const numberedRows = /(\binsert into "\w+" \("id"[^)]*\)) values/g;

interface Move {
  readonly files: readonly NewFile[];
  readonly unsure: readonly string[];
}

/** Tests of mails name a database before there is one, so sources change without a move as well. */
async function moveFiles(project: Project, isMove: boolean): Promise<Move> {
  const style = await readImportStyle(project);
  const { root } = project;
  const files = isMove
    ? [
      ...await restyleFiles(project, [
        ...databaseFiles("postgres"),
        renderSample("kit/postgres/move_rows.ts", moveScript, {}),
      ]),
    ]
    : [...await missingDatabaseFiles(project, "postgres")];
  const unsure: string[] = [];
  const written = new Set(files.map(({ file }) => file));
  const kinds = new Map<string, ColumnKind>();
  for (const path of listFiles(root, /\.tsx?$/)) {
    const file = path.replaceAll("\\", "/");
    if (written.has(file) || /(?:^|\/)fw_gen\.ts$|^migrations\//.test(file)) continue;
    const before = await readTextIfThere(join(root, file)) ?? "";
    const [, table] = /^lib\/(\w+)\.ts$/.exec(file) ?? [];
    if (table !== undefined) {
      for (const [column, kind] of findColumnKinds(before, table)) kinds.set(column, kind);
    }
    const connect = `{ connect } from "${style(databaseFile, file)}"`;
    const changed = replaceNames(before, engineNames("postgres"))
      .replace('{ connect } from "../lib/database.ts"', connect)
      .replaceAll(numberedRows, "$1 overriding system value values");
    const text = changed === before ? before : pruneImports(changed);
    if (text !== before) files.push({ file, text });
    const line = text.split("\n").findIndex((each) =>
      /\.raw\b|\b(?:openSqlite|sqliteJobs)\(|"node:sqlite"/.test(each)
    );
    if (line >= 0) unsure.push(`${file}:${line + 1}`);
  }
  for (const { name, sql } of await readMigrations(project)) {
    const file = `${migrationsFolder}/${name}.sql`;
    const isOwn = squeezed(sql) === squeezed(accountSchema("sqlite"));
    const { text, unsure: lines } = isOwn
      ? { text: accountSchema("postgres"), unsure: [] }
      : toPostgresSql(sql, kinds);
    files.push({ file, text });
    unsure.push(...lines.map((each) => `${file}: ${each.trim()}`));
  }
  return { files, unsure };
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
