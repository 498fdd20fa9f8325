import type { Application } from "@fw/fw";
import { closeJobs, openJobs } from "./jobs.ts";

/** Runs at boot. */
export async function Setup(app: Application): Promise<void> {
  // if jobs
  await openJobs(app);
  // end
}

/** Runs after the last request. */
export async function Shutdown(app: Application): Promise<void> {
  // if jobs
  await closeJobs(app);
  // end
}
