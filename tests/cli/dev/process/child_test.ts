import { assertEquals } from "@std/assert";
import { startChild } from "../../../../cli/dev/child.ts";
import { parseDeathReport } from "../../../../cli/project/process/failure.ts";
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

const deep = `import { descend } from "data:text/javascript,
  export function descend(n) { if (n === 0) throw new Error('far'); descend(n - 1); }";
descend(20);
`.replace(",\n  ", ",");

Deno.test("startChild: the stack of an error deep in a library reaches the application's call", () =>
  inProject({ "fw_gen.ts": deep }, async (root) => {
    const child = startChild({ root, env: {}, hasColours: false, onOutput: () => {} });
    const { message } = await child.ended;
    const { place } = parseDeathReport(message, root);
    assertEquals(place, { file: "fw_gen.ts", line: 2, column: 1 }, message);
  }));
