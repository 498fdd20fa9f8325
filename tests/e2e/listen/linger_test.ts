import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startServer } from "./process.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`${signal}: a timer of the application keeps the process for two seconds, which is reported`, async () => {
    await using server = startServer(["5000", "timer"]);
    await server.url();
    const startMs = performance.now();
    server.kill(signal);
    assertEquals((await server.ended()).code, 0);
    const tookMs = performance.now() - startMs;
    assert(tookMs > 1_900, `${tookMs}`);
    const output = server.output();
    assertStringIncludes(output, "something was still open after the shutdown, such as a timer");
    assert(output.indexOf("listenAndServe came back") < output.indexOf("still open"), output);
  });
}

Deno.test("app.shutdown() does not end the process", async () => {
  await using server = startServer(["5000", "timer", "self-stop"]);
  await server.saw("listenAndServe came back");
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert(!server.output().includes("still open"), server.output());
  server.kill("SIGKILL");
  await server.ended();
});
