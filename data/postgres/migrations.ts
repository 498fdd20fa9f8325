import { type MigrationSession, migrationWaitMs } from "../engine.ts";
import { BusyError } from "../errors.ts";
import type { Driver } from "./driver.ts";
import { endWait } from "./errors.ts";

/** The advisory lock shared by the migrations of all processes; the number is arbitrary. */
const migrationLock = 7_346_912_845;

/** Runs migrations in one transaction, which holds their lock. */
export async function migratePostgres<T>(
  driver: Driver,
  task: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  // Keeps no snapshot between statements; `create index concurrently` would wait for one.
  const raw = await driver.begin("isolation level read committed", "");
  const query = async (text: string): Promise<readonly (readonly unknown[])[]> =>
    (await raw.query({ text, values: [], name: undefined })).rows;
  try {
    await waitForLock(query);
    const value = await task({
      exec: async (text) => void await query(text),
      execAlone: async (text) => {
        // The lock occupies one connection, so the statement needs a second one.
        await endWait(driver.query({ text: "select 1", values: [], name: undefined }), () => {});
        await driver.query({ text, values: [], name: undefined });
      },
      all: query,
    });
    await raw.keep();
    return value;
  } catch (error) {
    await raw.undo();
    throw error;
  }
}

/** Polls for the migration lock, because a waiting statement would block `create index concurrently`. */
async function waitForLock(
  query: (text: string) => Promise<readonly (readonly unknown[])[]>,
): Promise<void> {
  const endMs = performance.now() + migrationWaitMs;
  for (let pauseMs = 5;; pauseMs = Math.min(pauseMs * 2, 500)) {
    const [[isLocked] = []] = await query(`select pg_try_advisory_xact_lock(${migrationLock})`);
    if (isLocked === true || isLocked === "t") return;
    if (performance.now() >= endMs) {
      throw new BusyError(
        `Another process has been migrating the database for ${migrationWaitMs} ms`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
