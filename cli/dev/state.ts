/**
 * The file in which a development server keeps what it knows, for programs on this machine such as `fw mcp`.
 * It is no endpoint, so that no page in a browser can read it.
 *
 * @module
 */
import { kill as signalProcess } from "node:process";
import { readKept, removeKept, writeKept } from "../project/files/kept_file.ts";
import type { Failure } from "../project/process/failure.ts";

/** The state of a development server. */
export interface DevState {
  /** The process of the server. */
  readonly pid: number;
  /** Where it listens. */
  readonly url: string;
  /** Whether the application serves, starts, or has failed. */
  readonly state: "starting" | "serving" | "failed";
  /** Why it failed. */
  readonly failure?: Failure;
  /** The end of what the application wrote to both outputs. */
  readonly log: string;
}

const stateFile = "dev.json";

/** How much of the log is kept, in characters. */
const maxLogChars = 65_536;

/** Changes that follow each other at once are one write. */
const writeAfterMs = 100;

/** Keeps the file up to date. */
interface DevStateWriter {
  serving(): void;
  starting(): void;
  failed(failure: Failure): void;
  /** Adds what the application wrote. */
  log(bytes: Uint8Array): void;
  /** Removes the file. */
  close(): Promise<void>;
}

/**
 * Starts to keep the state. What cannot be written is left out: the server works without it.
 *
 * @param root The project's folder, absolute.
 */
export function openDevState(root: string, server: { readonly url: string }): DevStateWriter {
  const decoder = new TextDecoder();
  let state: Pick<DevState, "state" | "failure"> = { state: "starting" };
  let log = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const change = (next: typeof state): void => {
    state = next;
    plan();
  };
  plan();
  return {
    serving: () => change({ state: "serving" }),
    starting: () => change({ state: "starting" }),
    failed: (failure) => change({ state: "failed", failure }),
    log: (bytes) => {
      log = (log + decoder.decode(bytes, { stream: true })).slice(-maxLogChars);
      plan();
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      await removeKept(root, stateFile);
    },
  };

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      const now = { pid: Deno.pid, url: server.url, ...state, log };
      writing = writing.then(() => writeKept(root, stateFile, now));
    }, writeAfterMs);
  }
}

/** Reads the state of the server that runs for a project; `undefined` if none does. */
export async function readDevState(root: string): Promise<DevState | undefined> {
  const state = await readKept(root, stateFile);
  return isState(state) && isRunning(state.pid) ? state : undefined;
}

function isState(value: unknown): value is DevState {
  const { pid, url, log }: Partial<DevState> = Object(value);
  return Number.isInteger(pid) && typeof url === "string" && typeof log === "string";
}

/** Whether a process runs: one that was killed could not remove its file. */
function isRunning(pid: number): boolean {
  try {
    return signalProcess(pid, 0);
  } catch {
    return false;
  }
}
