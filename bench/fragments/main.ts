/**
 * Compares the behaviour of pages of fw, Turbo 8 and htmx 4 in Chromium, row by row, and writes the
 * table of the guide `docs/fragments.md`.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { stop, transform } from "npm:esbuild@0.25.12";
import { script, swapScript } from "../../ui/files/mod.ts";
import { type Kit, kits, newPages, scripts } from "./pages.ts";
import { type Page, type Row, rows } from "./rows.ts";

/** The used members of the driver's browser. */
export interface Browser {
  createBrowserContext(): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
  close(): Promise<void>;
}

/** The driver, imported dynamically: its types would add browser globals to the project. */
const driver = "npm:puppeteer-core@24.43.1";

/** Starts an installed browser. */
export async function launch(name: "chromium" | "firefox"): Promise<Browser> {
  const { default: puppeteer } = await import(driver);
  return name === "firefox"
    ? puppeteer.launch({
      browser: "firefox",
      executablePath: findProgram(["firefox-esr", "firefox"]),
    })
    : puppeteer.launch({
      executablePath: findProgram(["chromium-headless-shell", "chromium", "google-chrome"]),
      args: ["--no-sandbox", "--disable-gpu"],
    });
}

/** Finds the first installed program; `""` if there is none. */
export function findProgram(names: readonly string[]): string {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  const paths = names.flatMap((name) => folders.map((folder) => `${folder}/${name}`));
  return paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  }) ?? "";
}

/** Tries rows with the pages of a kit or with given pages, each in a separate context. */
export async function tryRows(
  browser: Browser,
  { kit, rows, pages = newPages() }: {
    readonly kit: Kit;
    readonly rows: readonly Row[];
    readonly pages?: ReturnType<typeof newPages>;
  },
): Promise<readonly boolean[]> {
  const { app, state } = pages;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.handler());
  const results: boolean[] = [];
  try {
    for (const { run } of rows) {
      Object.assign(state, { count: 0, rows: [1, 2, 3] });
      state.asked.length = 0;
      state.waits.clear();
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      const open = async (name: string): Promise<void> => {
        await page.goto(`http://127.0.0.1:${server.addr.port}/${kit}/${name}`);
        // Waits for the script's parts, which load later.
        await new Promise((resolve) => setTimeout(resolve, 250));
      };
      results.push(await run({ kit, page, state, errors, open }).catch(() => false));
      await context.close();
    }
  } finally {
    await server.shutdown();
    await app.shutdown();
  }
  return results;
}

const kilobytes = (...texts: readonly string[]): string => {
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  return `${(bytes / 1024).toFixed(1)} KB`;
};

/** Runs the bench and writes the result into the guide. */
export async function run(): Promise<string> {
  const browser = await launch("chromium");
  try {
    const [own = [], ...others] = await Array.fromAsync(
      kits,
      async (kit) => await tryRows(browser, { kit, rows }),
    );
    const failed = rows.filter((_, at) => own[at] !== true);
    if (failed[0] !== undefined) throw new Error(`fw fails: ${failed[0].name}`);
    const isShared = (_: Row, at: number): boolean => others.every((column) => column[at] === true);
    const shared = rows.filter(isShared).map(({ name }) => name);
    const cells = rows.flatMap((row, at) =>
      isShared(row, at)
        ? []
        : [[row.name, ...others.map((column) => column[at] === true ? "yes" : "no")]]
    );
    const { code } = await transform(scripts["turbo.js"] ?? "", { minify: true });
    const lines = [
      ["Only some of them", "Turbo 8.0.23", "htmx 4.0.1"],
      ["-", "-", "-"],
      ...cells,
      ["size", kilobytes(code), kilobytes(scripts["htmx.js"] ?? "")],
    ];
    const table = lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
    const text = `All of this holds for fw (${kilobytes(script, swapScript)} of scripts). ` +
      `All three do the following:\n\n${shared.map((name) => `- ${name}\n`).join("")}\n${table}`;
    await writeGuide(text);
    return `## Fragments\n\n${text}\n`;
  } finally {
    await browser.close();
    await stop();
  }
}

const guide = new URL("../../docs/fragments.md", import.meta.url);
const [start, end] = ["<!-- compared -->", "<!-- /compared -->"];

/** Puts a text into the guide and formats it. */
async function writeGuide(text: string): Promise<void> {
  const old = await Deno.readTextFile(guide);
  const [before, , after] = old.split(new RegExp(`${start}|${end}`));
  if (after === undefined) {
    throw new Error(`Cannot write the comparison: the guide has no "${start}".`);
  }
  await Deno.writeTextFile(guide, `${before}${start}\n\n${text}\n\n${end}${after}`);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "-q", guide.pathname] }).output();
}

if (import.meta.main) console.log(await run());
