import { isStruct, structFields } from "./columns.ts";
import type { Call, Plan } from "./engine.ts";
import { compileRows, type RowReader, type RowSchema } from "./rows.ts";
import { checkTemplate, type Dialect, Sql, StatementWriter, writeTemplate } from "./sql.ts";
import { blankStrings, splitStatements, transactionVerbs } from "./statements.ts";
import { fieldKind, toBound } from "./values.ts";

const maxPlans = 250;

let names = 0;

/** Returns a new name, because two databases may share a pool, whose connections keep one statement per name. */
export const newPlanName = (): string => `fw_${++names}`;

/** Caches plans: by template if its text is fixed, otherwise by text. */
export class Plans {
  readonly #dialect: Dialect;
  /** The plans of templates whose text depends only on their structs. */
  readonly #fixed: WeakMap<
    readonly string[],
    { readonly plan: Plan; readonly structs: readonly unknown[] }
  > = new WeakMap();
  #recent: Map<string, Plan> = new Map();
  #older: Map<string, Plan> = new Map();
  readonly #readers: WeakMap<
    Plan,
    { readonly schema: RowSchema; readonly columns: readonly string[]; readonly read: RowReader }
  > = new WeakMap();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  reader(plan: Plan, schema: RowSchema, columns: readonly string[]): RowReader {
    const kept = this.#readers.get(plan);
    if (kept !== undefined && kept.schema === schema && isSame(kept.columns, columns)) {
      return kept.read;
    }
    const read = compileRows(schema, columns);
    this.#readers.set(plan, { schema, columns, read });
    return read;
  }

  call(strings: readonly string[], values: readonly unknown[], schema?: RowSchema): Call {
    checkTemplate(strings);
    const readsInt64 = schema !== undefined && hasInt64(schema);
    const { engine } = this.#dialect;
    if (!values.some((value) => value instanceof Sql)) {
      const structs = values.filter(isStruct);
      let fixed = this.#fixed.get(strings);
      if (fixed === undefined || !isSame(fixed.structs, structs)) {
        // Found by text: a template may get new structs, and the server keeps named statements.
        fixed = { plan: this.#joinedPlan(this.#write(strings, values)), structs };
        this.#fixed.set(strings, fixed);
      }
      const own = structs.length === 0 ? values : values.filter((value) => !isStruct(value));
      return { plan: fixed.plan, values: own.map((value) => toBound(value, engine)), readsInt64 };
    }
    const writer = this.#write(strings, values);
    return { plan: this.#joinedPlan(writer), values: writer.values, readsInt64 };
  }

  #write(strings: readonly string[], values: readonly unknown[]): StatementWriter {
    const writer = new StatementWriter(this.#dialect);
    writeTemplate(writer, strings, values);
    const { engine, maxValues } = this.#dialect;
    if (writer.values.length <= maxValues) return writer;
    throw new RangeError(
      `Cannot run a statement with ${writer.values.length} values: ${engine} takes ${maxValues}; insert fewer ` +
        "rows per statement, such as 500, and compare with lists by among().",
    );
  }

  #joinedPlan({ text, isVaried }: StatementWriter): Plan {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const plan = this.#older.get(text) ?? this.#plan(text, isVaried);
    if (this.#recent.size >= maxPlans) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, plan);
    return plan;
  }

  #plan(text: string, isVaried: boolean): Plan {
    const [statement, second] = splitStatements(text, this.#dialect.engine);
    if (statement === undefined) throw new TypeError("Cannot run a statement without SQL.");
    if (second !== undefined) {
      throw new TypeError(
        `Cannot run "${second.verb}" after another statement: run one statement per call.`,
      );
    }
    const { verb, sql } = statement;
    if (transactionVerbs.has(verb)) {
      throw new TypeError(`Cannot run "${verb}": use tx, so that the transaction has an end.`);
    }
    const hasChange = /\b(?:(?:insert|update|delete|merge)\b|replace\b(?!\s*\())/i
      .test(blankStrings(sql, this.#dialect.engine));
    const isRead = verb === "select" || verb === "values" || verb === "explain" ||
      (verb === "with" && !hasChange);
    const isChange = /^(?:insert|update|delete|replace|merge|with)$/.test(verb) && !isRead;
    const mayScan = /--\s*scan:\s*\S/.test(text);
    const name = isVaried ? undefined : newPlanName();
    return { text: sql, verb, isRead, isChange, mayScan, name };
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other ||
    (one.length === other.length && one.every((column, index) => column === other[index]));
}

const int64Schemas: WeakMap<RowSchema, boolean> = new WeakMap();

function hasInt64(schema: RowSchema): boolean {
  return int64Schemas.getOrInsertComputed(schema, ({ def }) => {
    const defs = def.kind === "struct" ? [...structFields(schema).values()] : [def];
    return defs.some((each) => fieldKind(each) === "int64");
  });
}
