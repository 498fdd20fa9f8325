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
import { statIfThere } from "./files/look.ts";
import { runAppProgram } from "./process/app_program.ts";

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
  | { readonly kind: "refused"; readonly fault: MigrationFault }
  | { readonly kind: "unusable"; readonly detail: string };

export type MigrationFault = Pick<MigrationError, "code" | "migration" | "line" | "detail">;

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
    const isUnusable = error instanceof BusyError ||
      (error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR");
    if (isUnusable) return { kind: "unusable", detail: error.message };
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
const reasonsOf = ({ message, cause }) =>
  [message, cause?.message || cause?.code].filter(Boolean).join(": ") || "it does not say why";
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
    : { kind: "unusable", detail: reasonsOf(error) });
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

/** Converts the times, which are strings in JSON. */
function withDates(reply: MigrationReply): MigrationReply {
  if (reply.kind !== "done") return reply;
  const status = reply.status.map((each) =>
    each.appliedAt === undefined ? each : { ...each, appliedAt: new Date(each.appliedAt) }
  );
  return { ...reply, status };
}
