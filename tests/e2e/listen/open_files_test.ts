import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { startWatched, type WatchedProcess } from "../../watched_process.ts";

const script = fromFileUrl(new URL("./server.ts", import.meta.url));

for (const listener of ["deno", "node"] as const) {
  Deno.test(`listener "${listener}": clients that use up the open files do not end the process`, async () => {
    await using server = startLimited(listener);
    const address = await readAddress(server);
    const url = `http://127.0.0.1:${address.port}/slow`;
    const slow = fetch(`${url}/3000`).then((response) => response.text());
    await server.saw("slow began");
    const clients = await connectMany(address);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const client of clients) client.close();
    assertEquals(await slow, "finished");
    const headers = { connection: "close" };
    const later = await retry(async () => (await fetch(`${url}/0`, { headers })).text());
    assertEquals(later, "finished", server.output());
    const output = server.output();
    assert(listener === "node" || output.includes("no connection can be accepted"), output);
    server.kill("SIGTERM");
    assertEquals((await server.ended()).code, 0, server.output());
  });
}

Deno.test("a process whose port another one took, while it had no file to open, ends and says so", async () => {
  await using server = startLimited("deno");
  const address = await readAddress(server);
  const clients = await connectMany(address);
  const taken = await retry(() => Promise.try(() => Deno.listen(address)));
  for (const client of clients) client.close();
  assertEquals((await server.ended()).code, 1, server.output());
  taken.close();
  const output = server.output();
  assert(output.includes("another program uses that port"), output);
  assert(output.includes("Shutdown ran"), output);
});

function startLimited(listener: string): WatchedProcess {
  return startWatched("sh", {
    args: ["-c", `ulimit -n 64; exec "$0" run --no-check -A ${script} 5000 ${listener}`].concat(
      Deno.execPath(),
    ),
    env: { PORT: "", ADDR: "127.0.0.1:0", FW_ENV: "", FW_DEV_READY: "", FW_SECRET: "" },
  });
}

async function readAddress(server: WatchedProcess): Promise<Deno.ConnectOptions> {
  return { hostname: "127.0.0.1", port: Number(new URL(await server.url()).port) };
}

async function connectMany(address: Deno.ConnectOptions): Promise<readonly Deno.Conn[]> {
  const clients = await Promise.allSettled(
    Array.from({ length: 100 }, () => Deno.connect(address)),
  );
  return clients.flatMap((client) => client.status === "fulfilled" ? [client.value] : []);
}

async function retry<T>(work: () => Promise<T>, tries = 25): Promise<T> {
  for (;; tries--) {
    try {
      return await work();
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
