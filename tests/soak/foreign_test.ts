import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { runBounded } from "../../cli/mcp/run.ts";
import { runDeno } from "../../cli/project/process/deno.ts";
import { runForeign, withoutScripts } from "../../cli/project/process/foreign.ts";
import { checkTypes } from "../../cli/project/process/tools.ts";
import { noBundler } from "../cli/islands/no_bundler.ts";
import { type Files, inProject, leanTypes, listTree } from "../cli/support.ts";
import { packageName, startScriptedRegistry } from "../cli/project/process/npm_registry.ts";

const code = `import { x } from "npm:${packageName}@1.0.0";\nexport const y: number = x;\n`;

interface Row {
  readonly name: string;
  readonly files: Files;
  readonly commands: readonly (readonly string[])[];
}

const bundle = noBundler === undefined ? [["bundle", "--outdir=out", "a.ts"]] : [];

/** The projects, all of which allow the package's script. */
const hostile: readonly Row[] = [
  {
    name: "a list",
    files: {
      "deno.json":
        `{ "nodeModulesDir": "auto", "allowScripts": ["npm:${packageName}"], ${leanTypes} }`,
    },
    commands: [["test", `--allow-scripts=npm:${packageName}`, "a_test.ts"], ...bundle],
  },
  {
    name: "everything, beside a package.json with its own script",
    files: {
      "deno.json": `{ "nodeModulesDir": "auto", "allowScripts": true, ${leanTypes} }`,
      "package.json":
        `{ "dependencies": { "${packageName}": "1.0.0" }, "scripts": { "postinstall": "touch ran" } }`,
    },
    commands: [["info", "--json", "a.ts"], ["run", "--allow-scripts", "a.ts"]],
  },
  {
    name: "a vendor folder",
    files: {
      "deno.json": `{ "vendor": true, "allowScripts": ["npm:${packageName}"], ${leanTypes} }`,
    },
    commands: [["info", "--json", "a.ts"]],
  },
];

/** Runs commands in a hostile project, and returns for each whether the script ran. */
async function inHostile(
  files: Files,
  work: (
    root: string,
    hasRun: () => Promise<boolean>,
    env: Readonly<Record<string, string>>,
  ) => Promise<void>,
): Promise<void> {
  await inProject({ ...files, "a.ts": code, "a_test.ts": code }, async (root) => {
    const ran = join(root, "ran");
    await using registry = startScriptedRegistry(`touch ${ran}`);
    await work(root, () => Deno.remove(ran).then(() => true, () => false), registry.env);
  });
}

for (const { name, files, commands } of hostile) {
  Deno.test(`runForeign: no install script runs if the settings allow ${name}`, () =>
    inHostile(files, async (root, hasRun, env) => {
      for (const args of [...commands, ["check", "a.ts"]]) {
        const { code, stderr } = await runForeign(args, { cwd: root, env });
        assertEquals([args[0], code, await hasRun()], [args[0], 0, false], stderr);
      }
      // With these settings Deno itself would run it.
      const own = { cwd: root, env, allowScripts: true };
      assertEquals((await runForeign(["check", "a.ts"], own)).code, 0);
      assert(await hasRun(), "the project is not hostile");
    }));
}

Deno.test("runBounded: no install script runs for tests started by an agent", () =>
  inHostile(hostile[0]?.files ?? {}, async (root, hasRun, env) => {
    const { signal } = new AbortController();
    const options = { cwd: root, env, timeoutMs: 60_000, signal };
    const { code, stderr } = await runBounded(["test", "a_test.ts"], options);
    assertEquals([code, await hasRun()], [0, false], stderr);
  }));

Deno.test("runForeign: finds packages of a manually managed folder", async () => {
  const files = {
    "package.json": '{ "dependencies": { "kept": "1.0.0" } }',
    "node_modules/kept/package.json":
      '{ "name": "kept", "version": "1.0.0", "type": "module", "main": "index.js" }',
    "node_modules/kept/index.js": "export const x = 1;\n",
    "a.ts": `import { x } from "kept";
declare const console: { log(text: number): void };
console.log(x);
`,
  };
  for (const manifest of [`{ ${leanTypes} }`, `{ "nodeModulesDir": "manual", ${leanTypes} }`]) {
    await inProject({ ...files, "deno.json": manifest }, async (root) => {
      assertEquals(await checkTypes(root, "a.ts"), []);
      const { stdout } = await runForeign(["run", "a.ts"], { cwd: root });
      assertEquals(stdout, "1\n");
    });
  }
});

Deno.test("withoutScripts: a workspace member uses the settings of the workspace", () =>
  inProject({
    "deno.json": '{ "workspace": ["./app"], "nodeModulesDir": "manual" }',
    "app/deno.json": "{}",
  }, async (root) => {
    const flag = async (folder: string) => (await withoutScripts(["check"], folder))[1];
    assertEquals(await flag(join(root, "app")), "--node-modules-dir=manual");
    await Deno.writeTextFile(join(root, "deno.json"), '{ "nodeModulesDir": "manual" }');
    assertEquals(await flag(join(root, "app")), "--node-modules-dir=none");
  }));

Deno.test("runForeign: installs nothing through a link at node_modules", async () => {
  const files = { "deno.json": `{ "nodeModulesDir": "auto", ${leanTypes} }`, "outside/x": "" };
  await inHostile(files, async (root, _, env) => {
    await Deno.symlink("outside", join(root, "node_modules"));
    for (const args of [["run", "--cached-only", "a.ts"], ["check", "a.ts"], ...bundle]) {
      await runForeign(args, { cwd: root, env });
      assertEquals(await listTree(join(root, "outside")), ["x"]);
    }
  });
});

Deno.test("withoutScripts: uses no vendor folder with links, which may lead outside", () =>
  inProject({
    "deno.json": '{ "vendor": true }',
    "vendor/host/x.ts": "",
    "app/deno.json": '{ "vendor": true }',
    "app/vendor": "-> ../vendor",
  }, async (root) => {
    const flags = async (command: string, folder = root) =>
      (await withoutScripts([command], folder)).filter((arg) => arg.startsWith("--vendor"));
    assertEquals(await flags("check"), []);
    assertEquals(await flags("check", join(root, "app")), ["--vendor=false"]);
    await Deno.symlink("/tmp", join(root, "vendor/host/link"));
    for (const command of ["bundle", "check", "info", "run", "test"]) {
      assertEquals(await flags(command), ["--vendor=false"], command);
    }
  }));

Deno.test("withoutScripts: uses no lock file outside of the project", async () => {
  const rows: readonly (readonly [manifest: unknown, isUsed: boolean])[] = [
    [{}, true],
    [{ lock: false }, true],
    [{ lock: "locks/own.lock" }, true],
    [{ lock: "../evil.lock" }, false],
    [{ lock: { path: "/tmp/evil.lock" } }, false],
    [{ lock: "link/evil.lock" }, false],
    [{ lock: "a\0b" }, false],
  ];
  for (const [manifest, isUsed] of rows) {
    const files = { "deno.json": JSON.stringify(manifest), "link": "-> .." };
    await inProject(files, async (root) => {
      for (const command of ["check", "run", "test"]) {
        const args = await withoutScripts([command, "--lock=x", "a.ts"], root);
        const locks = args.filter((arg) => /lock/.test(arg));
        assertEquals(locks, [isUsed ? "--lock=x" : "--no-lock"], JSON.stringify(manifest));
      }
    });
  }
});

Deno.test("withoutScripts: refuses a command without a flag", async () => {
  await assertRejects(() => withoutScripts(["task", "test"], "/"), TypeError, "deno task");
});

Deno.test("runForeign: a run over a limit fails and names the limit", () =>
  inProject({ "a.ts": "for (;;) console.log('x'.repeat(1000));\n" }, async (root) => {
    const cut = await runForeign(["run", "a.ts"], { cwd: root, maxBytes: 10_000 });
    assert(cut.code !== 0);
    assertStringIncludes(cut.stderr, "was stopped after 10000 bytes of output");
    const quiet = { cwd: root, input: "for (;;) {}", timeoutMs: 300 };
    const late = await runForeign(["run", "-"], quiet);
    assert(late.code !== 0);
    assertStringIncludes(late.stderr, "was stopped after 0.3 s");
    const { stopped } = await runDeno(["eval", ""], { cwd: root });
    assertEquals(stopped, undefined);
  }));
