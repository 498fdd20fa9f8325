import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { root } from "../../tools/workspace.ts";

const folder = join(root, "examples/events");

/** Reads to the end what an application logs, so that its writes never fail; tells its address. */
function followLog(
  stdout: ReadableStream<Uint8Array>,
): { url: Promise<string>; end: Promise<void> } {
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const follow = async (): Promise<void> => {
    let text = "";
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const [, address] = /"msg":"listening","url":"([^"]+)"/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    }
    reject(new Error(`Cannot find the address in what the demo wrote:\n${text}`));
  };
  return { url, end: follow() };
}

Deno.test({
  name: "demo: the task serves sample data from a new file with the permissions it names",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const name = `test_${crypto.randomUUID()}.sqlite`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["task", "demo"],
      cwd: root,
      env: { NO_COLOR: "1", PORT: "0", EVENTS_DB: join(folder, "data", name) },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const log = followLog(child.stdout);
    try {
      const response = await fetch(new URL("/events?q=fado", await log.url));
      assertEquals(response.status, 200);
      assert((await response.text()).includes("Fado Without a Microphone"));
    } finally {
      child.kill("SIGTERM");
      await child.status;
      await log.end;
    }
    const entries = await Array.fromAsync(Deno.readDir(join(folder, "data")));
    const files = entries.map((entry) => entry.name);
    // Shutdown closes the database: nothing of its journal is left beside it.
    assertEquals(files.filter((file) => file.startsWith(name)), [name]);
    await Deno.remove(join(folder, "data", name));
  },
});
