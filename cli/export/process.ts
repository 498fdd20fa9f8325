import type { ExportOptions, ExportProgress, ExportReport } from "@fw/fw";
import { generatedFile } from "@fw/fw/conventions";

export interface ExportJob {
  /** The output folder, absolute. */
  readonly dir: string;
  /** The URL prefix of the site, if it differs from the application's. */
  readonly basePath: string | undefined;
  /** The options of `app.export` that JSON can hold. */
  readonly options: Omit<ExportOptions, "signal" | "onProgress">;
}

/** A message of the process. */
export type ExportMessage =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly progress: ExportProgress }
  /** The export has finished, or has failed with this report. */
  | { readonly kind: "report"; readonly report: ExportReport }
  /** The application does not shut down; the process does not wait for it. */
  | { readonly kind: "stuck" }
  /** The options or the folder are refused. */
  | { readonly kind: "refused"; readonly message: string };

/** The interval of progress messages. */
const progressMs = 50;

/** The time for the application's shutdown; the site is complete by then. */
const shutdownMs = 3_000;

/** Returns the source of the process. */
export function exportProgram(job: ExportJob, say: string): string {
  return `import { newApp } from "./${generatedFile}";

const { dir, basePath, options } = ${JSON.stringify(job)};

${say}

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
// Open handles of the application, such as timers, must not delay the command.
Deno.exit(0);
`;
}
