import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../tools/skip.ts";
import { cases, digestOf } from "./corpus.ts";
import { hasGo, type Outcome, type Recorded, recordUrl, runGo } from "./go_program.ts";
import { renderCase } from "./render_case.ts";

/** The codes that Go has names for; its other errors are one class. */
const escapeCodes: ReadonlySet<string> = new Set(
  ("ErrAmbigContext ErrBadHTML ErrBranchEnd ErrEndContext ErrNoSuchTemplate ErrOutputContext " +
    "ErrPartialCharset ErrPartialEscape ErrRangeLoopReentry ErrSlashAmbig ErrPredefinedEscaper")
    .split(" "),
);

/** What is compared: the output, or the code with Go's own words for it. */
function comparable({ out, code = "", description }: Outcome): Outcome {
  if (out !== undefined) return { out };
  return escapeCodes.has(code) && description !== undefined
    ? { code, description }
    : { code: "other" };
}

async function readRecorded(): Promise<Recorded> {
  return JSON.parse(await Deno.readTextFile(recordUrl));
}

function compare(outcomes: readonly Outcome[]): void {
  assertEquals(outcomes.length, cases.length);
  for (const [i, one] of cases.entries()) {
    const expected = comparable(outcomes[i] ?? {});
    assertEquals(comparable(renderCase(one)), expected, JSON.stringify(one).slice(0, 400));
  }
}

Deno.test("the corpus has at least 2,000 cases, and the recorded outputs belong to it", async () => {
  const recorded = await readRecorded();
  assert(cases.length >= 2_000, `${cases.length}`);
  assertEquals(recorded.digest, await digestOf(cases), "run tests/tmpl/go_program.ts");
});

Deno.test("every case has the output of Go, byte for byte, or an error of the same code", async () => {
  compare((await readRecorded()).outcomes);
});

Deno.test("the corpus has every error code that Go gives, and outputs for each context", async () => {
  const { outcomes } = await readRecorded();
  const codes = new Set(outcomes.map(({ code }) => code));
  const never = ["ErrOutputContext", "ErrRangeLoopReentry"];
  const missing = [...escapeCodes].filter((code) => !codes.has(code));
  assertEquals(missing.filter((code) => !never.includes(code)), []);
  assert(outcomes.filter(({ out }) => out !== undefined).length >= 2_000);
});

testUnless(hasGo() ? undefined : "no go", {
  name: "a fresh run of Go gives what was recorded",
  fn: async () => {
    const [fresh, recorded] = [await runGo(cases), await readRecorded()];
    if (fresh.version === recorded.version) assertEquals(fresh.outcomes, recorded.outcomes);
    else console.log(`skipped: Go is ${fresh.version}, and ${recorded.version} was recorded`);
  },
});
