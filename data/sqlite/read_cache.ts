import type { StatementSync } from "node:sqlite";
import type { Call, Plan, Result } from "../engine.ts";
import type { Connection } from "./connection.ts";

/** Faster reads are not cached, because asking SQLite whether the file has changed takes 1 to 5 µs. */
const minReadMs = 0.01;
const maxRows = 200;
const maxResultBytes = 65_536;
const maxKeyLength = 1_000;
const maxResults = 1_000;

/** Words allowed before a parenthesis: functions that depend only on their arguments, and SQL keywords. */
const plainWords: ReadonlySet<string> = new Set(
  `abs avg bm25 ceil coalesce concat concat_ws count floor format fw_plain group_concat hex highlight ifnull iif instr
  json json_array json_array_length json_each json_extract json_group_array json_group_object json_object json_tree
  json_type json_valid length lower ltrim max min nullif printf quote replace round rtrim sign snippet string_agg substr
  substring sum total trim typeof unicode upper
  cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number
  all and as between by case cast else except exists filter from having in intersect join like limit match materialized
  not offset on or over partition select then union using values when where`.split(/\s+/),
);

/** Words whose value depends on the time or the connection. */
const unsteady = /current_|pragma|sqlite_|dbstat/i;

/**
 * Returns whether a statement gives the same result while the file is unchanged. It checks every
 * word before a parenthesis, even in comments and strings, so that none is missed.
 */
function isPlain(text: string): boolean {
  const called = text.matchAll(
    /([^\s(),=<>+*/|-]+)(?=(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*\()/g,
  );
  return !unsteady.test(text) &&
    called.every(([, word = ""]) => plainWords.has(word.toLowerCase()));
}

interface KnownPlan {
  readonly id: number;
  readonly isPlain: boolean;
  tookMs: number;
}

interface Kept {
  readonly result: Result | undefined;
  readonly bytes: number;
}

/** Caches reads of a file until a connection of this or another process commits to it. */
export class ReadCache {
  readonly #connection: Connection;
  readonly #maxBytes: number;
  readonly #dataVersion: StatementSync;
  readonly #views: StatementSync;
  readonly #plans: WeakMap<Plan, KnownPlan> = new WeakMap();
  /** Results by statement and values, the least recently used first; none after a single read. */
  readonly #kept: Map<string, Kept> = new Map();
  #bytes = 0;
  #planCount = 0;
  #version: unknown;
  #hasPlainViews = false;

  constructor(connection: Connection, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
    const { database } = connection;
    this.#dataVersion = database.prepare("pragma data_version");
    this.#views = database.prepare("select sql from sqlite_schema where type = 'view'");
  }

  /** Executes a read outside of transactions, or returns its cached result. */
  read(call: Call): Result {
    const plan = this.#know(call.plan);
    const key = plan.isPlain && plan.tookMs >= minReadMs ? callKey(plan.id, call) : undefined;
    if (key === undefined) return this.#execute(plan, call);
    const kept = this.#kept.get(key);
    if (kept === undefined) {
      this.#keep(key, { result: undefined, bytes: 2 * key.length });
      return this.#execute(plan, call);
    }
    // Before the read, so that the result is never older than its version.
    this.#refresh();
    const result = this.#kept.get(key)?.result ?? this.#execute(plan, call);
    const bytes = this.#hasPlainViews ? resultBytes(result) : Infinity;
    if (bytes <= maxResultBytes) this.#keep(key, { result, bytes: bytes + 2 * key.length });
    return result;
  }

  #know(plan: Plan): KnownPlan {
    let known = this.#plans.get(plan);
    if (known === undefined) {
      const isSelect = plan.verb === "select" || (plan.verb === "with" && plan.isRead);
      known = { id: ++this.#planCount, isPlain: isSelect && isPlain(plan.text), tookMs: 0 };
      this.#plans.set(plan, known);
    }
    return known;
  }

  #execute(plan: KnownPlan, call: Call): Result {
    const startedMs = performance.now();
    const result = this.#connection.execute(call);
    plan.tookMs = performance.now() - startedMs;
    return result;
  }

  /** Drops all results if a connection has committed since the last call. */
  #refresh(): void {
    const version = this.#dataVersion.get()?.["data_version"];
    if (version === this.#version) return;
    this.#kept.clear();
    this.#bytes = 0;
    // The text of a statement does not show the functions that a view calls.
    this.#hasPlainViews = this.#views.all().every(({ sql }) => isPlain(String(sql)));
    this.#version = version;
  }

  #keep(key: string, kept: Kept): void {
    this.#bytes += kept.bytes - (this.#kept.get(key)?.bytes ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#kept.size <= maxResults && this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

/** Returns the key of a statement and its values; `undefined` if a value is bytes. */
function callKey(id: number, { values, readsInt64 }: Call): string | undefined {
  let key = `${id}${readsInt64}`;
  for (const value of values) {
    if (value instanceof Uint8Array) return undefined;
    const text = String(value);
    // The length prevents one value from looking like two.
    key += `|${typeof value}${text.length}:${text}`;
  }
  return key.length <= maxKeyLength ? key : undefined;
}

/** Estimates the memory of rows; `Infinity` for bytes, which a caller could modify. */
function resultBytes({ rows }: Result): number {
  if (rows.length > maxRows) return Infinity;
  let bytes = 0;
  for (const row of rows) {
    // The array of the row.
    bytes += 64;
    for (const value of row) {
      if (value instanceof Uint8Array) return Infinity;
      bytes += 16 + (typeof value === "string" ? 2 * value.length : 0);
    }
  }
  return bytes;
}
