/**
 * Databases for tests: on SQLite a new one for each test, on Postgres one that is rolled back. Both
 * check the plan of every statement.
 *
 * @module
 */
import { type Db, type EngineDb, engineDb } from "./db.ts";
import type { Plan } from "./engine.ts";
import { text } from "../mod.ts";
import type { Migration } from "./migrate.ts";
import { blankStrings } from "./statements.ts";
import { openSqlite } from "./sqlite/mod.ts";

/** Options of {@linkcode testDatabase}. */
export interface TestDatabaseOptions {
  /** The versions of the schema. @default [] */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens a database in memory for one test. Closing it fails if a statement scanned a whole table or
 * sorted all of its hits, because such a statement gets slower with every row. `-- scan: reason` in
 * the statement allows it, and a `select … limit` without `where` is not a scan.
 *
 * @returns The database, to be closed by the test.
 * @example
 * ```ts
 * import { assertRejects } from "@std/assert";
 * import { int } from "@fw/fw/data";
 * import { testDatabase } from "@fw/fw/data/testing";
 *
 * const migrations = [{ name: "0001_a", sql: "create table a (id integer primary key, n integer);" }];
 * const db = await testDatabase({ migrations });
 * await db.all(int())`select id from a where n = ${1}`;
 * await assertRejects(() => db.close(), Error, "SCAN a");
 * ```
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<Db> {
  return watchPlans(await openSqlite(":memory:", options));
}

/** Makes closing a database fail if one of its statements scanned a table. */
export function watchPlans(db: Db): Db {
  const own = engineDb(db, "watch the plans");
  const plans = new Map<string, Plan>();
  const find = own.engine === "postgres" ? findPostgresScans : findScans;
  own.watch = (plan) => plans.set(plan.text, plan);
  const close = own.close.bind(own);
  own.close = async () => {
    own.watch = undefined;
    const faults: string[] = [];
    for (const plan of plans.values()) {
      // Without the condition of an audited table: skipping its few deleted rows is not a scan.
      const text = plan.text.replaceAll(/ and \((?:t\.)?"deleted_at" is null\)/g, "")
        .replaceAll(/\((?:t\.)?"deleted_at" is null\) and /g, "")
        .replaceAll(/\bwhere \((?:t\.)?"deleted_at" is null\)/g, "");
      // A statement without a plan, such as `create table`, cannot be explained.
      const steps = plan.mayScan
        ? []
        : await own.internals.explain(text, { isCheck: true }).catch(() => []);
      const scans = await withoutPartial(own, find(steps, text));
      if (scans.length > 0) faults.push(`${scans.join("; ")}\n    ${plan.text.trim()}`);
    }
    await close();
    if (faults.length === 0) return;
    throw new Error(
      `Statements that get slower with every row: add an index, or a comment "-- scan: reason".\n  ${
        faults.join("\n  ")
      }`,
    );
  };
  return own;
}

/** Removes the scans of partial indexes, which contain only the hits. */
async function withoutPartial(db: EngineDb, scans: readonly string[]): Promise<readonly string[]> {
  if (scans.length === 0) return scans;
  const name = text();
  const partial = db.engine === "postgres"
    ? await db.all(name)`select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indpred is not null`
    : await db.all(name)`
        select name from sqlite_schema where type = 'index' and sql like '% where %'`;
  return scans.filter((scan) => {
    const [, index = ""] = /\b(?:using|INDEX) "?(\w+)/.exec(scan) ?? [];
    return !partial.includes(index);
  });
}

function isBounded(text: string): boolean {
  // A quoted column may be named like a keyword.
  const plain = blankStrings(text, "sqlite");
  return !/\bwhere\b/i.test(plain) && /\blimit\b/i.test(plain);
}

interface PostgresStep {
  readonly [name: string]: unknown;
  readonly Plans?: readonly PostgresStep[];
}

/** Steps that return each row as they read it, so that a limit above also ends them. */
const passing =
  /^(?:Limit|LockRows|Result|Nested Loop|Memoize|Subquery Scan|Append|Seq Scan|Bitmap|Index)/;

/** Works like {@linkcode findScans} for Postgres; also finds an index read from its start. */
function findPostgresScans([plan = "[]"]: readonly string[]): readonly string[] {
  const find = (step: PostgresStep, isLimited?: boolean): readonly string[] => {
    const type = String(step["Node Type"]);
    // A limit of the parent step does not bound a subplan.
    const isOwn = /^(?:Init|Sub)Plan$/.test(String(step["Parent Relationship"]));
    const isBounded = (type === "Limit" || (isLimited === true && !isOwn)) && passing.test(type) &&
      !("Filter" in step || "Join Filter" in step);
    const isWhole = type === "Seq Scan" ||
      (/^(?:Bitmap )?Index/.test(type) && !("Index Cond" in step));
    const isFault = /Sort$/.test(type) || (isWhole && !isBounded);
    const index = "Index Name" in step ? ` using ${step["Index Name"]}` : "";
    return [
      ...isFault ? [`${type}${index} on ${step["Relation Name"] ?? "rows"}`] : [],
      ...(step.Plans ?? []).flatMap((below) => find(below, isBounded)),
    ];
  };
  const plans: readonly { readonly Plan: PostgresStep }[] = JSON.parse(plan);
  return plans.flatMap(({ Plan }) => find(Plan));
}

/** Returns the steps of a SQLite plan that read a whole table or sort all hits. */
function findScans(steps: readonly string[], text: string): readonly string[] {
  // Reading a whole subquery is not a scan, because its own reads are separate steps.
  const derived = new Set(
    steps.map((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1]),
  );
  return steps.filter((step) => {
    if (/^USE TEMP B-TREE FOR (?:RIGHT PART OF )?ORDER BY/.test(step)) return true;
    const [, name] = /^SCAN (\S+)/.exec(step) ?? [];
    const isTable = name !== undefined && !derived.has(name) &&
      !/VIRTUAL TABLE|CONSTANT ROW|VALUES CLAUSE/.test(step);
    return isTable && !isBounded(text);
  });
}

/**
 * Runs a test in a transaction that is rolled back: all changes by the test and the handlers it
 * calls are undone. Each change has a savepoint, so that a refused one does not end the test.
 *
 * @param db The database that the test and the handlers use.
 * @returns The result of the test.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int } from "@fw/fw/data";
 * import { rolledBack, testDatabase } from "@fw/fw/data/testing";
 *
 * await using db = await testDatabase();
 * await db.run`create table a (n integer) strict`;
 * await rolledBack(db, async () => void await db.run`insert into a values (1)`);
 * assertEquals(await db.one(int())`select count(*) from a limit 1`, 0);
 * ```
 */
export async function rolledBack<T>(db: Db, test: () => Promise<T>): Promise<T> {
  return await engineDb(db, "roll back a test").rolledBack(test);
}
