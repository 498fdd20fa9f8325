/**
 * Compares living islands with Preact: the time to add a row to a list of 1,000 in Chromium,
 * including layout.
 *
 * @module
 */
import { toFileUrl } from "@std/path";
import * as h from "../../html/mod.ts";
import { App, type Ctx, type Node } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import { type Page, withBrowser } from "../../tests/browser/browser.ts";
import { partsOf } from "../../runtime/render/island.ts";
import { median } from "../median.ts";
import island from "./fw.ts";

const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: at + 1, name: `Row ${at + 1}` }));
const [rounds, added, warmup] = [5, 40, 10];

/** Bundles the islands into a folder. */
async function bundle(folder: string): Promise<void> {
  const sources = ["fw.ts", "preact.ts"].map((name) => new URL(name, import.meta.url).pathname);
  const flags = ["--platform=browser", "--minify", "--code-splitting", `--outdir=${folder}`];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", ...flags, ...sources],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

function page(c: Ctx, src: string): Node {
  // Preact hydrates the same markup.
  const content = src === "/islands/fw.js" ? undefined : partsOf(island)?.view({ rows });
  return h.html(h.head(ui.head(c)), h.body(c.island(src, { rows }, content)));
}

/** Adds rows; returns the median time until the layout of each, in milliseconds. */
async function measure(tab: Page, url: string): Promise<number> {
  await tab.goto(url);
  await tab.locator("[data-fw-island-state=mounted]").waitFor();
  const times: number[] = await tab.evaluate(`(async () => {
    const times = [];
    const list = document.querySelector("ul");
    for (let at = 0; at < ${added + warmup}; at++) {
      const count = list.children.length;
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      const done = new Promise((resolve) => new MutationObserver((_, observer) => {
        if (list.children.length > count) resolve(observer.disconnect());
      }).observe(list, { childList: true }));
      document.querySelector("#add").click();
      await done;
      list.offsetHeight;
      times.push(performance.now() - start);
    }
    return times;
  })()`);
  return median(times.slice(warmup));
}

/** Runs the bench; returns its section of the report. */
export async function run(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "fw-bench-islands-" });
  const ratios: number[] = [];
  const all: Record<string, number[]> = { fw: [], preact: [] };
  try {
    await bundle(folder);
    const app = new App({
      logRequest: () => false,
      public: new URL("../../ui/files/", import.meta.url),
      mounts: { "/islands": toFileUrl(`${folder}/`) },
    }, { islands: { "/islands/fw.js": island } });
    for (const name of ["fw", "preact"]) {
      app.route({ pattern: `/${name}`, page: (c) => page(c, `/islands/${name}.js`) });
    }
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      app.handler(),
    );
    await withBrowser(async (browser) => {
      const tab = await browser.newPage();
      for (let round = 0; round < rounds; round++) {
        for (const [name, times] of Object.entries(all)) {
          times.push(await measure(tab, `http://127.0.0.1:${server.addr.port}/${name}`));
        }
        ratios.push((all.fw?.at(-1) ?? NaN) / (all.preact?.at(-1) ?? NaN));
      }
    }, { hasPageCache: true });
    await server.shutdown();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const line = (name: string, label: string): string =>
    `| ${label} | ${median(all[name] ?? []).toFixed(2)} ms |`;
  return `Adding a row to a list of 1,000, up to the layout, in Chromium; the median of ${rounds} rounds.

| | Time |
| --- | --- |
${line("fw", "living island")}
${line("preact", "Preact 11.2")}

Ratio to Preact: ${median(ratios).toFixed(2)}; the goal is at most 1.5.`;
}

if (import.meta.main) console.log(await run());
