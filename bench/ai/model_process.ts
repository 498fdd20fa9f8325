/**
 * Serves a scripted model on a free port, which it prints: `deno run -A bench/ai/model_process.ts 1000`. The
 * second replies start together, once that many clients are waiting. The process ends when its standard
 * input closes.
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
  // No input arrives; it closes when the parent process ends.
}
Deno.exit(0);
