import { struct, text } from "@fw/fw";
import { job } from "@fw/fw/jobs";

/** What the job works on: checked when it is enqueued, and again before it runs. */
const Value = struct({ name: text("required") });

/**
 * Runs after `await enqueue(c, lendReminder, { name: "Ada" })`, at least once: a second run must do no harm. An error
 * makes it run again, after a pause.
 */
export const lendReminder = job("lend_reminder", Value, ({ name }, { log, signal }) => {
  // Hand the signal on, to fetch for example: it aborts at the deadline and at shutdown.
  signal.throwIfAborted();
  log.info("the job ran", { name });
}, { attempts: 5, timeoutMs: 60_000 });
