/**
 * The program that exports: it runs in a process of its own, with the application's import map and
 * permissions, and speaks to the command by lines of standard output.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import type { ExportOptions, ExportProgress, ExportReport } from "@fw/fw";

/** What an export is asked for. */
export interface ExportJob {
  /** The folder, absolute. */
  readonly dir: string;
  /** The URL prefix of the application, where it is to be another. */
  readonly basePath: string | undefined;
  /** What `app.export` takes of it, as JSON can hold it. */
  readonly options: Omit<ExportOptions, "signal" | "onProgress">;
}

/** What the program says. */
export type ExportMessage =
  /** The application has started. */
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly progress: ExportProgress }
  /** The export is done, or has failed with all that is known. */
  | { readonly kind: "report"; readonly report: ExportReport }
  /** The application does not come to its end; it is not waited for. */
  | { readonly kind: "stuck" }
  /** The options or the folder cannot be. */
  | { readonly kind: "refused"; readonly message: string };

/** How often the progress is told, in milliseconds. */
const progressMs = 50;

/** How long the application has to end, in milliseconds: the site is written by then. */
const shutdownMs = 3_000;

/**
 * Writes the program.
 *
 * @param job What to export.
 * @param mark What each of its lines starts with: nothing that the application itself could write.
 */
export function exportProgram(job: ExportJob, mark: string): string {
  return `import { newApp } from "./${generatedFile}";

const { dir, basePath, options } = ${JSON.stringify(job)};

function say(message: unknown): void {
  const bytes = new TextEncoder().encode(${JSON.stringify(mark)} + JSON.stringify(message) + "\\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

let toldMs = 0;
function onProgress(progress: { done: number; total: number }): void {
  const now = performance.now();
  if (now - toldMs < ${progressMs} && progress.done < progress.total) return;
  toldMs = now;
  say({ kind: "progress", progress });
}

const app = await newApp(basePath === undefined ? {} : { basePath });
say({ kind: "started" });
try {
  const report = await app.export(dir, { ...options, onProgress });
  say({ kind: "report", report });
} catch (error) {
  const { name, report, message } = error as { name?: string; report?: unknown; message?: string };
  if (name === "ExportError" && report !== undefined) say({ kind: "report", report });
  else if (/^Cannot export /.test(message ?? "")) say({ kind: "refused", message });
  else throw error;
} finally {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ${shutdownMs});
  });
  if (await Promise.race([app.shutdown(), late]) === "late") say({ kind: "stuck" });
  clearTimeout(timer);
}
// What the application still has open, such as a timer, must not keep the command waiting.
Deno.exit(0);
`;
}
