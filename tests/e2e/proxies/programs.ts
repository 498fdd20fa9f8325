/** Real proxies in a separate folder. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

/**
 * Writes the main configuration of nginx.
 *
 * @param folder Where nginx keeps everything.
 * @param site The content of its `http` block.
 * @returns The arguments of nginx.
 */
export async function writeNginxConfig(folder: string, site: string): Promise<string[]> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`);
  const path = join(folder, "nginx.conf");
  await Deno.writeTextFile(
    path,
    // Otherwise its workers run as the user nobody, who cannot write here.
    `${Deno.uid() === 0 ? "user root;\n" : ""}daemon off;
pid ${join(folder, "nginx.pid")};
error_log stderr warn;
events {}
http {
access_log off;
${temporary.join("\n")}
${site}}
`,
  );
  return ["-p", folder, "-c", path, "-e", "stderr"];
}

/** Starts a proxy and waits until it listens; it ends with the block. */
export async function startProxy(
  program: string,
  args: readonly string[],
  at: Deno.ConnectOptions,
  env: Record<string, string> = {},
): Promise<AsyncDisposable> {
  const child = new Deno.Command(program, {
    args: [...args],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  let isEnded = false;
  child.status.then(() => isEnded = true);
  while (!await isListening(at)) {
    assert(!isEnded, isEnded ? await errors : "");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    [Symbol.asyncDispose]: async () => {
      if (!isEnded) child.kill("SIGTERM");
      await child.status;
      await errors;
    },
  };
}

/** Makes a program check a configuration, and fails for any warning. */
export async function checkConfig(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, { args: [...args], env }).output();
  const said = new TextDecoder().decode(stderr);
  assertEquals([code, /\[(?:warn|error|emerg)\]/.test(said)], [0, false], said);
}

async function isListening(at: Deno.ConnectOptions): Promise<boolean> {
  try {
    (await Deno.connect(at)).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}
