/** The events example, served for the browser suites. */
import { type TestAppOptions, withApp } from "../../../examples/events/tests/app.ts";

/** Serves the events example, without a key or a setting of its own, for as long as a test runs. */
export async function withSite(
  run: (url: string) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  await withApp(async (app) => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request, info) => app.fetch(request, info),
    );
    try {
      await run(`http://127.0.0.1:${server.addr.port}`);
    } finally {
      await server.shutdown();
    }
  }, options);
}
