/** The log on standard output that cannot take all of it at once. */
import { assertEquals } from "@std/assert";
import { createLogger } from "../../../../mod.ts";
import { flushLines } from "../../../../runtime/telemetry/log_sink.ts";

const { WouldBlock } = Deno.errors;
const rows: readonly [name: string, fails: number, error: Error, isWritten: boolean][] = [
  ["that is full for a moment", 20, new WouldBlock("full"), true],
  ["that stays full for five seconds", Infinity, new WouldBlock("full"), false],
  ["that is closed", 1, new Deno.errors.BrokenPipe("closed"), false],
];

for (const [name, fails, error, isWritten] of rows) {
  Deno.test(`the log is ${isWritten ? "whole" : "given up"} on an output ${name}`, () => {
    const { writeSync } = Deno.stdout;
    const told = console.error;
    const { wait } = Atomics;
    let waits = 0;
    let failed = 0;
    let written = "";
    console.error = () => {};
    Atomics.wait = () => (waits++, "timed-out");
    Deno.stdout.writeSync = (bytes) => {
      if (failed++ < fails) throw error;
      // A pipe may take a part of the bytes.
      const taken = bytes.subarray(0, 10);
      written += new TextDecoder().decode(taken);
      return taken.length;
    };
    try {
      createLogger().info("started");
      flushLines();
    } finally {
      Deno.stdout.writeSync = writeSync;
      Atomics.wait = wait;
      console.error = told;
    }
    assertEquals(written.endsWith('"msg":"started"}\n'), isWritten);
    assertEquals(waits, error instanceof WouldBlock ? Math.min(fails, 5_000) : 0);
  });
}
