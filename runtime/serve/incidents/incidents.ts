import type { Config } from "../../base/ctx/config.ts";
import { permissionFix } from "../../base/diagnose/error_text.ts";
import type { Logger } from "../../base/observe/logger.ts";
import { ProcessConnection, type RequestCtx } from "../../request/request_ctx.ts";
import { isWithin } from "../static/disk.ts";
import { realPath, servedFolders } from "../static/mounts.ts";
import type { FailedRequest } from "./describe.ts";

/** Maximum number of incidents that wait for the disk; more are dropped. */
const maxWaiting = 16;

/** Stores failed requests for a replay; responses never wait for the disk. */
export class Incidents {
  readonly #dir: string;
  readonly #log: Logger;
  readonly #errors = new WeakMap<RequestCtx, unknown>();
  readonly #waiting: FailedRequest[] = [];
  #writing: Promise<void> | undefined;
  #isBroken = false;

  constructor(dir: string, log: Logger) {
    this.#dir = dir;
    this.#log = log;
  }

  /** Records the error that led to a response; the first one is kept. */
  note(c: RequestCtx, error: unknown): void {
    if (!this.#errors.has(c)) this.#errors.set(c, error);
  }

  /** Records a request with a 5xx response, unless it comes from a test or an export. */
  keep(c: RequestCtx, status: number): void {
    if (c.info instanceof ProcessConnection || this.#waiting.length >= maxWaiting) return;
    try {
      const { requestId, method, touchedBody: body } = c;
      const headers = new Headers(c.headers);
      const time = new Date().toISOString();
      const error = this.#errors.get(c);
      this.#waiting.push({ c, headers, time, requestId, method, status, body, error });
      this.#writing ??= this.#writeAll();
    } catch (error) {
      this.#report(error);
    }
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // The response goes out first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        try {
          // Loaded at the first failure, so that it does not slow down a start.
          const { describeIncident } = await import("./describe.ts");
          const { writeIncident } = await import("./folder.ts");
          await writeIncident(this.#dir, await describeIncident(next));
          this.#isBroken = false;
        } catch (error) {
          this.#report(error);
        }
      }
    } finally {
      this.#writing = undefined;
    }
  }

  /** Logs the first failure only, because a full disk stays full for a while. */
  #report(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const fix = permissionFix(error) ??
      `make "${this.#dir}" writable, or set config.observability.incidents to another folder`;
    this.#log.warn("an incident was not saved", { folder: this.#dir, error, fix });
  }
}

/** Refuses a folder that the application serves, because clients could read the data of others. */
export function refuseServedFolder(
  folder: string,
  served: Pick<Config, "public" | "mounts"> & { readonly defaultPublic: string | undefined },
): void {
  const { public: own = served.defaultPublic, mounts } = served;
  for (const [setting, path] of servedFolders({ public: own, mounts })) {
    if (!isWithin(realPath(folder), path)) continue;
    throw new TypeError(
      `Cannot set config.observability.incidents to "${folder}": ${setting} serves that folder, so clients could read the requests; choose another, such as ".fw/incidents".`,
    );
  }
}
