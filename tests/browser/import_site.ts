/**
 * An application whose import is a job with a progress bar, as in the guide of jobs, in a real
 * Chromium.
 */
import { assert, assertEquals } from "@std/assert";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { enqueue, job, jobProgress, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { App, createLogger, csrfInput, int, type Node, struct, subscribe } from "../../mod.ts";
import { h, pageRoute, ui, until } from "./kit/site.ts";
import { type Browser, type Page, withPage } from "./browser.ts";
import { routeOf } from "../routes.ts";

export interface ImportOptions {
  readonly rows: number;
  /** Called when half of the rows are imported, while the job waits for it. */
  readonly atHalf?: (page: Page, url: string) => Promise<void>;
}

/**
 * Imports rows while a page shows the progress bar. @returns The values that the bar had, in order.
 */
export async function tryImport(options: ImportOptions): Promise<readonly number[]> {
  const folder = await Deno.makeTempDir();
  const db = await openSqlite(`${folder}/app.sqlite`, { durability: "process" });
  await db.run`create table rows (n integer primary key) strict`;
  const watched = Promise.withResolvers<void>();
  const half = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const loadRows = job("load_rows", struct({ rows: int("required") }), async ({ rows }, run) => {
    await watched.promise;
    for (let done = 0; done < rows; done += 100) {
      run.signal.throwIfAborted();
      await db.tx(async () => {
        for (let n = done + 1; n <= done + 100; n++) await db.run`insert into rows values (${n})`;
      });
      await run.progress(done + 100, rows);
      if (options.atHalf === undefined || done + 100 !== rows / 2) continue;
      half[0].resolve();
      let isWaiting = true;
      half[1].promise.finally(() => isWaiting = false);
      // Of two consecutive calls only one is reported.
      while (isWaiting) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await run.progress(done + 100, rows);
      }
    }
  }, { timeoutMs: 600_000 });
  const bar = (done: number): Node =>
    h.div(
      h.id("import"),
      ui.progress("Import", 100 * done / options.rows),
      h.p(`${done} of ${options.rows} rows`),
    );
  const app = new App({
    logRequest: () => false,
    logger: createLogger({ write: () => {} }),
    secret: "a".repeat(32),
    public: new URL("../../ui/files/", import.meta.url),
  });
  await provideJobs(app, sqliteJobs(db), { jobs: [loadRows] });
  app.route(pageRoute("/imports", async (c) => [
    h.section(ui.live("/imports/progress"), bar(await db.one(int())`select count(*) from rows`)),
    h.form(h.method("post"), csrfInput(c), h.button("Import")),
  ], {
    POST: async (c) => {
      await enqueue(c, loadRows, { rows: options.rows }, { key: "rows" });
      return c.redirect("/imports");
    },
  }));
  app.route(routeOf("GET", "/imports/progress", (c) =>
    c.stream(async (s) => {
      const from = jobProgress(loadRows, "rows");
      const after = s.lastEventId || "0-0";
      for await (const event of subscribe(c, from, { after, signal: s.signal })) {
        if (event.kind !== "message") continue;
        const { id, value: { done, total } } = event;
        await s.send("message", h.render(bar(done)), { id });
        if (done === total) await s.done();
      }
    })));
  await app.startWork();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.handler());
  const url = `http://127.0.0.1:${server.addr.port}/imports`;
  try {
    const seen: number[] = [];
    await withPage(async (page) => {
      await page.exposeFunction("tell", (value: number) => void seen.push(value));
      await page.goto(url);
      await page.click("main button");
      await until(page, "globalThis.ui !== undefined");
      await page.evaluate(`{
        const told = () => tell(document.querySelector("#import progress").value);
        new MutationObserver(told).observe(document.body, { subtree: true, childList: true, attributes: true });
        told();
      }`);
      watched.resolve();
      if (options.atHalf !== undefined) {
        await half[0].promise;
        await options.atHalf(page, url);
        half[1].resolve();
      }
      const text = `${options.rows} of ${options.rows} rows`;
      await until(page, `document.querySelector("#import p").textContent === "${text}"`);
      assertEquals(await page.evaluate("document.querySelector('#import progress').value"), 100);
    });
    return seen;
  } finally {
    watched.resolve();
    half[1].resolve();
    await server.shutdown();
    await app.shutdown();
    await db.close();
    await Deno.remove(folder, { recursive: true });
  }
}

export async function readWithoutScript(browser: Browser, url: string): Promise<string | null> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  assert(await page.locator("#import progress").isVisible());
  const text = await page.textContent("#import p");
  await context.close();
  return text;
}
