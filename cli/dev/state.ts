/**
 * The file in which a development server stores its state for local programs such as `fw mcp`. It
 * is not an endpoint, so no web page can read it.
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
  /** The last output of the application, from both streams. */
  readonly log: string;
  /** A string that only a server in this folder of this machine could write: see {@linkcode findMark}. */
  readonly mark: string;
}

/** The folder, listed in the `.gitignore` of a new project. */
const folderName = ".fw";
const fileName = "dev.json";

const maxLogChars = 65_536;

const writeAfterMs = 100;

interface DevStateWriter {
  change(next: Pick<DevState, "state" | "failure">): void;
  log(bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** Starts writing the state. Failed writes are ignored: the server works without the file. */
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

/** Skips the work if the project is read-only or the folder is a link out of it. */
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

/** Reads the state of a running server. A file that came with the project is not trusted: agents read its text. */
export async function readDevState(root: string): Promise<DevState | undefined> {
  const text = await readTextIfThere(join(root, folderName, fileName)).catch(() => undefined);
  const state = parseJson(text ?? "");
  return isState(state) && state.mark === findMark(root) && isRunning(state.pid)
    ? state
    : undefined;
}

/** Returns the boot id, inode and birth time of a folder, which a file made elsewhere cannot contain. */
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
  // A plain server address; the mark proves which server wrote it.
  const isServerUrl = typeof url === "string" && /^http:\/\/[^\s/?#@\\]+\/?$/.test(url) &&
    URL.canParse(url);
  return Number.isSafeInteger(pid) && Number(pid) > 0 && isServerUrl &&
    ["starting", "serving", "failed"].some((name) => name === state) &&
    typeof log === "string" && typeof mark === "string";
}

/** Reports whether a process runs: a killed server leaves its file behind. */
function isRunning(pid: number): boolean {
  try {
    return signalProcess(pid, 0);
  } catch {
    return false;
  }
}
