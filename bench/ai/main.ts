/**
 * AI bench: the time to read a recorded stream of 5 MB, compared with `npm:openai`, and the memory
 * of 1,000 concurrent streamed runs.
 *
 * `deno run -A bench/ai/main.ts`
 *
 * @module
 */
import process from "node:process";
import OpenAI from "npm:openai@7.57.0";
import { AiClient, user } from "../../ai/mod.ts";
import { runDeno } from "../../tools/workspace.ts";
import { play, record, type Recording } from "./recording.ts";
import { median } from "../median.ts";

const ROUNDS = 9;
const WARM_ROUNDS = 3;
const RUNS = 1_000;

/** A way to read the recording; returns the number of characters of text. */
interface Contender {
  readonly name: string;
  read(): Promise<number>;
}

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export async function run(): Promise<string> {
  const recording = record();
  const times = await measure(contendersOf(recording), recording);
  const [own = 0, peer = 0] = [...times.values()].map(median);
  const growth = await measureGrowth(recording);
  const memory = await measureRuns();
  const megabytes = recording.bytes / 1e6;
  const speed = (ms: number): string => (megabytes / ms * 1000).toFixed(0);
  const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  return `## ai

A recorded stream of ${
    inMegabytes(recording.bytes)
  } in pieces of 4 KB, read to its end: processor time,
lower is better. Reading it 20 times more lets the process grow by ${inMegabytes(growth)}.

| Client | Time | MB a second |
|---|---|---|
| \`AiClient.stream\` | 1.00 | ${speed(own)} |
| \`npm:openai\` 7.57.0 | ${(peer / own).toFixed(2)} | ${speed(peer)} |

${RUNS} streamed runs of an agent with a tool at the same time, in one process:
${inMegabytes(memory.peakBytes)} at the peak, ${inMegabytes(memory.restBytes)} before.
`;
}

function contendersOf(recording: Recording): readonly Contender[] {
  const fetch = play(recording);
  const messages = [{ role: "user" as const, content: "Hi" }];
  const own = new AiClient({ baseUrl: "http://localhost/v1", apiKey: "x", model: "m", fetch });
  const peer = new OpenAI({ baseURL: "http://localhost/v1", apiKey: "x", fetch });
  return [
    {
      name: "fw",
      async read(): Promise<number> {
        let chars = 0;
        for await (const { content } of own.stream({ messages: [user("Hi")] })) {
          chars += content.length;
        }
        return chars;
      },
    },
    {
      name: "openai",
      async read(): Promise<number> {
        let chars = 0;
        const stream = await peer.chat.completions.create({ model: "m", messages, stream: true });
        for await (const chunk of stream) chars += chunk.choices[0]?.delta.content?.length ?? 0;
        return chars;
      },
    },
  ];
}

/** Measures the milliseconds of processor time per round for each contender. */
async function measure(
  contenders: readonly Contender[],
  { chars }: Recording,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    // The first contender alternates.
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, read } of order) {
      const start = process.cpuUsage();
      const found = await read();
      const { user, system } = process.cpuUsage(start);
      if (found !== chars) throw new Error(`${name} read ${found} of ${chars} characters`);
      if (round >= 0) times.get(name)?.push((user + system) / 1_000);
    }
  }
  return times;
}

/** Measures how much the process grows when it reads the recording repeatedly. */
async function measureGrowth(recording: Recording): Promise<number> {
  const [own] = contendersOf(recording);
  const before = Deno.memoryUsage().rss;
  for (let round = 0; round < 20; round++) await own?.read();
  return Math.max(0, Deno.memoryUsage().rss - before);
}

/** The memory of the runs, which have their own process. */
interface RunsMemory {
  readonly restBytes: number;
  readonly peakBytes: number;
}

async function measureRuns(): Promise<RunsMemory> {
  const { stdout } = await runDeno([
    "run",
    "-A",
    "--no-check",
    "bench/ai/runs_process.ts",
    String(RUNS),
  ]);
  const lines = stdout.trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "");
}

if (import.meta.main) console.log(await run());
