/** A server of Debian's Redis for the tests, on a free loopback port, which keeps nothing. */
import { freePort } from "../free_port.ts";

/** A running server. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
}

const program = "/usr/bin/redis-server";

/** Why tests with Redis cannot run here; `undefined` where they can. */
export const noRedis: string | undefined = hasProgram() ? undefined : "no redis-server";

function hasProgram(): boolean {
  try {
    return Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/** Starts a server. Nothing of it outlives the disposal. */
export async function startRedis(): Promise<RedisServer> {
  const port = freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"];
  const child = new Deno.Command(program, { args, stdin: "null", stdout: "piped", stderr: "null" })
    .spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let log = "";
  while (!log.includes("Ready to accept connections")) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`Cannot start redis-server: ${log}`);
    log += value;
  }
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      while (!(await lines.read()).done);
      await child.status;
    },
  };
}
