/** The events example, served for the browser suites. */
import { type TestAppOptions, withApp } from "../../../examples/events/tests/app.ts";
import { withServer } from "../browser.ts";

/** Serves the events example while a test runs, without an API key or settings. */
export async function withSite(
  run: (url: string) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  await withApp(
    (app) => withServer((request, info) => app.fetch(request, info), run),
    options,
  );
}
