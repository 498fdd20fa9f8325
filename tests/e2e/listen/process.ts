import { fromFileUrl } from "@std/path";
import { startWatched, type WatchedProcess } from "../../watched_process.ts";

const script = fromFileUrl(new URL("./server.ts", import.meta.url));

/** Variables that would change the address or the output of the process. */
const clearedVariables = {
  PORT: "",
  ADDR: "127.0.0.1:0",
  FW_ENV: "",
  FW_DEV_READY: "",
  FW_SECRET: "",
};

/** Starts `server.ts`; the process ends with the block. */
export function startServer(
  args: readonly string[] = [],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly permissions?: readonly string[];
  } = {},
): WatchedProcess {
  return startWatched(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", ...(options.permissions ?? ["-A"]), script, ...args],
    env: { ...clearedVariables, ...options.env },
  });
}
