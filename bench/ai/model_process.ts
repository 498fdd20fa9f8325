/**
 * Serves a scripted model on a free port, which it prints: `deno run -A bench/ai/model_process.ts`. It ends
 * with its standard input.
 *
 * @module
 */
import { scriptedModel } from "../../ai/testing.ts";

const script = scriptedModel(
  ({ results }) =>
    results.length === 0
      ? { toolCalls: [{ name: "look", arguments: { at: "x".repeat(200) } }] }
      : "A word that comes slowly. ".repeat(40),
  { pauseMs: 20 },
);
const server = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: () => {} },
  async (request) => await script.respond(await request.text()),
);
console.log(server.addr.port);
for await (const _ of Deno.stdin.readable) {
  // Nothing comes: the parent's end closes it.
}
Deno.exit(0);
