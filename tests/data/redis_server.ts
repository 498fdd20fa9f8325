/** A server of Debian's Redis for the tests: in a folder of its own, on a free loopback port. */
import { freePort } from "../free_port.ts";

/** A running server. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Why tests with Redis cannot run here; `undefined` where they can. */
export const noRedis: string | undefined = findRedis() ? undefined : "no redis-server";

function findRedis(): boolean {
  try {
    return Deno.statSync("/usr/bin/redis-server").isFile;
  } catch {
    return false;
  }
}

/** Starts a server. Nothing of it outlives the disposal. @param settings Such as `--maxmemory 4mb`. */
export async function startRedis(
  { port = freePort(), settings = [] }: { port?: number; settings?: readonly string[] } = {},
): Promise<RedisServer> {
  const folder = await Deno.makeTempDir({ prefix: "fw_redis_" });
  const child = new Deno.Command("/usr/bin/redis-server", {
    args: [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder],
      ...["--save", "", "--appendonly", "no", ...settings],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let isEnded = false;
  const status = child.status.finally(() => void (isEnded = true));
  for (;;) {
    if (isEnded) throw new Error("Cannot start redis-server");
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return {
    port,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      if (!isEnded) child.kill("SIGKILL");
      await status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
