/** An application whose replicas share their state, behind the nginx of `generate serve`. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { runCli, writeFiles } from "../../cli/support.ts";
import { type RunningApp, startApp } from "../../e2e/running_app.ts";

const files: Readonly<Record<string, string>> = {
  "app/setup.ts": `import { type Application, provideStores } from "@fw/fw";
import { type RedisClient, redisStores } from "@fw/fw/redis";
import { openSqlite, sqliteStores } from "@fw/fw/sqlite";
import { Redis } from "npm:ioredis@6.0.0";

let close: () => unknown = () => {};

export async function Setup(app: Application): Promise<void> {
  const url = Deno.env.get("REDIS_URL");
  if (url === undefined) {
    const db = await openSqlite(Deno.env.get("STORES") ?? "");
    close = () => db.close();
    return provideStores(app, sqliteStores(db));
  }
  const client: unknown = new Redis(url);
  close = () => (client as Redis).disconnect();
  provideStores(app, redisStores(client as RedisClient));
}

export async function Shutdown(): Promise<void> {
  await close();
}
`,
  "lib/shared.ts": `import { channel } from "@fw/fw";
import { createSessions } from "@fw/fw/auth";

export const sessions = createSessions({ stored: true });
export const Notes = channel<number>("notes");
`,
  "app/api/kind.ts": 'export const Kind = "api";\n',
  "app/api/sign-in/route.ts": `import type { Ctx, Result } from "@fw/fw";
import { sessions } from "../../../lib/shared.ts";
export async function POST(c: Ctx): Promise<Result> {
  await sessions.start(c, { subject: c.query("user") ?? "" });
  return c.noContent();
}
`,
  "app/api/me/middleware.ts": `import { sessions } from "../../../lib/shared.ts";
export const Middleware = sessions.require;
`,
  "app/api/me/route.ts": `import type { Ctx, Result } from "@fw/fw";
import { sessions } from "../../../lib/shared.ts";
export async function GET(c: Ctx): Promise<Result> {
  return c.json(200, { user: (await sessions.user(c))?.subject });
}
`,
  "app/api/notes/route.ts": `import { type Ctx, publish, type Result, subscribe } from "@fw/fw";
import { Notes } from "../../../lib/shared.ts";
export async function POST(c: Ctx): Promise<Result> {
  return c.json(201, await publish(c, Notes, Number(c.query("n"))));
}
export function GET(c: Ctx): Result {
  return c.stream(async (s) => {
    for await (const event of subscribe(c, Notes, { after: s.lastEventId, signal: s.signal })) {
      const { id } = event;
      if (event.kind === "message") await s.json("note", event.value, { id });
      else await s.json("gap", event.missed, { id });
    }
  });
}
`,
};

export async function makeSharedApp(folder: string): Promise<string> {
  await runCli(["new", "shop"], { cwd: folder });
  const cwd = join(folder, "shop");
  await writeFiles(cwd, files);
  for (const args of [["gen"], ["generate", "serve"]]) {
    const { code, stderr } = await runCli(args, { cwd });
    assertEquals([code, stderr], [0, ""]);
  }
  return cwd;
}

export async function startReplica(
  cwd: string,
  options: { readonly port: number; readonly env: Readonly<Record<string, string>> },
): Promise<RunningApp> {
  const running = startApp("deno run -A --no-lock --no-check fw_gen.ts", {
    cwd,
    env: {
      ADDR: `127.0.0.1:${options.port}`,
      FW_SECRET: "x".repeat(48),
      FW_ALLOWED_HOSTS: "127.0.0.1",
      FW_TRUSTED_PROXIES: "127.0.0.1",
      FW_REPLICAS: "2",
      ...options.env,
    },
  });
  await running.url();
  return running;
}

/** Returns the generated nginx file for two ports of this machine. */
export async function readGeneratedNginx(
  cwd: string,
  { listen, instances }: { readonly listen: number; readonly instances: readonly number[] },
): Promise<string> {
  const text = await Deno.readTextFile(join(cwd, "deploy/nginx.conf"));
  assert(text.includes("listen 80;") && text.includes("listen [::]:80;"));
  return text.replaceAll(/127\.0\.0\.1:300([12])\b/g, (_, n) => `127.0.0.1:${instances[n - 1]}`)
    .replace("listen 80;", `listen 127.0.0.1:${listen};`)
    .replace("listen [::]:80;", `listen [::1]:${listen};`);
}
