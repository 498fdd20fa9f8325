/** Slow and hostile clients, and work that never ends, for the tables that try them. */
import type { Ctx, Route, Settings } from "../../../mod.ts";
import type { Framework } from "../hostile.ts";

export const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** How long a row waits for what should come, on a busy machine as well. */
const patienceMs = 20_000;

export async function inPatience<T>(work: Promise<T>): Promise<T | "hangs"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hangs">((resolve) => {
    timer = setTimeout(() => resolve("hangs"), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function newApp(
  fw: Framework,
  routes: readonly Route[],
  settings: Settings = {},
): { app: InstanceType<Framework["App"]>; log: () => string } {
  let log = "";
  const app = new fw.App({
    addr: "127.0.0.1:0",
    logger: fw.createLogger({ write: (text) => void (log += text) }),
    timeouts: { writeMs: 20, readMs: 20, idleMs: 20, shutdownMs: 300, maxHeaderBytes: 1_024 },
    ...settings,
  });
  for (const route of routes) app.route(route);
  return { app, log: () => log };
}

export const get = (handler: (c: Ctx) => unknown): Route => ({
  pattern: "/",
  methods: {
    GET: handler as NonNullable<Route["page"]>,
    POST: handler as NonNullable<Route["page"]>,
  },
  csrf: false,
});

export type Step = string | number;

/** Sends texts and pauses; gives what came back until the server closed, or until it did not. */
export async function talk(
  fw: Framework,
  listener: "deno" | "node",
  options: {
    readonly steps: readonly Step[];
    readonly handler?: (c: Ctx) => unknown;
    readonly settings?: Settings;
    readonly until?: string;
  },
): Promise<string> {
  const handler = options.handler ?? ((c: Ctx): Response => c.text(200, "ok"));
  const { app, log } = newApp(fw, [get(handler), {
    pattern: "/admin",
    methods: { GET: handler as NonNullable<Route["page"]> },
  }], { listener, ...options.settings });
  const served = app.listenAndServe();
  let url: string | undefined;
  while (url === undefined) {
    await wait(1);
    url = /"msg":"listening","url":"([^"]+)"/.exec(log())?.[1];
  }
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  try {
    return await inPatience(converse(connection, options));
  } finally {
    letGo();
    connection.close();
    await app.shutdown();
    await served;
  }
}

async function converse(
  connection: Deno.Conn,
  options: { readonly steps: readonly Step[]; readonly until?: string },
): Promise<string> {
  let text = "";
  const send = async (): Promise<void> => {
    for (const step of options.steps) {
      if (typeof step === "number") await wait(step);
      else await connection.write(new TextEncoder().encode(step));
    }
  };
  const sending = send().catch(() => {});
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      const size = await connection.read(buffer);
      if (size === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, size));
      if (options.until !== undefined && text.includes(options.until)) break;
    }
  } catch {
    text += "(reset)";
  }
  await sending;
  return text;
}

export const statuses = (text: string): string =>
  text === "hangs"
    ? text
    : [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, s]) => s).join(",") + " closed";

/** What rows hold up, let go when they are over: without its guard a row must end as well. */
const held: (() => void)[] = [];
export const never = (): Promise<undefined> =>
  new Promise((resolve) => held.push(() => resolve(undefined)));
const letGo = (): void => held.splice(0).forEach((release) => release());
export const longTime = { writeMs: 60_000, readMs: 60_000, idleMs: 60_000 };
