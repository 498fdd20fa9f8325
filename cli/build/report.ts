/**
 * Says why there is no executable.
 *
 * @module
 */
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { baseArchiveOf, type CompileOutcome } from "./compile.ts";
import type { SmokeOutcome } from "./smoke.ts";

// Enough for a stack; what comes before it is seldom the reason.
const maxLines = 30;

/** Says that the base of every executable could not be had, and the ways out. */
export async function reportNoBase(
  outcome: CompileOutcome & { readonly kind: "no-base" },
  options: { readonly io: Io; readonly target: string; readonly root: string },
): Promise<number> {
  const { io, target, root } = options;
  const { build: texts } = messagesOf(io);
  const archive = await baseArchiveOf(target, root);
  io.stderr(
    `${texts.noBase(Deno.version.deno, target, outcome.reason)}\n${texts.noBaseWays(archive)}\n`,
  );
  return exitCodes.failure;
}

/** Says how an executable failed its test. */
export function reportSmoke(outcome: Exclude<SmokeOutcome, { kind: "passed" }>, io: Io): number {
  const { build: texts } = messagesOf(io);
  const isBroken = outcome.kind === "ended" || outcome.kind === "unstartable";
  const base = isBroken ? io.env["DENORT_BIN"] : undefined;
  const lines = [
    describe(outcome, io),
    ...("output" in outcome ? quote(outcome.output, texts.smokeOutput) : []),
    texts.smokeFix,
    ...(base === undefined || base === "" ? [] : [texts.smokeBase(base)]),
  ];
  io.stderr(`${lines.join("\n")}\n`);
  return exitCodes.failure;
}

function describe(outcome: Exclude<SmokeOutcome, { kind: "passed" }>, io: Io): string {
  const { build: texts } = messagesOf(io);
  switch (outcome.kind) {
    case "ended":
      return texts.smokeEnded(outcome.code);
    case "silent":
      return texts.smokeSilent(outcome.timeoutMs / 1_000);
    case "refused":
      return texts.smokeRefused(outcome.path, outcome.status);
    case "differs":
      return texts.smokeDiffers(outcome.path);
    case "unstartable":
      return texts.smokeUnstartable(outcome.reason);
  }
}

/** The last lines of an output, indented below a title; nothing for no output. */
function quote(output: string, title: string): string[] {
  const lines = output.trim().split("\n").slice(-maxLines);
  return lines.join("") === "" ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
