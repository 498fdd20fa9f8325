/** The meaning of a Postgres error, by its SQLSTATE, because messages are translated. */
import { limitTime } from "../../runtime/addon.ts";
import type { Plan } from "../engine.ts";
import { BusyError, ConstraintError, type ConstraintKind, malformedError } from "../errors.ts";
import { changedTable } from "../statements.ts";
import type { Driver } from "./driver.ts";

interface ServerError {
  readonly code: string;
  readonly table: string;
  readonly schema: string;
  readonly column: string | undefined;
  readonly constraint: string | undefined;
}

export async function toPostgresError(
  error: unknown,
  readCatalog: Driver["query"],
  plan: Plan | undefined,
): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof BusyError || error instanceof ConstraintError) {
    return error;
  }
  const found = readServerError(error);
  if (isUnavailable(error, found.code)) {
    const message = /^(?:40|55P03)/.test(found.code)
      ? "Another transaction is changing the same rows"
      : found.code === "57014"
      ? "The statement was ended before its result, as by its timeout"
      : "The database server is unavailable";
    return new BusyError(message, { cause: error });
  }
  const fix = refusals.get(found.code);
  if (fix !== undefined) {
    return new Error(`Cannot open the database: ${error.message}. Fix: ${fix}.`, { cause: error });
  }
  // Class 42: a syntax error, or a name that does not exist.
  if (found.code.startsWith("42") && plan !== undefined) {
    return malformedError(error, plan.text);
  }
  const kind = constraintKind(found, plan);
  if (kind === undefined) return error;
  const columns = found.column === undefined
    ? await readColumns(readCatalog, found)
    : [found.column];
  const { constraint } = found;
  const table = found.table || (plan && changedTable(plan.text, "postgres")?.table) || "";
  return new ConstraintError({ kind, table, columns, constraint, cause: error });
}

const wrongUser = "correct the user and the password in the URL, or create the role";

/** The fixes for a server that refuses the connection. */
const refusals: ReadonlyMap<string, string> = new Map([
  ["28000", wrongUser],
  ["28P01", wrongUser],
  ["3D000", "create the database (createdb), or correct its name in the URL"],
]);

/** Reads the members that `npm:pg` names `table` and `npm:postgres` names `table_name`. */
function readServerError(error: Error): ServerError {
  const read = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name) ?? Reflect.get(error, `${name}_name`);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [found = "", table = "", schema = "public"] = ["code", "table", "schema"].map(read);
  // PgBouncer reports its own failures with the code of a malformed message, and no routine of the server.
  const code = found === "08P01" && read("routine") === undefined ? "08006" : found;
  return { code, table, schema, column: read("column"), constraint: read("constraint") };
}

const unavailable =
  /^(?:08(?!P01)|53|57(?:014|P0)|55P03|40001|40P01|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT)/;

/** Lost, refused or too many connections, a full disk, a starting or stopping server, or a lock. */
function isUnavailable({ message }: Error, code: string): boolean {
  const isLost =
    /connection terminated|connection ended|timeout exceeded|read timeout|not queryable/i;
  return code === "" ? isLost.test(message) : unavailable.test(code);
}

const kinds: ReadonlyMap<string, ConstraintKind> = new Map([
  ["23505", "unique"],
  ["23P01", "unique"],
  ["23502", "null"],
  ["23514", "check"],
]);

/** A value too long, out of range, malformed or not in the encoding. The server names no column. */
const unfit = /^(?:22(?:00[1378]|02[13]|P0[235])|08P01)$/;

function constraintKind(
  { code, table }: ServerError,
  plan: Plan | undefined,
): ConstraintKind | undefined {
  const changed = plan && changedTable(plan.text, "postgres");
  // In a query the value is the developer's.
  if (unfit.test(code)) return changed && "check";
  if (code !== "23503" && code !== "23001") return kinds.get(code);
  if (changed === undefined || changed.verb === "insert") return "reference";
  // Even for a change of the referenced table, the error names the table with the foreign key.
  const isOther = changed.table.toLowerCase() !== table.toLowerCase();
  return changed.verb === "delete" || isOther ? "referenced" : "reference";
}

/**
 * Timeout of a query of the catalog. Without it, transactions that hold every connection of the
 * pool would wait forever for another.
 */
const catalogMs = 500;

/** Reads the columns of a constraint or, with those in its expressions, of an index of that name. */
async function readColumns(
  readCatalog: Driver["query"],
  { schema, table, constraint }: ServerError,
): Promise<string[]> {
  if (constraint === undefined) return [];
  const text = `with relation as (
      select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = $1 and n.nspname = $2
    ), used as (
      select unnest(k.conkey) as number from pg_constraint k, relation r
      where k.conrelid = r.oid and k.conname = $3
      union
      select a.attnum from pg_index x join pg_class i on i.oid = x.indexrelid
        join relation r on r.oid = x.indrelid join pg_attribute a on a.attrelid = r.oid
      where i.relname = $3 and (a.attnum = any(x.indkey)
        or pg_get_expr(x.indexprs, r.oid) ~ ('\\m' || regexp_replace(a.attname, '(\\W)', '\\\\\\1', 'g') || '\\M'))
    )
    select a.attname from pg_attribute a, relation r
    where a.attrelid = r.oid and a.attnum in (select number from used) order by a.attnum`;
  const values = [table, schema, constraint];
  const found = await limitTime(() => readCatalog({ text, values, name: undefined }), {
    timeoutMs: catalogMs,
    late: () => new Error("The catalog is late"),
  }).catch(() => undefined);
  // The name of the constraint is enough; its columns only improve the message.
  return (found?.rows ?? []).map(([column]) => String(column));
}

/** Maximum wait for a connection or a lock of a caller that holds another database's transaction. */
export const holdingWaitMs = 5_000;

/** Waits for a connection for a limited time, because its holders may be waiting for the caller. */
export function endWait<T>(opening: Promise<T>, undo: (late: T) => unknown): Promise<T> {
  const late = (): Error => {
    opening.then(undo).catch(() => {});
    return new BusyError(`No connection was free for ${holdingWaitMs} ms`);
  };
  return limitTime(() => opening, { timeoutMs: holdingWaitMs, late });
}
