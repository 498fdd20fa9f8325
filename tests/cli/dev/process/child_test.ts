import { assertEquals } from "@std/assert";
import { startChild } from "../../../../cli/dev/child.ts";
import { inProject } from "../../support.ts";

// More than a pipe can hold.
const program = `for (let line = 0; line < 300; line++) console.error("x".repeat(1_024));
Deno.exit(3);
`;

Deno.test("startChild keeps reading if it cannot print the output", () =>
  inProject({ "fw_gen.ts": program }, async (root) => {
    let tries = 0;
    const child = startChild({
      root,
      env: {},
      hasColours: false,
      onOutput: () => {
        tries++;
        throw new Deno.errors.BrokenPipe("the terminal is closed");
      },
    });
    const guard = setTimeout(() => void child.stop(0), 90_000);
    try {
      assertEquals(await child.started, undefined);
      const end = await child.ended;
      assertEquals([end.code, end.signal, tries > 1], [3, undefined, true]);
    } finally {
      clearTimeout(guard);
      await child.stop(0);
    }
  }));
