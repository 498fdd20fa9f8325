import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { BuildSteps } from "../../../../cli/build/build.ts";
import type { CompileJob, CompileOutcome } from "../../../../cli/build/compile.ts";
import { compileArgs } from "../../../../cli/build/compile.ts";
import type { SmokeOutcome, SmokeTest } from "../../../../cli/build/smoke.ts";
import { gatherBuildFacts, type GatherFacts } from "../../../../cli/build/facts.ts";
import { parseCommandArgs } from "../../../../cli/args.ts";
import { build as runBuild } from "../../../../cli/commands/build.ts";
import { messagesOf } from "../../../../cli/messages/catalog.ts";
import { runStoppable } from "../../../../cli/stop.ts";
import { type CheckTypes, checkTypes } from "../../../../cli/project/process/tools.ts";
import {
  type CliOutput,
  type Files,
  inScratch,
  listTree,
  runCli,
  testIo,
  writeFiles,
} from "../../support.ts";

/** The effects of a build besides its output. */
interface Built extends CliOutput {
  readonly jobs: readonly CompileJob[];
  readonly tests: readonly SmokeTest[];
}

interface BuildRun {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly compiled?: CompileOutcome;
  readonly smoked?: SmokeOutcome;
  /** Checks the types. @default without errors */
  readonly check?: CheckTypes;
  /** Collects the facts. @default a version */
  readonly gather?: GatherFacts;
  /** The step during which the user aborts. @default none */
  readonly stopIn?: "compile" | "smoke";
}

async function build(cwd: string, run: BuildRun = {}): Promise<Built> {
  const { args = [], env = {} } = run;
  const jobs: CompileJob[] = [];
  const tests: SmokeTest[] = [];
  const stop = new AbortController();
  const io = testIo({ cwd, env, signal: stop.signal });
  const messages = messagesOf(io);
  const given = parseCommandArgs(args, { command: "build", help: messages.help.build, messages });
  assert(given !== "help");
  const steps: BuildSteps = {
    check: run.check ?? (() => Promise.resolve([])),
    compile: async (job, { signal }) => {
      jobs.push(job);
      if (run.stopIn === "compile") {
        stop.abort();
        return { kind: "failed", output: `killed: ${signal.aborted}` };
      }
      const outcome = run.compiled ?? { kind: "compiled" };
      if (outcome.kind === "compiled") await Deno.writeTextFile(job.output, "new");
      return outcome;
    },
    gather: run.gather ?? (() => Promise.resolve({ facts: { version: "shop\n" }, warnings: [] })),
    smoke: (test) => {
      tests.push(test);
      if (run.stopIn === "smoke") {
        stop.abort();
        const output = `killed: ${test.signal?.aborted}`;
        return Promise.resolve({ kind: "failed", text: "ended", output });
      }
      return Promise.resolve(run.smoked ?? { kind: "passed", startMs: 41.4, asked: ["/a", "/b"] });
    },
  };
  const code = await runStoppable("build", io, () => runBuild(given, io, steps));
  return { code, ...io.printed, jobs, tests };
}

async function inApp(files: Files, work: (cwd: string) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const cwd = join(folder, "shop");
    await writeFiles(cwd, files);
    await runCli(["gen"], { cwd });
    await work(cwd);
  }, { name: "build_shop" });
}

async function editManifest(
  cwd: string,
  edit: (manifest: Record<string, unknown> & { tasks: Record<string, unknown> }) => void,
): Promise<void> {
  const path = join(cwd, "deno.json");
  const manifest = JSON.parse(await Deno.readTextFile(path));
  edit(manifest);
  await Deno.writeTextFile(path, JSON.stringify(manifest));
}

Deno.test("build: warns that the executable will lack --fw openapi, and why", async () => {
  const route = `import type { Ctx } from "@fw/fw";

export function GET(c: Ctx): Response {
  const value: any = JSON.parse("1");
  return c.json(200, value);
}
`;
  await inApp({ "app/api/odd/route.ts": route }, async (cwd) => {
    const { code, stderr } = await build(cwd, { gather: gatherBuildFacts });
    assertEquals(code, 0);
    assertStringIncludes(stderr, "app/api/odd/route.ts:");
    assertStringIncludes(
      stderr,
      "--fw openapi will be missing, since the API cannot be described: ",
    );
  });
});

const here = Deno.build.target;
const elsewhere = here === "aarch64-apple-darwin"
  ? "x86_64-unknown-linux-gnu"
  : "aarch64-apple-darwin";
const exe = Deno.build.os === "windows" ? ".exe" : "";

Deno.test("build: compiles with the start task's permissions, tests, writes and reports", () =>
  inApp({}, async (cwd) => {
    const { code, stdout, stderr, jobs, tests } = await build(cwd);
    assertEquals([code, stderr], [0, ""]);
    const [job] = jobs;
    assert(job !== undefined);
    assertEquals(compileArgs({ ...job, output: "OUT" }), [
      ..."compile --no-check --quiet --include public --exclude-unused-npm".split(" "),
      ..."--preload=./.fw/build/facts.ts --no-prompt".split(" "),
      ..."--allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR".split(" "),
      ..."--allow-read=public,.fw/spool --allow-write=.fw/spool --output OUT fw_gen.ts".split(" "),
    ]);
    const [test] = tests;
    assertEquals(test?.executable, job.output);
    assertEquals([test?.livePath, test?.filePath], ["/_fw/health/live", "/style.css"]);
    assertEquals(test?.env["FW_ENV"], "prod");
    assertEquals(await listTree(cwd, "dist"), ["dist/.gitignore", `dist/shop${exe}`]);
    assertEquals(
      stdout,
      `Checking the generated file and the assets
Checking types
Compiling fw_gen.ts for ${here}
Starting the executable in an empty folder
Built dist/shop${exe} (1 kB) for ${here}.
Started in an empty folder: responded to /a, /b, the first after 41 ms.
Permissions: --no-prompt --allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR \
--allow-read=public,.fw/spool --allow-write=.fw/spool
`,
    );
  }));

Deno.test("build: uses the start task's flags, arguments and variables", () =>
  inApp(
    { "main.ts": 'export * from "../fw_gen.ts";\n', "data/x.json": "{}" },
    async (cwd) => {
      await editManifest(cwd, ({ tasks }) => {
        tasks["start"] =
          'FW_METRICS=/m deno run --env-file --allow-net=0.0.0.0:8000,db.example "-R=public,my data" main.ts --now';
      });
      const { code, stdout, stderr, jobs, tests } = await build(cwd, {
        args: ["--include", "data"],
      });
      assertEquals([code, stderr], [0, ""]);
      const { entry, flags, args, includes } = jobs[0] ?? {};
      assertEquals([entry, args, includes], ["main.ts", ["--now"], ["public", "data"]]);
      assertEquals(flags, [
        "--no-prompt",
        "--allow-net=0.0.0.0:8000,db.example",
        "-R=public,my data",
      ]);
      assertEquals(tests[0]?.listen, { hostname: "0.0.0.0", port: 8000 });
      assertEquals(tests[0]?.env["FW_METRICS"], "/m");
      assertStringIncludes(stdout, "has no effect in an executable: --env-file\n");
      assertStringIncludes(stdout, "The start task sets FW_METRICS: set them too where");
    },
  ));

Deno.test("build: without a start task and public/, grants the minimal permissions and includes nothing", () =>
  inApp({}, async (cwd) => {
    await editManifest(cwd, (manifest) => manifest.tasks = {});
    await Deno.remove(join(cwd, "public"), { recursive: true });
    await writeFiles(cwd, {
      "app/layout.ts":
        'export function Layout(_c: unknown, n: import("@fw/fw").Node) { return n; }\n',
    });
    const { code, jobs, tests, stderr } = await build(cwd);
    assertEquals([code, stderr], [0, ""]);
    assertEquals([jobs[0]?.includes, tests[0]?.filePath], [[], undefined]);
    assertEquals(jobs[0]?.entry, "fw_gen.ts");
    assertEquals(jobs[0]?.flags[1], "--allow-net=0.0.0.0,127.0.0.1,[::]");
  }));

Deno.test("build: reports that it does not start an executable for another system", () =>
  inApp({}, async (cwd) => {
    const { code, stdout, jobs, tests } = await build(cwd, { args: ["--target", elsewhere] });
    assertEquals([code, tests.length, jobs[0]?.target], [0, 0, elsewhere]);
    assertStringIncludes(stdout, `Not started: it is built for ${elsewhere}.`);
    const windows = await build(cwd, { args: ["--target=x86_64-pc-windows-msvc", "-o", "out/a"] });
    assertEquals(windows.code, 0);
    assertEquals(await listTree(cwd, "out"), ["out/a.exe"]);
  }));

Deno.test("build: accepts --skip-smoke and --output, and drops the scope of the package name", () =>
  inApp({}, async (cwd) => {
    const { code, stdout, tests } = await build(join(cwd, "app"), {
      args: ["--skip-smoke", "--output", "../bin/shop"],
    });
    assertEquals([code, tests.length], [0, 0]);
    assertStringIncludes(stdout, "Not started: --skip-smoke.");
    assertEquals(await listTree(cwd, "bin"), [`bin/shop${exe}`]);
    await editManifest(cwd, (manifest) => manifest["name"] = "@acme/web");
    assertEquals((await build(cwd)).code, 0);
    assert((await Deno.stat(join(cwd, `dist/web${exe}`))).isFile);
    // The folder dist/site is that of the export.
    await editManifest(cwd, (manifest) => manifest["name"] = "@acme/site");
    assertStringIncludes((await build(cwd)).stdout, `Built dist/site-app${exe} `);
  }));

Deno.test("build: --output accepts a folder behind a link", () =>
  inApp({ "../theirs/keep": "theirs", dist: "-> ../theirs" }, async (cwd) => {
    assertEquals((await build(cwd, { args: ["-o", "dist/shop"] })).code, 0);
    assertEquals(await listTree(join(cwd, "../theirs")), ["keep", `shop${exe}`]);
  }));

interface FaultyRun {
  readonly files?: Files;
  readonly prepare?: (cwd: string) => Promise<void>;
  readonly args?: readonly string[];
  readonly code?: number;
}

const asset = (name: string): string =>
  `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  return c.redirect(c.asset(${JSON.stringify(name)}));
}
`;

const faults: readonly (readonly [name: string, says: RegExp, run: FaultyRun])[] = [
  [
    "a stale generated file",
    /^fw_gen\.ts:1:1 E_STALE: fw_gen\.ts is missing or out of date\n {4}Fix: Run `deno task gen`/,
    {
      prepare: (cwd) => writeFiles(cwd, { "app/new/page.ts": "export function Page(): void {}\n" }),
    },
  ],
  ["a generation error", /^app\/new\/page\.ts:1:1 E_NO_PAGE_FUNC: /, {
    prepare: (cwd) => writeFiles(cwd, { "app/new/page.ts": "export {};\n" }),
  }],
  [
    "a type error",
    /^app\/x\/page\.ts:1:38 E_TYPES: TS2322: .*\n {4}Fix: .*\n1 problem; nothing was written\.\n$/,
    { files: { "app/x/page.ts": "export function Page(): void { const n: number = ''; n; }\n" } },
  ],
  [
    "a missing asset",
    /^app\/x\/route\.ts:3:23 E_NO_ASSET: public\/logo\.svg does not exist\n {4}Fix: Create the file/,
    { files: { "app/x/route.ts": asset("/logo.svg") } },
  ],
  [
    "an island without a default export",
    /^app\/x\/route\.ts:3:19 E_NO_ISLAND: public\/js\/named\.js has no default export to mount\n {4}Fix: /,
    {
      files: {
        "app/x/route.ts": asset("/js/named.js").replace("redirect(c.asset(", "html(c.island("),
        "public/js/named.js": "export function mount() {}\n",
      },
    },
  ],
  ["an executable for clients", /^E_OUTPUT: .* clients can request the files of public\//, {
    files: { "public/style.css": "" },
    args: ["--output", "public/bin/shop"],
  }],
  ["to replace another file", /^E_OUTPUT: .*: the file there is not an executable\n/, {
    args: ["--output", "fw_gen.ts"],
  }],
  [
    "a default folder behind a link out of the project",
    /^E_OUTPUT_LINK: cannot write to "dist": a link leads it out of the project\n {4}Fix: Remove the link, or name the folder with --output\.\n/,
    { files: { "../theirs/keep": "theirs", dist: "-> ../theirs" } },
  ],
  [
    "a list separated from its permission",
    /^deno\.json E_START_TASK: .*\n {4}Fix: Write "-R=public,data"\.$/m,
    {
      prepare: (cwd) =>
        editManifest(cwd, ({ tasks }) => tasks["start"] = "deno run -R public,data fw_gen.ts"),
    },
  ],
  [
    "a flag that only a shell can expand",
    /^deno\.json E_START_TASK: cannot read "-R=\$HOME\/x" of the start task/,
    {
      prepare: (cwd) =>
        editManifest(cwd, ({ tasks }) => tasks["start"] = "deno run -R=$HOME/x fw_gen.ts"),
    },
  ],
  [
    "a missing file in the start task",
    /^E_TYPES: .*main\.ts/,
    { prepare: (cwd) => editManifest(cwd, ({ tasks }) => tasks["start"] = "deno run main.ts") },
  ],
];
for (const [name, says, { files = {}, prepare, args = [], code = 1 }] of faults) {
  Deno.test(`build refuses ${name}`, () =>
    inApp(files, async (cwd) => {
      await prepare?.(cwd);
      const built = await build(cwd, { args, check: checkTypes });
      assertEquals([built.code, built.jobs.length], [code, 0], built.stderr);
      assertMatch(built.stderr, says);
    }));
}

for (const stopIn of ["compile", "smoke"] as const) {
  Deno.test(`build: leaves the old output unchanged if stopped in the step ${stopIn}`, () =>
    inApp({ "dist/shop": "old", [`dist/shop${exe}`]: "old" }, async (cwd) => {
      const before = await listTree(cwd, "dist");
      const { code, stderr, tests } = await build(cwd, { stopIn });
      assertEquals([code, stderr, tests.length], [1, "", stopIn === "smoke" ? 1 : 0]);
      assertEquals(await listTree(cwd, "dist"), before);
      assertEquals(await Deno.readTextFile(join(cwd, `dist/shop${exe}`)), "old");
    }));
}

Deno.test("build accepts an asset without the leading slash, and other objects with an asset()", () =>
  inApp({
    "app/x/route.ts": asset("style.css"),
    "lib/store.ts": `const store = { asset: (name: string): string => name };
export const logo = store.asset("/logo.svg");
`,
  }, async (cwd) => {
    const { code, stderr } = await build(cwd);
    assertEquals([code, stderr], [0, ""]);
  }));

Deno.test("build: prints alternatives and the output of deno compile if the base executable is missing", () =>
  inApp({}, async (cwd) => {
    const { code, stderr } = await build(cwd, {
      compiled: { kind: "no-base", reason: "dns error" },
    });
    assertEquals(code, 1);
    assertStringIncludes(stderr, `E_NO_BASE: cannot get denort ${Deno.version.deno} for ${here}`);
    assertMatch(stderr, new RegExp(`dl.release.v${Deno.version.deno}.denort-${here}\\.zip\n`));
    assertStringIncludes(stderr, "DENORT_BIN");
    assertEquals(await listTree(cwd, "dist"), ["dist/.gitignore"]);
    const failed = await build(cwd, {
      compiled: { kind: "failed", output: "error: no space left" },
    });
    assertEquals([failed.code, failed.stderr], [
      1,
      "E_BUILD: deno compile failed:\n    error: no space left\n" +
      "    Fix: Correct what it names and build again.\n1 problem; nothing was written.\n",
    ]);
  }));

Deno.test("build: keeps the old executable if the new one fails its test", () =>
  inApp({ [`dist/shop${exe}`]: "old" }, async (cwd) => {
    const smoked = { kind: "failed", text: "it ended", output: "error: a\nb\n" } as const;
    const { code, stderr } = await build(cwd, { smoked });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "E_SMOKE: it ended\n    Its output:\n      error: a\n      b\n");
    assertStringIncludes(stderr, "--skip-smoke");
    assertEquals(await listTree(cwd, "dist"), [`dist/shop${exe}`]);
    assertEquals(await Deno.readTextFile(join(cwd, `dist/shop${exe}`)), "old");
  }));
