import type { DatabaseSync } from "node:sqlite";
import type { Call } from "../engine.ts";
import { BusyError, ConstraintError, type ConstraintInfo, malformedError } from "../errors.ts";
import { changedTable } from "../statements.ts";
import { findReference, tableColumns } from "./reference.ts";

/** The primary result codes of SQLite for a temporarily unavailable database. */
const unavailable: ReadonlyMap<number, string> = new Map([
  [5, "The database is locked by another process"],
  [6, "The database is locked"],
  [8, "The database cannot be written"],
  [10, "The database cannot be read or written"],
  [13, "The disk of the database is full"],
  [14, "The file of the database cannot be opened"],
]);

/** `SQLITE_CONSTRAINT_TRIGGER`. */
const raisedCode = 1_811;

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 5 || code === 6;
}

/** Returns the result code from the error or, because `exec` sets none, from its message. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number" && error.errcode > 0) {
    return error.errcode & 0xff;
  }
  if (error.message.includes("is locked")) return 5;
  if (error.message.includes("disk is full")) return 13;
  return undefined;
}

export function toSqliteError(error: unknown, place: {
  /** The connection; `undefined` before there is one. */
  readonly database?: DatabaseSync;
  /** The statement; `undefined` for a commit. */
  readonly call?: Call | undefined;
}): unknown {
  if (!(error instanceof Error) || error instanceof BusyError) return error;
  const message = unavailable.get(primaryCode(error) ?? 0);
  if (message !== undefined) return new BusyError(message, { cause: error });
  const { database, call } = place;
  // A trigger may raise a text like that of a constraint; `on delete restrict` also counts as a trigger.
  const isRaised = "errcode" in error && error.errcode === raisedCode &&
    !error.message.startsWith("FOREIGN KEY");
  if (isRaised) return error;
  try {
    const info = database && readConstraint(error.message, database, call);
    if (info !== undefined) return new ConstraintError({ ...info, cause: error });
  } catch {
    // The lookup may fail, for example on another table's malformed key; writes must still work.
  }
  return primaryCode(error) === 1 && call ? malformedError(error, call.plan.text) : error;
}

function readConstraint(
  message: string,
  database: DatabaseSync,
  call: Call | undefined,
): ConstraintInfo | undefined {
  const [, word, what = ""] = /^(UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed(?:: ([^]*))?$/
    .exec(message) ?? [];
  switch (word) {
    case "UNIQUE":
      return readUnique(database, what);
    case "NOT NULL":
      return { kind: "null", ...readNames(what) };
    case "CHECK":
      return readCheck(database, what, call);
    case "FOREIGN KEY":
      return findReference(database, call);
  }
  // A value that its column cannot hold; the two without a name are those of a sum and of a key.
  const table = call && changedTable(call.plan.text, "sqlite")?.table;
  if (table === undefined) return undefined;
  const [, column] = /^cannot store \w+ value in \w+ column (.+)$/.exec(message) ?? [];
  if (column !== undefined) return { kind: "check", ...readNames(column) };
  const isUnfit = message === "integer overflow" || message === "datatype mismatch";
  return isUnfit ? { kind: "check", table, columns: [] } : undefined;
}

function readNames(what: string): { readonly table: string; readonly columns: readonly string[] } {
  const names = what.split(", ").map((name) => name.split("."));
  return { table: names[0]?.[0] ?? "", columns: names.map(([, column = ""]) => column) };
}

function readUnique(database: DatabaseSync, what: string): ConstraintInfo {
  const [, index] = /^index '(.*)'$/.exec(what) ?? [];
  if (index === undefined) return { kind: "unique", ...readNames(what) };
  const row = database.prepare(
    "select tbl_name, sql from sqlite_schema where type = 'index' and name = ?",
  )
    .get(index);
  const table = String(row?.["tbl_name"] ?? "");
  const expression = String(row?.["sql"] ?? "").replace(/^[^(]*/, "");
  return {
    kind: "unique",
    table,
    columns: namedColumns(database, table, expression),
    constraint: index,
  };
}

function readCheck(database: DatabaseSync, what: string, call: Call | undefined): ConstraintInfo {
  const table = call === undefined ? "" : changedTable(call.plan.text, "sqlite")?.table ?? "";
  const row = database.prepare("select sql from sqlite_schema where type = 'table' and name = ?")
    .get(table);
  const source = String(row?.["sql"] ?? "");
  const named = /^\w+$/.test(what) ? namedCheck(source, what) : undefined;
  const columns = namedColumns(database, table, named ?? what);
  return { kind: "check", table, columns, ...(named !== undefined && { constraint: what }) };
}

function namedCheck(source: string, name: string): string | undefined {
  const start = new RegExp(`\\bconstraint\\s+["\`[]?${name}["\`\\]]?\\s+check\\s*\\(`, "i").exec(
    source,
  );
  if (start === null) return undefined;
  let depth = 1;
  let at = start.index + start[0].length;
  for (; at < source.length && depth > 0; at++) {
    if (source[at] === "(") depth++;
    if (source[at] === ")") depth--;
  }
  return source.slice(start.index + start[0].length, at);
}

function namedColumns(database: DatabaseSync, table: string, expression: string): string[] {
  const code = expression.replace(/'(?:[^']|'')*'/g, "''").toLowerCase();
  const words = new Set(code.match(/\w+/g) ?? []);
  return tableColumns(database, table).filter((column) => words.has(column.toLowerCase()));
}
