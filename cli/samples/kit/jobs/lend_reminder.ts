import { struct, text } from "@fw/fw";
import { job } from "@fw/fw/jobs";

/** The input of the job, checked when it is enqueued and again before it runs. */
const Value = struct({ name: text("required") });

/**
 * Runs after `await enqueue(c, lendReminder, { name: "Ada" })`, at least once, so a second run must
 * do no harm. After an error it is retried with a delay.
 */
export const lendReminder = job("lend_reminder", Value, ({ name }, { log, signal }) => {
  // Pass the signal on, for example to fetch: it aborts at the deadline and at shutdown.
  signal.throwIfAborted();
  log.info("the job ran", { name });
}, { attempts: 5, timeoutMs: 60_000 });
