import { assertEquals } from "@std/assert";
import { createLogger } from "../../../mod.ts";
import { boot } from "../../../runtime/app/boot.ts";

const rows: readonly [name: string, setupMs: number, isLogged: boolean][] = [
  ["finishes in time", 0, false],
  ["takes longer", 50, true],
];

for (const [name, setupMs, isLogged] of rows) {
  Deno.test(`boot names a Setup that has not finished after ten seconds: ${name}`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (text) => void lines.push(text) });
    const Setup = () => new Promise<void>((resolve) => void setTimeout(resolve, setupMs));
    const { setTimeout } = globalThis;
    // Ten seconds take ten milliseconds.
    globalThis.setTimeout = ((run: () => void, ms: number) =>
      setTimeout(run, ms === 10_000 ? 10 : ms)) as typeof setTimeout;
    try {
      await using _app = await boot({ routes: [], setup: { Setup } }, { logger });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    assertEquals(
      lines.some((line) =>
        line.includes("Setup has not finished")
      ),
      isLogged,
    );
  });
}
