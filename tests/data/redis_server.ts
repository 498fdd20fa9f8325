/** A server of Debian's Redis for the tests, in its own folder, on a free loopback port. */
import { freePort } from "../free_port.ts";

export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** Kills the server, waits, and restarts it with its data on disk. */
  restart(pauseMs?: number): Promise<void>;
}

/** The reason why tests with Redis cannot run here; `undefined` if they can. */
export const noRedis: string | undefined = findRedis() ? undefined : "no redis-server";

function findRedis(): boolean {
  try {
    return Deno.statSync("/usr/bin/redis-server").isFile;
  } catch {
    return false;
  }
}

export async function startRedis(
  { port = freePort(), settings = [] }: { port?: number; settings?: readonly string[] } = {},
): Promise<RedisServer> {
  const folder = await Deno.makeTempDir({ prefix: "fw_redis_" });
  const start = async (): Promise<{ child: Deno.ChildProcess; status: Promise<unknown> }> => {
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
        return { child, status };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  let running = await start();
  const stop = async (): Promise<void> => {
    try {
      running.child.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
    await running.status;
  };
  return {
    port,
    get pid() {
      return running.child.pid;
    },
    restart: async (pauseMs = 0) => {
      await stop();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      running = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
