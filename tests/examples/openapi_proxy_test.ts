// test: site, runs Prism with Node and sets variables of the demo
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { withApp } from "../../examples/events/tests/app.ts";
import { testUnless } from "../../tools/skip.ts";
import { checkout } from "../cli/describe/openapi_app.ts";
import { freePort } from "../free_port.ts";

const prism = "@stoplight/prism-cli@5.16.0";
const apiKey = "0123456789abcdef0123456789abcdef";
const authorization = `Bearer ${apiKey}`;

/** Returns the program; `undefined` if it is not installed, since that takes a minute. */
async function findProxy(): Promise<string | undefined> {
  try {
    const args = ["--offline", "-y", "-p", prism, "-c", "command -v prism"];
    const { success, stdout } = await new Deno.Command("npx", { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

const program = await findProxy();
const reason = program === undefined ? `install it by "npx -y ${prism} --version"` : undefined;

const calls: readonly [method: string, path: string, init: RequestInit, status: number][] = [
  ["GET", "/api/events", {}, 200],
  ["GET", "/api/events?category=music&per_page=3&page=2", {}, 200],
  ["GET", "/api/events/soup-exchange", {}, 200],
  ["GET", "/api/events/nope", {}, 404],
  ["GET", "/api/partners/events", { headers: { authorization } }, 200],
  ["GET", "/events/soup-exchange/cover.svg", {}, 200],
  ["GET", "/events/soup-exchange/calendar.ics", {}, 200],
  ["GET", "/events/soup-exchange/invitation.txt", {}, 200],
  ["GET", "/events/soup-exchange/programme", {}, 200],
];

testUnless(reason, {
  name: "openapi: Prism finds no difference between the demo and its document",
  fn: () =>
    withApp(async (app) => {
      const upstream = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        app.fetch,
      );
      const port = freePort();
      const document = join(checkout, "examples/events/openapi.json");
      const target = `http://127.0.0.1:${upstream.addr.port}`;
      const args = [program ?? "", "proxy", document, target, "--errors", "-p", `${port}`];
      const proxy = new Deno.Command("node", { args, stdout: "null", stderr: "null" }).spawn();
      try {
        const origin = `http://127.0.0.1:${port}`;
        await answers(`${origin}/api/events`);
        for (const [method, path, init, status] of calls) {
          const response = await fetch(origin + path, { method, redirect: "manual", ...init });
          const text = await response.text();
          assertEquals(
            [response.status, response.headers.get("sl-violations")],
            [status, null],
            text,
          );
        }
      } finally {
        proxy.kill("SIGTERM");
        await proxy.status;
        await upstream.shutdown();
      }
    }, { apiKey }),
});

/** Waits for the proxy, at most a minute. */
async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      await (await fetch(url)).body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Deno.errors.TimedOut("the proxy does not answer");
}
