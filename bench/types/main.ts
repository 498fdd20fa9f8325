/**
 * Types bench: the cost of the generated types for editors and releases. It measures the compiler
 * for an application with 500 routes with typed parameters and links, compared with a single route,
 * and for 500 routes with typed bodies and queries. Run it by `deno run -A bench/types/main.ts`.
 *
 * @module
 */
import { fromFileUrl, join } from "@std/path";
import { runGenerators } from "../../cli/gen/generate.ts";
import { createProject } from "../../cli/project/project.ts";

const checkout = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");
const rounds = 5;

/** Runs the bench; returns the section of the results, in Markdown. */
export async function run(): Promise<string> {
  const one = await checkMs(1);
  const many = await checkMs(500);
  const untyped = await checkMs(500, "untyped");
  const typed = await checkMs(500, "typed");
  return [
    "## Types",
    "",
    `\`deno check fw_gen.ts\` with nothing cached by the check, medians of ${rounds} rounds.`,
    "",
    "| Routes | median | ratio |",
    "|---|---|---|",
    `| 1 | ${one.toFixed(0)} ms | 1.00 |`,
    `| 500, each with a typed parameter and a typed link | ${many.toFixed(0)} ms | ${
      (many / one).toFixed(2)
    } |`,
    `| 500 of an API with schemas, five of them called, \`Api\` without bodies | ${
      untyped.toFixed(0)
    } ms | ${(untyped / one).toFixed(2)} |`,
    `| the same, \`Api\` with bodies and queries | ${typed.toFixed(0)} ms | ${
      (typed / one).toFixed(2)
    }, ${(typed / untyped).toFixed(2)} of the row above |`,
    "",
  ].join("\n");
}

/** The kind of routes: pages, or an API with or without typed bodies in `Api`. */
type Kind = "pages" | "untyped" | "typed";

async function checkMs(routeCount: number, kind: Kind = "pages"): Promise<number> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-bench-" }));
  try {
    await writeApp(dir, { routeCount, kind });
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      // A new comment, so that the cached result of the last check is not used.
      const { name, source } = fileOf(0, kind);
      const file = join(dir, "app/section0/id_", name);
      await Deno.writeTextFile(file, `${source}// round ${round}\n`);
      const startedMs = performance.now();
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", kind === "pages" ? "fw_gen.ts" : "use.ts"],
        cwd: dir,
        env: { NO_COLOR: "1" },
      }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
      // The first round fills the caches of the library's files.
      if (round > 0) times.push(performance.now() - startedMs);
    }
    return times.sort((a, b) => a - b)[rounds >> 1] ?? NaN;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function writeApp(
  dir: string,
  { routeCount, kind }: { readonly routeCount: number; readonly kind: Kind },
): Promise<void> {
  await Deno.writeTextFile(
    join(dir, "deno.json"),
    JSON.stringify({ imports: { "@fw/fw": "jsr:@fw/fw@^0.1" }, links: [checkout] }),
  );
  for (let index = 0; index < routeCount; index++) {
    const folder = join(dir, `app/section${index}/id_`);
    await Deno.mkdir(folder, { recursive: true });
    const { name, source } = fileOf(index, kind);
    await Deno.writeTextFile(join(folder, name), source);
  }
  const result = await runGenerators(createProject(dir));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  if (kind === "pages") return;
  await Deno.writeTextFile(join(dir, "use.ts"), useSource(routeCount));
  if (kind === "typed") return;
  const path = join(dir, "fw_gen.ts");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(
    path,
    text.replace(/: \{\n\s+handler: (typeof f\d+\.\w+);\n[^}]*\};/g, ": $1;"),
  );
}

function fileOf(index: number, kind: Kind): { readonly name: string; readonly source: string } {
  return kind === "pages"
    ? { name: "page.ts", source: pageSource(index) }
    : { name: "route.ts", source: routeSource(index) };
}

function routeSource(index: number): string {
  return `import { type Ctx, int, struct, text } from "@fw/fw";
export const Search = struct({ q: text(), page: int("min=1") });
export const NewItem = struct({ title: text("required,max=80"), seats: int("min=1"), venue: struct({ city: text() }) });
export async function GET(c: Ctx<"/section${index}/{id}">) {
  const { q } = await c.bindQuery(Search);
  return c.json(200, { id: c.param("id", int("min=1")), q });
}
export async function POST(c: Ctx<"/section${index}/{id}">) {
  const { title } = await c.bindJson(NewItem);
  return c.json(201, { title });
}
`;
}

/** Writes five calls like those of an island or a test. */
function useSource(routeCount: number): string {
  const calls = Array.from({ length: 5 }, (_, index) => {
    const pattern = `"/section${index * Math.floor(routeCount / 5)}/{id}"`;
    return `  await call(${pattern}, { method: "POST", params: { id: 1 }, body: { title: "a", seats: 1 } });\n`;
  });
  return `import { createCaller } from "@fw/fw/client";
import type { Api } from "./fw_gen.ts";
const call = createCaller<Api>();
export async function use(): Promise<void> {
${calls.join("")}}
`;
}

function pageSource(index: number): string {
  return `import { csrfInput, type Ctx, int, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export function Page(c: Ctx<"/section${index}/{id}">): Node {
  const id = c.param("id", int("min=1"));
  return h.form(h.action(c.href("/section${index}/{id}", { id })), csrfInput(c));
}
`;
}

if (import.meta.main) console.log(await run());
