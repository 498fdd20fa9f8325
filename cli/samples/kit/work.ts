/** Runs the jobs without a listener, until SIGINT or SIGTERM: `deno task work`. */
import { runJobs } from "@fw/fw/jobs";
import { newApp } from "./fw_gen.ts";

if (import.meta.main) await runJobs(await newApp());
