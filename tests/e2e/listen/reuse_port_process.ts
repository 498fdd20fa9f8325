/** Prints which of two applications on one port responded; runs with `--unstable-net`. */
import { App } from "../../../mod.ts";
import { listen, listenSettings, requestText, sendRaw } from "../../security/raw_client.ts";

async function start(answer: string, addr: string): ReturnType<typeof listen> {
  const lines: string[] = [];
  const app = new App({ ...listenSettings(lines), reusePort: true, addr });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, answer) } });
  return await listen(app, lines);
}

await using one = await start("one", "127.0.0.1:0");
await using _two = await start("two", `127.0.0.1:${one.port}`);
const seen = new Set<string>();
// The client's port decides which application gets the connection: half go to each.
for (let n = 0; n < 200 && seen.size < 2; n++) {
  seen.add((await sendRaw(one, requestText("GET /"))).body);
}
console.log([...seen].sort().join(" "));
