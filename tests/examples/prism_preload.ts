/**
 * Puts Prism before the application of each test of the example, when `deno test` preloads this.
 */
import { around } from "../../examples/events/tests/around.ts";
import { type ApiCall, JudgedApp, type PrismPlace } from "../prism.ts";

interface Job {
  readonly place: PrismPlace;
  readonly operations: readonly ApiCall[];
  /** The file that gets one line for each pair of an operation and a status. */
  readonly judged: string;
}

const job: Job = JSON.parse(Deno.env.get("PRISM_JOB") ?? "");
const app = new JudgedApp(job.place, job.operations);

around.fetch = (fetch) => {
  const judging = app.wrap(fetch);
  return async (request, info) => {
    if (isLeftEarly(request)) return await fetch(request, info);
    const before = app.judged.size;
    const response = await judging(request, info);
    if (app.judged.size > before) {
      await Deno.writeTextFile(job.judged, `${[...app.judged].at(-1)}\n`, { append: true });
    }
    return response;
  };
};

/**
 * Whether a request opens a stream that its test leaves before its end: Prism answers only once a
 * stream has ended. `EventSource` sends this header, which those tests do not.
 */
function isLeftEarly({ url, headers }: Request): boolean {
  return url.endsWith("/attendees") && headers.get("accept") !== "text/event-stream";
}
