/** A scratch project served by the real `dev` command, for the development suites. */
import { assert } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { newFolder } from "../../new_folder.ts";
import { patienceMs } from "../../until.ts";
import { startWatched, type WatchedProcess } from "../../watched_process.ts";

const checkout = fromFileUrl(new URL("../../..", import.meta.url));

export type Files = Readonly<Record<string, string>>;

/** The smallest application: a page in a layout, an API route, a style sheet. */
export const baseFiles: Files = {
  "deno.json": JSON.stringify(
    { imports: { "@fw/fw": "jsr:@fw/fw@^0.1" }, links: [checkout.replace(/\/$/, "")] },
    null,
    2,
  ),
  "app/layout.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export function Layout(_: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.title("Test"), h.link(h.rel("stylesheet"), h.href("/style.css"))),
    h.body(children),
  );
}
`,
  "app/page.ts": pageSaying("one"),
  "app/api/pid/route.ts": `import type { Ctx } from "@fw/fw";
export function GET(c: Ctx): Response {
  const { FW_SECRET: secret, PORT: port } = Deno.env.toObject();
  return c.json(200, { pid: Deno.pid, secret, port });
}
`,
  "public/style.css": "body { color: rgb(1, 2, 3) }\n",
};

export function pageSaying(text: string): string {
  return `import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export function Page(): Node {
  return h.h1(${JSON.stringify(text)});
}
`;
}

export function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(Math.random() * left.length), 1));
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Creates a scratch folder with files, which is removed afterwards. */
export async function withFolder(files: Files, run: (dir: string) => Promise<void>): Promise<void> {
  await using dir = await newFolder({ prefix: "fw-dev-" });
  for (const [path, text] of Object.entries(files)) writeIn(dir.path, path, text);
  await run(dir.path);
}

function writeIn(dir: string, path: string, text: string): void {
  const full = join(dir, path);
  Deno.mkdirSync(dirname(full), { recursive: true });
  Deno.writeTextFileSync(full, text);
}

const cliPath = join(checkout, "cli/main.ts");

/** Starts the command line in a separate process. */
export function startCli(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WatchedProcess {
  return startWatched(Deno.execPath(), {
    args: ["run", "-A", "--config", join(checkout, "deno.json"), cliPath, ...args],
    cwd,
    env: { FW_LANG: "en", RUST_BACKTRACE: "0", ...env },
  });
}

export class DevProject {
  readonly process: WatchedProcess;
  readonly dir: string;
  readonly url: string;

  constructor(process: WatchedProcess, place: { readonly dir: string; readonly url: string }) {
    this.process = process;
    this.dir = place.dir;
    this.url = place.url;
  }

  write(path: string, text: string): void {
    writeIn(this.dir, path, text);
  }

  /**
   * Writes several files while `dev` is stopped, so it finds all of them at once, even if the
   * machine interrupts the burst.
   */
  writeAtOnce(files: readonly (readonly [path: string, text: string])[]): void {
    this.process.kill("SIGSTOP");
    try {
      for (const [path, text] of files) this.write(path, text);
    } finally {
      this.process.kill("SIGCONT");
    }
  }

  /** Restores a file of {@linkcode baseFiles}. */
  restore(path: string): void {
    this.write(path, baseFiles[path] ?? "");
  }

  remove(path: string): void {
    Deno.removeSync(join(this.dir, path), { recursive: true });
  }

  page(path: string): Promise<Answer> {
    return this.get(path, { headers: { accept: "text/html,*/*;q=0.8" } });
  }

  async get(path: string, init?: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  }

  untilPage(path: string, text: string): Promise<Answer> {
    return until(
      () => this.page(path),
      (answer) => answer.body.includes(text),
      (answer) =>
        `"${text}" in ${answer.status} ${answer.body.replace(/<style>[^]*<\/style>/, "")}`,
    );
  }

  async childPid(): Promise<number> {
    return JSON.parse((await this.get("/api/pid")).body).pid;
  }
}

export interface DevProjectOptions {
  /** Environment variables of the command. @default {} */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Serves a project with `dev` on a free port while a test runs, then stops it by SIGINT and fails
 * unless it exits with code 0.
 *
 * @param files The files on top of {@linkcode baseFiles}.
 */
export async function withDev(
  files: Files,
  run: (project: DevProject) => Promise<void>,
  options: DevProjectOptions = {},
): Promise<void> {
  await withFolder({ ...baseFiles, ...files }, async (dir) => {
    await using process = startCli(dir, ["dev", "--addr", "127.0.0.1:0"], options.env);
    await process.saw("http://");
    const [url] = /http:\/\/\S+/.exec(process.output()) ?? [];
    assert(url !== undefined, process.output());
    await run(new DevProject(process, { dir, url }));
    try {
      process.kill("SIGINT");
    } catch {
      // The test has ended it.
    }
    const { code, signal } = await process.ended();
    // After a deliberate kill nothing else is checked.
    assert(code === 0 || signal === "SIGKILL", `dev ended with ${code} ${signal}`);
  });
}

export async function until<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  describe: (answer: T) => string = String,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${describe(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function isAlive(pid: number): boolean {
  try {
    // A dead process has an entry until its parent reads the exit status.
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** Waits long enough for an unwanted event to happen. */
export function quiet(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
