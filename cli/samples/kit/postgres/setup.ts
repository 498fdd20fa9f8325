import type { Application } from "@fw/fw";
import { closeJobs } from "./jobs.ts";

/** Runs after the last request. */
export async function Shutdown(app: Application): Promise<void> {
  // insert boss
  await closeJobs(app);
  // end
}
