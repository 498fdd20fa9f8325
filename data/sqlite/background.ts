import type { Call, Result } from "../engine.ts";
import { BusyError } from "../errors.ts";
import { plainText } from "../search.ts";
import { toSqliteError } from "./errors.ts";

/** Few, because SQLite cannot interrupt a statement and a few clients could use every core. */
const maxWorkers = 2;
const maxWaiting = 32;
const idleMs = 60_000;

interface Job {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Reader {
  readonly worker: Worker;
  job: Job | undefined;
  idle: ReturnType<typeof setTimeout> | undefined;
}

type Reply =
  | { readonly kind: "result"; readonly columns: string[]; readonly rows: unknown[][] }
  | { readonly kind: "error"; readonly message: string; readonly errcode: number | undefined };

/** The source of the Worker, which opens the file at its start and runs one statement at a time. */
const source = `import { DatabaseSync } from "node:sqlite";
const plainText = ${plainText.toString()};
let database;
self.onmessage = ({ data }) => {
  if (data.path !== undefined) {
    database = new DatabaseSync(data.path, { readOnly: true, enableDoubleQuotedStringLiterals: false });
    database.exec("pragma busy_timeout = 5000");
    database.function("fw_plain", { deterministic: true }, (text) => plainText(String(text ?? "")));
    return;
  }
  try {
    const statement = database.prepare(data.text);
    statement.setReturnArrays(true);
    // Otherwise an unsafe integer would be refused without the name of its column.
    statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name }) => name);
    self.postMessage({ kind: "result", columns, rows: statement.all(...data.values) });
  } catch (error) {
    self.postMessage({ kind: "error", message: error.message, errcode: error.errcode });
  }
};`;

/** Runs slow reads in Workers, so that a report does not block other requests. */
export class BackgroundReads {
  readonly #path: string;
  readonly #readers: Set<Reader> = new Set();
  readonly #waiting: Job[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  run(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) {
        return reject(new BusyError("Too many background reads are waiting"));
      }
      this.#waiting.push({ call, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    let reader = this.#readers.values().find(({ job }) => job === undefined);
    if (reader === undefined && this.#readers.size < maxWorkers) reader = this.#start();
    const job = reader === undefined ? undefined : this.#waiting.shift();
    if (reader === undefined || job === undefined) return;
    clearTimeout(reader.idle);
    reader.job = job;
    const { plan, values } = job.call;
    reader.worker.postMessage({ text: plan.text, values });
  }

  #start(): Reader {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    const reader: Reader = { worker, job: undefined, idle: undefined };
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      URL.revokeObjectURL(url);
      this.#finish(reader, data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const { job } = reader;
      this.#end(reader);
      job?.reject(new Error(`Cannot read in the background: ${event.message}`));
      this.#next();
    };
    worker.postMessage({ path: this.#path });
    this.#readers.add(reader);
    return reader;
  }

  #finish(reader: Reader, reply: Reply): void {
    const { job } = reader;
    reader.job = undefined;
    reader.idle = setTimeout(() => this.#end(reader), idleMs);
    Deno.unrefTimer(reader.idle);
    if (reply.kind === "result") {
      job?.resolve({ columns: reply.columns, rows: reply.rows, count: 0 });
    } else if (job !== undefined) {
      const { message, errcode } = reply;
      job.reject(toSqliteError(Object.assign(new Error(message), { errcode }), { call: job.call }));
    }
    this.#next();
  }

  #end(reader: Reader): void {
    clearTimeout(reader.idle);
    this.#readers.delete(reader);
    reader.worker.terminate();
  }

  /** Rejects waiting reads and terminates the Workers with their running statements. */
  close(): void {
    const error = new Error("The database is closed.");
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    for (const reader of this.#readers) {
      reader.job?.reject(error);
      this.#end(reader);
    }
  }
}
