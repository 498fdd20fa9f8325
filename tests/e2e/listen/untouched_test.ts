import { assertStringIncludes } from "@std/assert";
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
