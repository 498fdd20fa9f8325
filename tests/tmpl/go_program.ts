/**
 * Runs Go on the corpus. As a program it records Go's output: `deno run -A
 * tests/tmpl/go_program.ts`
 */
import { fromFileUrl } from "@std/path";
import { type Case, cases, digestOf } from "./corpus.ts";

/** The outcome of a case: a text, or an error code. */
export interface Outcome {
  readonly out?: string;
  readonly code?: string;
  readonly description?: string;
  readonly line?: number;
}

export interface Recorded {
  readonly version: string;
  readonly digest: string;
  readonly outcomes: readonly Outcome[];
}

export const recordUrl: URL = new URL("go_outputs.json", import.meta.url);

const program = fromFileUrl(new URL("go/main.go", import.meta.url));

/** Returns the installed version of Go, such as `go1.19.8`; `undefined` for none. */
export function goVersion(): string | undefined {
  try {
    const { stdout } = new Deno.Command("go", { args: ["env", "GOVERSION"] }).outputSync();
    return new TextDecoder().decode(stdout).trim();
  } catch {
    return undefined;
  }
}

export async function runGo(corpus: readonly Case[]): Promise<Recorded> {
  const command = new Deno.Command("go", {
    args: ["run", program],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
    env: { GOFLAGS: "-mod=mod", GO111MODULE: "off" },
  });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(corpus)));
  await writer.close();
  const { stdout, success } = await child.output();
  if (!success) throw new Error("Cannot render the corpus: the Go program failed, see above");
  const { version, outcomes } = JSON.parse(new TextDecoder().decode(stdout)) as Recorded;
  return { version, digest: await digestOf(corpus), outcomes };
}

if (import.meta.main) {
  const recorded = await runGo(cases);
  const rows = recorded.outcomes.map((outcome) => JSON.stringify(outcome)).join(",\n");
  const { version, digest } = recorded;
  await Deno.writeTextFile(
    recordUrl,
    `{"version":"${version}","digest":"${digest}","outcomes":[\n${rows}\n]}\n`,
  );
  console.log(`${recorded.outcomes.length} outcomes of ${version}`);
}
