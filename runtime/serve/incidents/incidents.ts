import { permissionFix } from "../../base/diagnose/missing_permission.ts";
import type { Logger } from "../../base/observe/logger.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import { ProcessConnection } from "../../request/connections.ts";
import { describeIncident, type Description } from "./describe.ts";
import { writeIncident } from "./folder.ts";

export const maxKeptBodyBytes = 65_536;

/** Maximum number of incidents that wait for the disk; more are dropped. */
const maxWaiting = 16;

/**
 * Keeps what is needed to run a request again that was answered with a 5xx. The answer never waits for the
 * disk, and what goes wrong here is one log line.
 */
export class Incidents {
  readonly #dir: string;
  readonly #log: Logger;
  readonly #errors = new WeakMap<RequestCtx, unknown>();
  readonly #waiting: Description[] = [];
  #writing: Promise<void> | undefined;
  #isBroken = false;

  constructor(dir: string, log: Logger) {
    this.#dir = dir;
    this.#log = log;
  }

  /** Notes the error that led to a response; the first one counts. */
  note(c: RequestCtx, error: unknown): void {
    if (!this.#errors.has(c)) this.#errors.set(c, error);
  }

  /** Keeps a request that was answered with a 5xx; one of a test or an export is not kept. */
  keep(c: RequestCtx, status: number): void {
    if (c.info instanceof ProcessConnection || this.#waiting.length >= maxWaiting) return;
    try {
      const error = this.#errors.get(c);
      this.#waiting.push(describeIncident(c, { status, error, maxBodyBytes: maxKeptBodyBytes }));
      this.#writing ??= this.#writeAll();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Waits until everything is written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // The response goes out first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await writeIncident(this.#dir, await next());
        this.#isBroken = false;
      } catch (error) {
        this.#report(error);
      }
    }
    this.#writing = undefined;
  }

  /** Logs the first failure: a disk that is full stays full for a while. */
  #report(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const fix = permissionFix(error) ??
      `make "${this.#dir}" writable, or set config.observability.incidents to another folder`;
    this.#log.warn("an incident was not kept", { folder: this.#dir, error, fix });
  }
}
