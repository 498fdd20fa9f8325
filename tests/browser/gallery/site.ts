/** The gallery of the component kit, served for the browser suites. */
import { createLogger } from "../../../mod.ts";
import { newApp } from "../../../examples/gallery/fw_gen.ts";
import { sections } from "../../../examples/gallery/sections/mod.ts";
import { type Browser, type BrowserContext, type Page, withServer } from "../browser.ts";

export const paths: readonly string[] = [
  "/",
  ...sections.map(({ name }) => `/components/${name}`),
  "/parts/later",
  "/screens/orders",
  "/screens/sign-in",
  "/nowhere",
];

export async function withGallery(run: (url: string) => Promise<void>): Promise<void> {
  const app = await newApp({ logger: createLogger({ write: () => {} }) });
  await withServer(app.handler(), run);
}

export interface Visit {
  readonly page: Page;
  /** Warnings, errors and failed scripts. */
  readonly said: string[];
}

export type VisitOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

export async function visit(
  browser: Browser,
  options: VisitOptions,
  run: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(error.message));
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) said.push(message.text());
  });
  try {
    await run({ page, said });
  } finally {
    await context.close();
  }
}
