/**
 * Validation bench: a 12-field object validated by fw and by other libraries, in one process, in
 * interleaved rounds.
 *
 * Run: `deno run -A bench/validate/main.ts`
 */
import { invalidInput, own, ownWithErrors, type Peer, peers, validInput } from "./peers.ts";
import { median } from "../median.ts";

const ROUNDS = 9;
const ROUND_MS = 60;

interface Timing {
  readonly peer: Peer;
  readonly ns: number;
}

/** Returns copies, so that no library benefits from repeated use of one object. */
function inputsFrom(input: unknown): readonly unknown[] {
  const text = JSON.stringify(input);
  return Array.from({ length: 64 }, () => JSON.parse(text));
}

/** Measures the nanoseconds per object in one round. */
function timeRound(validate: Peer["validate"], inputs: readonly unknown[]): number {
  let calls = 0;
  let messages = 0;
  const start = performance.now();
  let now = start;
  while (now - start < ROUND_MS) {
    for (const input of inputs) messages += validate(input);
    calls += inputs.length;
    now = performance.now();
  }
  if (messages < 0) throw new Error("unreachable");
  return (now - start) * 1e6 / calls;
}

function timeAll(all: readonly Peer[], input: unknown): readonly Timing[] {
  const inputs = inputsFrom(input);
  const rounds = new Map<Peer, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [peer, times] of rounds) {
      const ns = timeRound(peer.validate, inputs);
      // The first round is for warm-up.
      if (round > 0) times.push(ns);
    }
  }
  return [...rounds].map(([peer, times]) => ({ peer, ns: median(times) }));
}

function verify(all: readonly Peer[]): void {
  for (const { name, validate } of all) {
    const [valid, invalid] = [validate(validInput), validate(invalidInput)];
    const extra = validate({ ...validInput, admin: true });
    // typebox reports each part of a union.
    if (valid !== 0 || invalid < (name === "fw" ? 1 : 4) || extra === 0) {
      throw new Error(
        `Cannot compare "${name}": it gave ${valid}, ${invalid} and ${extra} messages.`,
      );
    }
  }
}

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios to fw; more is slower.
 */
export function run(): Promise<string> {
  const all = [own, ...peers(), ownWithErrors];
  verify(all);
  const valid = timeAll(all, validInput);
  const invalid = timeAll(all, invalidInput);
  const [ownValid, ownInvalid] = [valid[0]?.ns ?? 1, invalid[0]?.ns ?? 1];
  const rows = valid.map(({ peer, ns }, i) => {
    const ratios = [ns / ownValid, (invalid[i]?.ns ?? 0) / ownInvalid];
    return `| ${peer.name} | ${ratios.map((ratio) => ratio.toFixed(2)).join(" | ")} |`;
  });
  return Promise.resolve([
    "## Validation",
    "",
    `A parsed JSON object of 12 fields, unknown members refused; time an object against fw = 1.00, ` +
    `median of ${ROUNDS} interleaved rounds (fw: ${ownValid.toFixed(0)} ns valid, ` +
    `${ownInvalid.toFixed(0)} ns with four errors).`,
    "",
    "| | valid | four errors |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n"));
}

if (import.meta.main) console.log(await run());
