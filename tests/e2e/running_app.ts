/** An application in a separate process, started with its `start` task. */
import { join } from "@std/path";
import { shellWords } from "../../cli/project/start_task.ts";
import { startWatched, type WatchedProcess } from "../watched_process.ts";

export interface RunningApp extends WatchedProcess {
  get(path: string, init?: RequestInit): Promise<Response>;
}

/** Reads the command of a project's `start` task. */
export async function readStartTask(cwd: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(join(cwd, "deno.json"))).tasks.start.command;
}

/**
 * Starts an application on a free port; the process ends with the block.
 *
 * @param command The command line, in which `deno` is this one.
 * @param options The folder, and variables on top.
 */
export function startApp(
  command: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): RunningApp {
  const [program = "", ...args] = (shellWords(command)[0] ?? []).map(({ text }) => text);
  const app = startWatched(program === "deno" ? Deno.execPath() : program, {
    args,
    cwd: options.cwd,
    env: { PORT: "0", ADDR: "", FW_ENV: "", FW_DEV_READY: "", ...options.env },
  });
  return {
    ...app,
    get: async (path, init) => await fetch(new URL(path.replace(/^\//, ""), await app.url()), init),
  };
}
