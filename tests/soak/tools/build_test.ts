/**
 * `build` as a user runs it, with the real compiler. Its base executable (denort) is not on every
 * machine, so a shell script stands in for it: it runs the application from its folder with the
 * permissions in the executable.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { shareFolder } from "../../cli/shared_folder.ts";
import { deno, listTree, runCli, writeFiles } from "../../cli/support.ts";

const standIn = "/bin/bash";
const noStandIn = await isElf(standIn) ? undefined : `${standIn} is not a Linux executable`;

async function isElf(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path);
    const head = new Uint8Array(4);
    await file.read(head);
    return new TextDecoder().decode(head) === "\x7fELF";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

interface Built {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const main = join(import.meta.dirname ?? "", "../../../cli/main.ts");

/** Runs `build` in a separate process; the stand-in runs a script first. */
async function build(
  cwd: string,
  options: { readonly args?: readonly string[]; readonly env: Record<string, string> },
): Promise<Built> {
  const { args = [], env } = options;
  const command = ["run", "-A", "--no-check", main, "build", ...args];
  return await deno(command, cwd, { FW_LANG: "en", ...env });
}

// One application for all builds, which share the compiler's cache.
const setup = `export async function Setup(): Promise<void> {
  if (Deno.env.get("FW_BOOT") === "broken") await Deno.readTextFile("/etc/hostname");
}
`;

const shared = shareFolder("build", async (folder) => {
  const cwd = join(folder, "shop");
  await runCli(["new", "shop"], { cwd: folder });
  await writeFiles(cwd, { "app/setup.ts": setup });
  assertEquals((await runCli(["gen"], { cwd })).code, 0);
  // Otherwise the first build writes the lock file, and the second one checks all types again.
  assertEquals((await deno(["install", "--entrypoint", "fw_gen.ts"], cwd)).code, 0);
});

/** Passes on an application without a build, and a script with which the stand-in runs it. */
async function inApp(
  work: (cwd: string, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const cwd = join(shared(), "shop");
  try {
    const script = join(shared(), "launch.sh");
    const flags = [
      "--allow-net=0.0.0.0,127.0.0.1",
      "'--allow-env=FW_*,PORT,ADDR'",
      // Inside an executable the static files need no permission.
      `'--allow-read=${join(cwd, "public")}'`,
    ];
    await Deno.writeTextFile(
      script,
      `exec '${Deno.execPath()}' run --no-prompt ${flags.join(" ")} '${join(cwd, "fw_gen.ts")}'\n`,
    );
    await work(cwd, { DENORT_BIN: standIn, BASH_ENV: script });
  } finally {
    await Deno.remove(join(cwd, "dist"), { recursive: true }).catch(() => {});
  }
}

testUnless(noStandIn, {
  name: "build: the executable contains public/ and its permissions, starts and responds",
  fn: () =>
    inApp(async (cwd, env) => {
      await writeFiles(cwd, { "public/mark.txt": "a text that is nowhere else: 6f1c9b" });
      const { code, stdout, stderr } = await build(cwd, { env });
      assertEquals([code, stderr], [0, ""], stdout);
      assertMatch(stdout, /\nBuilt dist\/shop \(\d+\.\d MB\) for \S+\.\n/);
      assertMatch(
        stdout,
        /\nStarted in an empty folder: responded to \/_fw\/health\/live, \/mark\.txt, the first after \d+ ms\.\n/,
      );
      assertEquals(await listTree(cwd, "dist"), ["dist/.gitignore", "dist/shop"]);
      const file = join(cwd, "dist/shop");
      assert(((await Deno.stat(file)).mode ?? 0) & 0o100, "it can be run");
      const text = new TextDecoder("latin1").decode(await Deno.readFile(file));
      assertStringIncludes(text, "nowhere else: 6f1c9b");
      // The module that identifies the build runs first.
      const preloaded = /"preload_modules":(\[[^\]]*\])/.exec(text)?.[1] ?? "";
      assertMatch(preloaded, /^\["[^",]*shop\/\.fw\/build\/facts\.ts"\]$/);
      assert(text.includes("Usage: shop --fw version|routes|policy|openapi"));
      const metadata = /"permissions":(\{[^{}]*\})/.exec(text)?.[1] ?? "{}";
      const given = Object.entries(JSON.parse(metadata))
        .filter(([name, value]) => name !== "allow_import" && value !== null);
      assertEquals(Object.fromEntries(given), {
        allow_env: ["FW_*", "PORT", "ADDR"],
        allow_net: ["0.0.0.0", "127.0.0.1", "[::]"],
        allow_read: [".fw/spool"],
        allow_write: [".fw/spool"],
        prompt: false,
      });
    }),
});

Deno.test("build: names the source of a missing base executable", () =>
  inApp(async (cwd) => {
    const { code, stderr } = await build(cwd, { env: { DENORT_BIN: join(cwd, "none") } });
    assertEquals(code, 1);
    assertStringIncludes(stderr, `cannot get denort ${Deno.version.deno}`);
    assertStringIncludes(stderr, "Could not find denort at");
    assertMatch(stderr, /store it as .*denort-\S+\.zip\n/);
  }));
