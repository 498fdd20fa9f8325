/**
 * How long the compiler takes for an application of 500 routes with typed parameters and links, against one of a
 * single route: what the generated types cost an editor and a release. Run it by
 * `deno run -A bench/types/main.ts`.
 *
 * @module
 */
import { fromFileUrl, join } from "@std/path";
import { generate } from "../../cli/gen/generate.ts";
import { createProject } from "../../cli/project/project.ts";

const checkout = fromFileUrl(new URL("../..", import.meta.url)).replace(/\/$/, "");
const rounds = 5;

/** Measures; gives the section of the results, in Markdown. */
export async function run(): Promise<string> {
  const one = await checkMs(1);
  const many = await checkMs(500);
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
    "",
  ].join("\n");
}

async function checkMs(routeCount: number): Promise<number> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-bench-" }));
  try {
    await writeApp(dir, routeCount);
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      // Another comment, so that the result of the last check does not count.
      const page = join(dir, "app/section0/id_/page.ts");
      await Deno.writeTextFile(page, `${pageSource(0)}// round ${round}\n`);
      const startedMs = performance.now();
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", "fw_gen.ts"],
        cwd: dir,
        env: { NO_COLOR: "1" },
      }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
      // The first round fills the caches of the library's own files.
      if (round > 0) times.push(performance.now() - startedMs);
    }
    return times.sort((a, b) => a - b)[rounds >> 1] ?? NaN;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function writeApp(dir: string, routeCount: number): Promise<void> {
  await Deno.writeTextFile(
    join(dir, "deno.json"),
    JSON.stringify({ imports: { "@fw/fw": "jsr:@fw/fw@^0.1" }, links: [checkout] }),
  );
  for (let index = 0; index < routeCount; index++) {
    const folder = join(dir, `app/section${index}/id_`);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "page.ts"), pageSource(index));
  }
  const result = await generate(createProject(dir));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
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
