import { assert } from "@std/assert";
import { writtenPaths } from "../../cli/describe/ctx/map.ts";
import { parsePolicy } from "../../cli/describe/policy/policy.ts";
import { createMatcher } from "../../cli/project/routes/match.ts";
import { frameworkEntry } from "../../cli/project/sources/module_names.ts";
import { cpuMs } from "../cpu_time.ts";

/** Reads of text that an unknown clone holds. */
const reads: Readonly<Record<string, () => unknown>> = {
  "parsePolicy of a name without an end": () => parsePolicy(`A /${"a".repeat(200_000)}\u2028`),
  "frameworkEntry of repeated packages": () => frameworkEntry(`${"/@fw/fw//".repeat(50_000)}\n/`),
  "createMatcher of slashes inside a path": () => createMatcher([])(`/a${"/".repeat(200_000)}b`),
  "writtenPaths of queries across lines": () => writtenPaths(`"/${"?".repeat(200_000)}\u2028"`),
};

for (const [title, read] of Object.entries(reads)) {
  Deno.test(`${title} takes time linear in its input`, () => {
    const startMs = cpuMs();
    read();
    assert(cpuMs() - startMs < 2_000);
  });
}
