/**
 * The file in which a development server keeps what it knows, for programs on this machine such as `fw mcp`.
 * It is not an endpoint, so that no page in a browser can read it.
 */
import { join } from "@std/path";
import { kill as signalProcess } from "node:process";
import { readTextIfThere, readTextSync } from "../project/files/look.ts";
import { isInside, isThere, replaceFile } from "../project/files/write_inside.ts";
import { parseJson } from "../project/json.ts";
import type { Failure } from "../project/process/failure.ts";

export interface DevState {
  readonly pid: number;
  readonly url: string;
  readonly state: "starting" | "serving" | "failed";
  readonly failure?: Failure;
  /** The end of what the application wrote to both outputs. */
  readonly log: string;
  /** A string that only a server in this folder of this machine could write: see {@linkcode findMark}. */
  readonly mark: string;
}

/** The folder, which `.gitignore` of a new project names. */
const folderName = ".fw";
const fileName = "dev.json";

const maxLogChars = 65_536;

/** Changes that follow each other at once are one write. */
const writeAfterMs = 100;

interface DevStateWriter {
  change(next: Pick<DevState, "state" | "failure">): void;
  log(bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** Starts to keep the state. What cannot be written is left out: the server works without it. */
export function openDevState(root: string, server: { readonly url: string }): DevStateWriter {
  const decoder = new TextDecoder();
  const mark = findMark(root);
  let state: Pick<DevState, "state" | "failure"> = { state: "starting" };
  let log = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  plan();
  return {
    change: (next) => {
      state = next;
      plan();
    },
    log: (bytes) => {
      log = (log + decoder.decode(bytes, { stream: true })).slice(-maxLogChars);
      plan();
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      await inFolder(root, (folder) => Deno.remove(join(folder, fileName)));
    },
  };

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      const now = { pid: Deno.pid, url: server.url, ...state, log, mark };
      writing = writing.then(() => inFolder(root, (folder) => writeState(folder, now)));
    }, writeAfterMs);
  }
}

/** Leaves out what cannot be done: the project is read-only, or a link leads the folder out of it. */
async function inFolder(root: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(root, folderName);
  try {
    if (await isInside(root, folder)) await work(folder);
  } catch {
    // The server works without the file.
  }
}

async function writeState(folder: string, state: unknown): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const ignored = join(folder, ".gitignore");
  if (!await isThere(ignored)) await replaceFile(ignored, "*\n");
  await replaceFile(join(folder, fileName), JSON.stringify(state));
}

/**
 * Reads the state of the server that runs for a project. A file that came with the project, such as one in a
 * commit, is not believed: its text would reach an agent as if the server had written it.
 *
 * @returns `undefined` if none runs.
 */
export async function readDevState(root: string): Promise<DevState | undefined> {
  const text = await readTextIfThere(join(root, folderName, fileName)).catch(() => undefined);
  const state = parseJson(text ?? "");
  return isState(state) && state.mark === findMark(root) && isRunning(state.pid)
    ? state
    : undefined;
}

/**
 * Returns what identifies a folder on a machine, which no file that was made elsewhere can contain: the boot
 * of the system where it has a name, and the number and the birth of the folder.
 *
 * @returns `undefined` where the system tells too little, so that no file is believed.
 */
function findMark(root: string): string | undefined {
  try {
    const { ino, birthtime } = Deno.statSync(root);
    const bornMs = birthtime?.getTime() || undefined;
    const boot = Deno.build.os === "linux"
      ? readTextSync(bootFile)?.trim() || undefined
      : undefined;
    return (boot ?? bornMs) === undefined ? undefined : [boot, ino, bornMs].join(" ");
  } catch {
    return undefined;
  }
}

const bootFile = "/proc/sys/kernel/random/boot_id";

function isState(value: unknown): value is DevState {
  const { pid, url, state, log, mark }: Partial<Record<keyof DevState, unknown>> = Object(value);
  return Number.isSafeInteger(pid) && Number(pid) > 0 && isServerUrl(url) &&
    states.some((name) => name === state) && typeof log === "string" && typeof mark === "string";
}

const states: readonly DevState["state"][] = ["starting", "serving", "failed"];

/** Reports whether a value is the address of a server and nothing else: the mark says whose it is. */
function isServerUrl(value: unknown): boolean {
  return typeof value === "string" && /^http:\/\/[^\s/?#@\\]+\/?$/.test(value) &&
    URL.canParse(value);
}

/** Reports whether a process runs: one that was killed could not remove its file. */
function isRunning(pid: number): boolean {
  try {
    return signalProcess(pid, 0);
  } catch {
    return false;
  }
}
