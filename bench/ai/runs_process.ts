/**
 * Runs many agents concurrently, as streams over real connections with a tool each, and prints the
 * memory of this process; the model has a separate process: `deno run -A bench/ai/runs_process.ts
 * 1000`.
 *
 * @module
 */
import { agent, AiClient, runStream, tool } from "../../ai/mod.ts";

const count = Number(Deno.args[0] ?? 1000);

const model = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--no-check", new URL("model_process.ts", import.meta.url).pathname]
    .concat(String(count)),
  stdin: "piped",
  stdout: "piped",
}).spawn();
const output = model.stdout.pipeThrough(new TextDecoderStream()).getReader();
const port = Number((await output.read()).value);
const client = new AiClient({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  model: "m",
  maxRetries: 0,
});
const look = tool({ name: "look", description: "Looks." }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return "found";
});
const helper = agent({ name: "helper", instructions: "Help.", tools: [look] });

const restBytes = Deno.memoryUsage().rss;
let peakBytes = restBytes;
let streaming = 0;
let most = 0;
const timer = setInterval(() => {
  peakBytes = Math.max(peakBytes, Deno.memoryUsage().rss);
}, 50);

await Promise.all(Array.from({ length: count }, async () => {
  let isStreaming = false;
  for await (const event of runStream(client, helper, "Go")) {
    if (event.kind === "text" && !isStreaming) {
      isStreaming = true;
      most = Math.max(most, ++streaming);
    }
    if (event.kind === "done" && event.result.status !== "done") throw new Error("not done");
  }
  streaming--;
}));
clearInterval(timer);
await model.stdin.close();
await output.cancel();
await model.status;
console.log(JSON.stringify({ restBytes, peakBytes, mostAtOnce: most }));
