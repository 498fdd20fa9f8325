/** An application behind a proxy that terminates TLS, and a client that sets the host. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "@std/path";
import { runCli, writeFiles } from "../../cli/support.ts";
import { reasonWithoutPrograms } from "../../programs.ts";
import { commandOf } from "../../../cli/project/start_task.ts";
import { type RunningApp, startApp } from "../running_app.ts";

const files: Readonly<Record<string, string>> = {
  "app/api/kind.ts": 'export const Kind = "api";\n',
  "app/api/who/route.ts": `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  c.setCookie({ name: "seen", value: "1" });
  return c.json(200, { ip: c.clientIp, host: c.url.host, id: c.requestId });
}
`,
  "app/api/cookie/route.ts": `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  c.setCookie({ name: "large", value: "x".repeat(4_090) });
  return c.noContent();
}
`,
  "app/api/upload/middleware.ts": `import type { Ctx, Next } from "@fw/fw";
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(1_900_000);
  return next();
}
`,
  "app/api/upload/route.ts": `import type { Ctx, Result } from "@fw/fw";
export async function POST(c: Ctx): Promise<Result> {
  return c.json(200, { size: (await c.file("f")).size });
}
`,
  "lib/gate.ts": `/** Opens on request. */
export const gate: { opened: Promise<void>; open: () => void } = {
  opened: Promise.resolve(),
  open: () => {},
};
export function close(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.opened = promise;
  gate.open = resolve;
}
`,
  "app/api/go/route.ts": `import type { Ctx, Result } from "@fw/fw";
import { gate } from "../../../lib/gate.ts";
export function POST(c: Ctx): Result {
  gate.open();
  return c.noContent();
}
`,
  "app/api/live/route.ts": `import type { Ctx, Result } from "@fw/fw";
import { close, gate } from "../../../lib/gate.ts";
export function GET(c: Ctx): Result {
  close();
  return c.stream(async (s) => {
    await s.send("tick", "one");
    await gate.opened;
    await s.send("tick", "two");
  });
}
`,
  "app/late/page.ts": `import type { Ctx, Result } from "@fw/fw";
import * as h from "@fw/fw/h";
import { close, gate } from "../../lib/gate.ts";
export function Page(c: Ctx): Result {
  close();
  c.title = "Late";
  return h.main(h.p("early part"), c.defer(gate.opened.then(() => h.p("late part")), h.p("soon")));
}
`,
  "app/api/socket/route.ts": `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  const { socket, response } = c.upgrade();
  socket.addEventListener("message", (event) => socket.send("echo " + event.data));
  return response;
}
`,
};

export const host = "shop.example";

export async function makeApp(folder: string): Promise<{ cwd: string; command: string }> {
  await runCli(["new", "shop"], { cwd: folder });
  const cwd = join(folder, "shop");
  await writeFiles(cwd, files);
  const { code, stderr } = await runCli(["gen"], { cwd });
  if (code !== 0) throw new Error(stderr);
  const command = commandOf(JSON.parse(await Deno.readTextFile(join(cwd, "deno.json"))), "start");
  return { cwd, command: command ?? "" };
}

/** Starts an instance with the guide's settings for a proxy on the same machine. */
export async function startInstance(
  app: { readonly cwd: string; readonly command: string },
  port: number,
): Promise<RunningApp> {
  const running = startApp(app.command, {
    cwd: app.cwd,
    env: {
      ADDR: `127.0.0.1:${port}`,
      FW_SECRET: "x".repeat(48),
      FW_ALLOWED_HOSTS: host,
      FW_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  await running.url();
  return running;
}

/** Returns why a test that needs programs cannot run here; `undefined` if it can. */
export async function reasonWithout(...programs: readonly string[]): Promise<string | undefined> {
  const missing = await reasonWithoutPrograms(...programs);
  if (missing !== undefined) return missing;
  // The client of these tests must not have the proxy's own address.
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return undefined;
  } catch {
    return "this machine has no IPv6 loopback";
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | string;
  /** Receives the body so far, for each chunk. */
  readonly onText?: (text: string) => void;
}

/**
 * Sends requests to the proxy from the IPv6 loopback, so the client's address differs from the
 * proxy's.
 */
export class ProxyClient {
  readonly #port: number;
  readonly #ca: string;

  constructor(port: number, ca: string) {
    this.#port = port;
    this.#ca = ca;
  }

  ask(path: string, question: Question = {}): Promise<Answer> {
    const { method = "GET", headers = {}, body, onText } = question;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asked = request({
      host: "::1",
      port: this.#port,
      servername: host,
      ca: this.#ca,
      agent: false,
      path,
      method,
      headers: {
        host,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        onText?.(text);
      });
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    asked.on("error", reject);
    asked.end(body);
    return promise;
  }
}
