import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { startWatched } from "../../watched_process.ts";

const script = fromFileUrl(new URL("./server.ts", import.meta.url));

for (const listener of ["deno", "node"] as const) {
  Deno.test(`listener "${listener}": clients that use up the open files do not end the process`, async () => {
    await using server = startWatched("sh", {
      args: ["-c", `ulimit -n 64; exec "$0" run --no-check -A ${script} 5000 ${listener}`].concat(
        Deno.execPath(),
      ),
      env: { PORT: "", ADDR: "127.0.0.1:0", FW_ENV: "", FW_DEV_READY: "", FW_SECRET: "" },
    });
    const url = await server.url();
    const address = { hostname: "127.0.0.1", port: Number(new URL(url).port) };
    const slow = fetch(`${url}slow/3000`).then((response) => response.text());
    await server.saw("slow began");
    const clients = await Promise.allSettled(
      Array.from({ length: 100 }, () => Deno.connect(address)),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const client of clients) if (client.status === "fulfilled") client.value.close();
    assertEquals(await slow, "finished");
    const headers = { connection: "close" };
    const later = async (tries: number): Promise<string> => {
      try {
        return await (await fetch(`${url}slow/0`, { headers })).text();
      } catch (error) {
        if (tries === 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
        return later(tries - 1);
      }
    };
    assertEquals(await later(25), "finished", server.output());
    const output = server.output();
    assert(listener === "node" || output.includes("no connection can be accepted"), output);
    server.kill("SIGTERM");
    assertEquals((await server.ended()).code, 0, server.output());
  });
}
