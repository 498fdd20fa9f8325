/** The events example, served for the browser suites. */
import { type TestAppOptions, withApp } from "../../../examples/events/tests/app.ts";
import { withServer } from "../browser.ts";

/** Serves the events example, without a key or a setting of its own, for as long as a test runs. */
export async function withSite(
  run: (url: string) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  await withApp(
    (app) => withServer((request, info) => app.fetch(request, info), run),
    options,
  );
}
