/**
 * A large application costs the compiler little more than its modules do. Calls of the compiler's
 * functions are counted, which a busy machine does not change; a check with 5,000 routes runs besides.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { join } from "@std/path";
import { Session } from "node:inspector/promises";
import ts from "npm:typescript@6.0.3";
import { runGenerators } from "../../cli/gen/generate.ts";
import { createProject } from "../../cli/project/project.ts";
import { root } from "../../tools/workspace.ts";
import { deno } from "../cli/support.ts";

/** Most work that conventions may add to the check of the same modules. */
const mostOfPlain = 1.5;
const mostPerDoubling = 2.3;

async function writeApp(folder: string, routes: number): Promise<void> {
  await Deno.writeTextFile(
    join(folder, "deno.json"),
    JSON.stringify({
      links: [root],
      imports: { "@fw/fw": "jsr:@fw/fw@^0.1.0", "@fw/fw/h": "jsr:@fw/fw@^0.1.0/h" },
      lock: false,
    }),
  );
  const plain: string[] = [];
  for (let at = 0; at < routes; at++) {
    const path = `app/g${at % 50}/r${at}/id_`;
    await Deno.mkdir(join(folder, path), { recursive: true });
    const [name, text] = at % 2 === 0 ? ["route.ts", routeText(at)] : ["page.ts", pageText(at)];
    await Deno.writeTextFile(join(folder, path, name), text);
    plain.push(`import * as f${at} from "./${path}/${name}";\nvoid f${at};\n`);
  }
  await Deno.writeTextFile(join(folder, "plain.ts"), plain.join(""));
  assert((await runGenerators(createProject(folder))).ok);
}

function pageText(at: number): string {
  return `import type { Ctx, Node } from "@fw/fw";
import { p } from "@fw/fw/h";
export function Page(c: Ctx): Node {
  return p("row ${at} ", c.param("id"));
}
`;
}

function routeText(at: number): string {
  return `import { type Ctx, int, struct, text } from "@fw/fw";
const Row = struct({ name: text("required"), age: int() });
export function GET(c: Ctx): Response {
  return c.json(200, { id: c.param("id"), row: ${at} });
}
export async function POST(c: Ctx): Promise<Response> {
  const { name } = await c.bindJson(Row);
  return c.json(201, { name });
}
`;
}

const { exports } = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
const options: ts.CompilerOptions = {
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  paths: {
    ...Object.fromEntries(
      Object.entries<string>(exports).map(([name, path]) =>
        [`@fw/fw${name.slice(1)}`, [join(root, path)]] as const
      ),
    ),
    "@std/*": [join(root, "tools/std/*/mod.ts")],
  },
};

/** Counts the calls in a check of the application's modules, and in one of the framework's. */
async function countCalls(entry: string): Promise<{ readonly app: number; readonly fw: number }> {
  const program = ts.createProgram([entry], options);
  const files = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  const isFramework = ({ fileName }: ts.SourceFile): boolean => fileName.startsWith(`${root}/`);
  using session = new CallCounter();
  await session.start();
  // The first file of a program is where all are bound.
  program.getSemanticDiagnostics(files.find(isFramework));
  await session.take();
  for (const file of files.filter((each) => !isFramework(each))) {
    program.getSemanticDiagnostics(file);
  }
  const app = await session.take();
  for (const file of files.filter(isFramework)) program.getSemanticDiagnostics(file);
  return { app, fw: await session.take() };
}

class CallCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  /** Returns the number of calls since the last time. */
  async take(): Promise<number> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    return result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((sum, count) => sum + count, 0);
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

Deno.test("routes cost the compiler little more than their modules, however many", async () => {
  const [small, large] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  try {
    await writeApp(small, 1_000);
    await writeApp(large, 2_000);
    const plain = await countCalls(join(small, "plain.ts"));
    const one = await countCalls(join(small, "fw_gen.ts"));
    const two = await countCalls(join(large, "fw_gen.ts"));
    assertLess(one.app + one.fw, mostOfPlain * (plain.app + plain.fw));
    assertLess(two.app, mostPerDoubling * one.app);
    assertLess(two.fw, mostPerDoubling * one.fw);
  } finally {
    await Deno.remove(small, { recursive: true });
    await Deno.remove(large, { recursive: true });
  }
});

Deno.test("an application of 5,000 routes passes the check", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeApp(folder, 5_000);
    const { code, output } = await deno(["check", "--quiet", "fw_gen.ts"], folder);
    assertEquals([code, output], [0, ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
