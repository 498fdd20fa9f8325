/** Runs the migrations of a project on its database: SQLite here, Postgres by the project's own code. */
import {
  BusyError,
  migrate,
  type Migration,
  MigrationError,
  type MigrationStatus,
  readMigrationStatus,
  readSchema,
} from "@fw/fw/data";
import { openSqlite } from "@fw/fw/sqlite";
import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Problem } from "../problem.ts";
import { readTextIfThere, statIfThere } from "./files/look.ts";
import { replaceFile } from "./files/write_inside.ts";
import { migrationsFolder, schemaFile, schemaIn, schemaText } from "./migrations.ts";
import { runAppProgram } from "./process/app_program.ts";
import type { Project } from "./project.ts";

export interface MigrationRun {
  readonly root: string;
  readonly engine: "sqlite" | "postgres";
  /** The SQLite file or a server's URL; `undefined` for the project's own database. */
  readonly place: string | undefined;
  readonly migrations: readonly Migration[];
  /** Whether to compare the migrations with the database without running any. */
  readonly isStatus: boolean;
}

export type MigrationReply =
  | {
    readonly kind: "done";
    readonly applied: readonly string[];
    readonly status: readonly MigrationStatus[];
    /** The schema as SQL; `""` for a database that does not exist. */
    readonly schema: string;
  }
  | {
    readonly kind: "refused";
    readonly fault: Pick<MigrationError, "code" | "migration" | "line" | "detail">;
  }
  | { readonly kind: "unusable"; readonly detail: string };

export type DoneReply = Extract<MigrationReply, { readonly kind: "done" }>;

export async function runMigrations(run: MigrationRun): Promise<MigrationReply> {
  return run.engine === "sqlite" ? await runSqlite(run) : await runPostgres(run);
}

async function runSqlite(run: MigrationRun): Promise<MigrationReply> {
  const { place = "", migrations, isStatus } = run;
  try {
    const isThere = await statIfThere(place) !== undefined;
    // Reading the status must not create the database.
    await using db = !isStatus
      ? await openSqlite(place)
      : isThere
      ? await openSqlite(place, { readOnly: true })
      : await openSqlite(":memory:");
    const applied = isStatus ? [] : await migrate(db, migrations);
    const status = isStatus ? await readMigrationStatus(db, migrations) : [];
    return { kind: "done", applied, status, schema: await readSchema(db) };
  } catch (error) {
    if (error instanceof MigrationError) {
      const { code, migration, line, detail } = error;
      return { kind: "refused", fault: { code, migration, line, detail } };
    }
    if (error instanceof BusyError) return { kind: "unusable", detail: error.message };
    // What SQLite says on opening is the cause of an error that names the file, as the message does.
    const fault = error instanceof Error ? error.cause ?? error : error;
    const isUnusable = fault instanceof Error && "code" in fault &&
      fault.code === "ERR_SQLITE_ERROR";
    if (isUnusable) return { kind: "unusable", detail: fault.message };
    throw error;
  }
}

/** Runs in the project, whose own file opens the database with its Postgres client. */
async function runPostgres(run: MigrationRun): Promise<MigrationReply> {
  const { root, migrations, place, isStatus } = run;
  const { code, message, said } = await runAppProgram(
    (say) =>
      `import { migrate, MigrationError, readMigrationStatus, readSchema } from "@fw/fw/data";
import { connect } from "./lib/database.ts";
${say}
const migrations = ${JSON.stringify(migrations)};
let db;
try {
  db = await connect(${JSON.stringify(place)}, []);
  const applied = ${isStatus} ? [] : await migrate(db, migrations);
  const status = ${isStatus} ? await readMigrationStatus(db, migrations) : [];
  say({ kind: "done", applied, status, schema: await readSchema(db) });
} catch (error) {
  const { code, migration, line, detail } = error;
  say(error instanceof MigrationError
    ? { kind: "refused", fault: { code, migration, line, detail } }
    : { kind: "unusable", detail: error.cause?.message || error.cause?.code || error.message });
} finally {
  await db?.close();
}`,
    { root, flags: ["--allow-net", "--allow-env", "--allow-read", "--no-check"], env: {} },
  );
  const [reply] = said;
  return reply === undefined
    ? { kind: "unusable", detail: message ?? `the process ended with ${code}` }
    : withDates(reply as MigrationReply);
}

function withDates(reply: MigrationReply): MigrationReply {
  if (reply.kind !== "done") return reply;
  const status = reply.status.map((each) =>
    each.appliedAt === undefined ? each : { ...each, appliedAt: new Date(each.appliedAt) }
  );
  return { ...reply, status };
}

/** Describes why no migration ran; `path` is the database as the user named it. */
export function migrationFault(
  reply: Exclude<MigrationReply, DoneReply>,
  path: string,
  texts: Messages["migrate"],
): Problem {
  if (reply.kind === "unusable") {
    return { code: "E_MIGRATION", severity: "error", ...texts.unusable(path, reply.detail) };
  }
  const { code, migration, line, detail } = reply.fault;
  const at = { file: migrationFile(migration), ...line === undefined ? {} : { line } };
  return errorAt(at, "E_MIGRATION", texts.fault[code](detail));
}

/** Finds differences between the migrations or the schema file and the database. */
export async function findStatusFaults(
  { root, messages: { migrate: texts } }: Project,
  { status, schema }: DoneReply,
  migrations: readonly Migration[],
): Promise<readonly Problem[]> {
  const written = await readTextIfThere(join(root, schemaFile));
  const isApplied = status.every(({ state }) => state === "applied");
  const differs = isApplied && written !== undefined && schemaIn(written) !== schema;
  return [
    ...status.flatMap(({ name, state }) => {
      if (state !== "changed" && state !== "missing") return [];
      const other = migrations[Number(name.slice(0, 4)) - 1]?.name ?? "";
      return [errorAt({ file: migrationFile(name) }, "E_MIGRATION", texts.fault[state](other))];
    }),
    ...differs ? [errorAt({ file: schemaFile }, "E_STALE", texts.otherSchema())] : [],
  ];
}

/** Writes the schema; reports whether the file changed. */
export async function writeSchema(
  root: string,
  schema: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  const file = join(root, schemaFile);
  const text = await schemaText(schema, migrations);
  if (await readTextIfThere(file) === text) return false;
  await replaceFile(file, text);
  return true;
}

function migrationFile(name: string): string {
  return `${migrationsFolder}/${name}.sql`;
}
