import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { readTextIfThere, textOfFile } from "../../../../../cli/project/files/look.ts";
import { ManifestError, readManifest } from "../../../../../cli/project/manifest.ts";
import { type Files, inProject, page, runCli } from "../../../support.ts";
import { patienceMs } from "../../../../until.ts";

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert(success);
}

interface Row {
  /** The pipe, in a folder created by one of the files. */
  readonly pipe: string;
  readonly command: readonly string[];
  readonly code: number;
  readonly files?: Files;
}

const island = { "islands/_helper.ts": "" };
const migration = { "migrations/mod.ts": "" };

const rows: readonly Row[] = [
  { pipe: "openapi.json", command: ["openapi"], code: 0 },
  { pipe: "openapi.json", command: ["openapi", "--check"], code: 1 },
  { pipe: "policy.txt", command: ["policy"], code: 0 },
  { pipe: "policy.txt", command: ["policy", "--check"], code: 1 },
  { pipe: "fw_gen.ts", command: ["gen"], code: 0 },
  { pipe: "fw_gen.ts", command: ["gen", "--check"], code: 1 },
  { pipe: "islands/x.ts", command: ["gen"], code: 0, files: island },
  { pipe: "AGENTS.md", command: ["agents"], code: 0 },
  { pipe: "migrations/0001_x.sql", command: ["migrate"], code: 1, files: migration },
];
for (const { pipe, command, code, files = {} } of rows) {
  Deno.test({
    name: `${command.join(" ")}: a named pipe at ${pipe} is not waited for`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inProject({ "app/page.ts": page, ...files }, async (root) => {
        await makePipe(join(root, pipe));
        const late = Promise.withResolvers<undefined>();
        const timer = setTimeout(() => late.resolve(undefined), patienceMs);
        const run = await Promise.race([runCli(command, { cwd: root }), late.promise]);
        clearTimeout(timer);
        assertEquals(run?.code, code, run?.stderr);
      }),
  });
}

const written: readonly (readonly [file: string, command: string])[] = [
  ["fw_gen.ts", "gen"],
  ["policy.txt", "policy"],
  ["openapi.json", "openapi"],
  ["AGENTS.md", "agents"],
];
for (const [file, command] of written) {
  Deno.test(`${command}: a folder at ${file} is an error of the system, not a defect`, () =>
    inProject({ "app/page.ts": page, [`${file}/x`]: "" }, async (root) => {
      const { code, stderr } = await runCli([command], { cwd: root });
      assertEquals([code, stderr.split(":")[0]], [1, "The system refused this"], stderr);
    }));
}

Deno.test({
  name: "look: pipes and links to pipes and devices are not files",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inProject({ "zero": "-> /dev/zero", "link": "-> pipe" }, async (root) => {
      await makePipe(join(root, "pipe"));
      for (const name of ["pipe", "link", "zero", "nothing", "."]) {
        assertEquals(await readTextIfThere(join(root, name)), undefined, name);
        assertEquals(textOfFile(join(root, name)), "", name);
      }
      await Deno.remove(join(root, "deno.json"));
      await makePipe(join(root, "deno.json"));
      await assertRejects(() => readManifest(root), ManifestError, "not a regular file");
    }),
});

const large: readonly (readonly [file: string, command: string])[] = [
  ["deno.json", "routes"],
  ["fw_gen.ts", "gen"],
  ["migrations/0001_x.sql", "migrate"],
  ["public/islands/x.js", "gen"],
];
for (const [file, command] of large) {
  Deno.test(`${command}: refuses a ${file} of 65 MiB by name without reading it`, () =>
    inProject({ "app/page.ts": page, ...migration, "public/islands/y": "" }, async (root) => {
      const path = join(root, file);
      using handle = await Deno.open(path, { create: true, write: true, truncate: true });
      await handle.truncate(65 * 1_048_576);
      const { code, stderr } = await runCli([command], { cwd: root });
      assertEquals(
        [code, stderr.includes(`${path}": it is larger than 64 MiB`)],
        [1, true],
        stderr,
      );
      assert(!stderr.includes("look.ts"), stderr);
      assertEquals(textOfFile(path), "");
    }));
}
