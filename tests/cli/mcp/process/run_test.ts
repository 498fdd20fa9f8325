import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runBounded } from "../../../../cli/mcp/run.ts";

const program = `const child = new Deno.Command("setsid", {
  args: ["sleep", "60"],
  stdin: "null",
  stdout: "inherit",
  stderr: "inherit",
}).spawn();
child.unref();
console.log("pid " + child.pid);
`;

Deno.test({
  name: "runBounded: does not wait for a child that left the process group",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const startMs = performance.now();
    const { code, stdout, stopped } = await runBounded(
      ["run", "-A", "--no-check", "--ext=ts", "-"],
      {
        cwd: await Deno.realPath("."),
        input: program,
        timeoutMs: 50_000,
        signal: new AbortController().signal,
      },
    );
    const tookMs = performance.now() - startMs;
    const pid = Number(/pid (\d+)/.exec(stdout)?.[1]);
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
    assertEquals([code, stopped], [0, undefined]);
    assertStringIncludes(stdout, "pid ");
    assert(tookMs < 45_000, `${tookMs} ms`);
  },
});
