/**
 * Export bench: the time to export a site of 1,000 pages, with the command in a separate project,
 * and with `app.export` and Hono's `toSSG` for the same pages in one process. Run it by `deno run
 * -A bench/export/main.ts`.
 *
 * @module
 */
import * as fs from "node:fs/promises";
import { fromFileUrl, join } from "@std/path";
import { Hono } from "npm:hono@4.13.19";
import { ssgParams, toSSG } from "npm:hono@4.13.19/ssg";
import * as h from "../../html/mod.ts";
import { App, type Ctx, Off } from "../../mod.ts";
import { median } from "../median.ts";
import { cliArgs, inTemporaryFolder, tableRows, type TimedRow, writeProject } from "../project.ts";

const pageCount = 1_000;
const rounds = 5;

/**
 * Runs the bench.
 *
 * @returns The section of the results, in Markdown.
 */
export async function run(): Promise<string> {
  return await inTemporaryFolder(async (dir) =>
    format([...await peerRows(dir), ...await commandRows(join(dir, "project"))])
  );
}

function format(rows: readonly TimedRow[]): string {
  const lines = tableRows(rows, (ms) => `${Number((ms / 1_000).toFixed(2))} s`);
  const size = (new TextEncoder().encode(h.render(pageNode(0, ""))).length / 1_024).toFixed(1);
  return [
    "## Static export",
    "",
    `${pageCount} pages of ${size} KB with ${linksPerPage} links each; medians of ${rounds} rounds, taken in turn.`,
    "Only fw checks the links, hashes code for the policy of each page and compares with what is there.",
    "",
    "| | median | ratio | budget |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

const linksPerPage = 30;

/** Returns a page with links to others, a script and a table. */
function pageNode(index: number, nonce: string): h.Node {
  return h.html(
    h.head(
      h.meta(h.charset("utf-8")),
      h.title(`Page ${index}`),
      h.script(nonce === "" ? null : h.nonce(nonce), h.raw("document.documentElement.id = 'js';")),
    ),
    h.body(
      h.nav(
        h.map(
          Array.from({ length: linksPerPage }, (_, i) => (index + i) % pageCount),
          (other) => h.a(h.href(`/p/${other}`), h.class("link"), `To page ${other}`),
        ),
      ),
      h.table(
        h.map(
          Array.from({ length: 60 }, (_, i) => i),
          (row) =>
            h.tr(
              h.td(row),
              h.td(`Cell of row ${row} & page ${index}`),
              h.td("Some text of a usual length"),
            ),
        ),
      ),
    ),
  );
}

async function peerRows(dir: string): Promise<TimedRow[]> {
  const app = new App({ logRequest: Off });
  app.route({
    pattern: "/p/{id}",
    page: (c: Ctx) => pageNode(Number(c.param("id")), c.nonce),
    paths: () => Array.from({ length: pageCount }, (_, id) => ({ id })),
  });
  const hono = new Hono();
  const params = ssgParams(() =>
    Array.from({ length: pageCount }, (_, id) => ({ id: String(id) }))
  );
  hono.get(
    "/p/:id",
    params,
    (c) => c.html(`<!doctype html>${h.render(pageNode(Number(c.req.param("id")), ""))}`),
  );
  const times = { hono: [] as number[], first: [] as number[], second: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const [theirs, ours] = [join(dir, `hono${round}`), join(dir, `fw${round}`)];
    times.hono.push(
      await time(async () => {
        const result = await toSSG(hono, fs, { dir: theirs, concurrency: 8 });
        if (!result.success) throw result.error;
      }),
    );
    times.first.push(await time(() => app.export(ours)));
    times.second.push(await time(() => app.export(ours)));
  }
  return [
    { what: "Hono `toSSG`", ms: median(times.hono) },
    { what: "`app.export`, first", ms: median(times.first) },
    { what: "`app.export`, again without changes", ms: median(times.second) },
  ];
}

async function commandRows(root: string): Promise<TimedRow[]> {
  await writeSite(root);
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await Deno.remove(join(root, "dist"), { recursive: true }).catch(() => {});
    for (const times of [first, second]) {
      times.push(
        await time(async () => {
          const { code, stderr } = await new Deno.Command(Deno.execPath(), {
            args: [...cliArgs, "export"],
            cwd: root,
            env: { NO_COLOR: "1" },
            stdin: "null",
          }).output();
          if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
        }),
      );
    }
  }
  return [
    { what: "`fw export`, first", ms: median(first), budgetMs: 10_000 },
    { what: "`fw export`, again without changes", ms: median(second), budgetMs: 2_000 },
  ];
}

async function writeSite(root: string): Promise<void> {
  const own = fromFileUrl(import.meta.url);
  await writeProject(root, {
    "app/p/id_/page.ts": `import type { Ctx, Node, PathParams } from "@fw/fw";
import * as h from "@fw/fw/h";
const pageCount = ${pageCount};
const linksPerPage = ${linksPerPage};
${
      /function pageNode[^]*?\n}\n/.exec(await Deno.readTextFile(own))?.[0].replaceAll(
        "h.Node",
        "Node",
      )
    }
export const Paths = (): PathParams[] => Array.from({ length: pageCount }, (_, id) => ({ id }));
export const Page = (c: Ctx): Node => pageNode(Number(c.param("id")), c.nonce);
`,
  });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

if (import.meta.main) console.log(await run());
