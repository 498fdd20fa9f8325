/**
 * Serves a scripted model on a free port, which it prints: `deno run -A bench/ai/model_process.ts 1000`. The
 * second replies start together, once so many clients wait for them. It ends with its standard input.
 *
 * @module
 */
import { scriptedModel } from "../../ai/testing.ts";

const count = Number(Deno.args[0] ?? 1);
const all = Promise.withResolvers<void>();
let asked = 0;

const script = scriptedModel(
  async ({ results }) => {
    if (results.length === 0) {
      return { toolCalls: [{ name: "look", arguments: { at: "x".repeat(200) } }] };
    }
    if (++asked === count) all.resolve();
    await all.promise;
    return "A word that comes slowly. ".repeat(40);
  },
  { pauseMs: 80, pieceChars: 64 },
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
