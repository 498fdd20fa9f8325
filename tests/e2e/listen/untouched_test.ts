import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { startWatched } from "../../watched_process.ts";

Deno.test("listenAndServe loads no module of Node and starts no timer before the first response", async () => {
  const script = fromFileUrl(new URL("./untouched_server.ts", import.meta.url));
  await using server = startWatched(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", "-A", script],
    env: { ADDR: "", PORT: "", FW_ENV: "prod", FW_SECRET: "s".repeat(32), FW_DEV_READY: "" },
  });
  const response = await fetch(await server.url());
  assertStringIncludes(await response.text(), "<p></p>");
});

Deno.test("a script that creates an application ends after its last statement", async () => {
  const code = `
    const { timeout } = AbortSignal;
    let clock;
    AbortSignal.timeout = (ms) => clock = timeout.call(AbortSignal, ms);
    const { boot } = await import("${new URL("../../../mod.ts", import.meta.url)}");
    await boot({ routes: [], setup: { Setup: () => Promise.resolve() } });
    addEventListener("unload", () => console.log("aborted:", clock.aborted));`;
  const script = new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    cwd: new URL("../../..", import.meta.url),
    env: { FW_DEV_READY: "", NO_COLOR: "1" },
  });
  const { stdout, stderr } = await script.output();
  assertEquals(
    new TextDecoder().decode(stdout),
    "aborted: false\n",
    new TextDecoder().decode(stderr),
  );
});
