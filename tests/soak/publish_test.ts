/** The published form: both packages in a registry, and an app created from there. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { readEntries, readManifest, root, runDeno } from "../../tools/workspace.ts";
import type { DenoOutput } from "../../tools/workspace.ts";
import { Registry } from "../e2e/publish/registry.ts";
import { startApp } from "../e2e/running_app.ts";

const { version } = await readManifest("");
const standIns = ["assert", "cli", "fs", "http", "path"];

class PublishedWorkspace implements AsyncDisposable {
  readonly #registry: Registry;
  readonly #folder: string;

  private constructor(registry: Registry, folder: string) {
    this.#registry = registry;
    this.#folder = folder;
  }

  static async publish(): Promise<PublishedWorkspace> {
    const folder = await Deno.makeTempDir({ prefix: "fw_publish_" });
    const made = new PublishedWorkspace(new Registry(), folder);
    try {
      for (const name of standIns) await made.#registry.addFolder(join(root, "tools/std", name));
      for (const cwd of [root, join(root, "cli")]) await made.#publishFrom(cwd);
      return made;
    } catch (error) {
      await made[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The working folder of the new user. */
  get folder(): string {
    return this.#folder;
  }

  get registry(): Registry {
    return this.#registry;
  }

  /** The environment of a machine with an empty cache. */
  get env(): Record<string, string> {
    return { ...this.#registry.env, DENO_DIR: join(this.#folder, ".deno_dir"), FW_LANG: "en" };
  }

  async run(args: string[], options: { cwd?: string } = {}): Promise<DenoOutput> {
    const { cwd = this.#folder } = options;
    const output = await runDeno(args, { cwd, env: this.env });
    assertEquals(output.code, 0, `deno ${args.join(" ")}\n${output.stdout}${output.stderr}`);
    return output;
  }

  async #publishFrom(cwd: string): Promise<void> {
    const flags = ["--token", "loopback", "--allow-dirty", "--no-provenance"];
    // `deno check` checks the sources; slow types are also refused here.
    const args = ["publish", "--no-check", ...flags];
    const { code, stderr } = await runDeno(args, { cwd, env: this.#registry.env });
    assertEquals(code, 0, stderr);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

Deno.test("publish: both packages work as installed from the registry", async (t) => {
  await using workspace = await PublishedWorkspace.publish();
  await t.step("every entry is there, type-checks and loads", () => checkEntries(workspace));
  await t.step("no test, bench, helper or example is included", () => {
    const paths = [...workspace.registry.files("@fw/fw", version)?.keys() ?? []];
    assert(paths.includes("/mod.ts") && paths.includes("/LICENSE"));
    assertEquals(paths.filter((path) => outside.test(path)), []);
  });
  await t.step("a command outside a project says so", () => refuseOutside(workspace));
  await t.step("an app is created, checked, tested and served", () => makeApp(workspace));
});

/**
 * Files that the package must not contain; of `api/` it has only the surface that `fw docs`
 * searches.
 */
const outside = /^\/(?:(?:tests|bench|tools|examples|cli)\/|api\/(?!current\.txt$))/;

async function checkEntries(workspace: PublishedWorkspace): Promise<void> {
  const { registry, folder } = workspace;
  assertEquals(registry.published.filter((name) => name.startsWith("@fw/")), [
    `@fw/cli@${version}`,
    `@fw/fw@${version}`,
  ]);
  const specifiers = (await readEntries()).map(({ specifier }) => specifier);
  const libraries = specifiers.filter((name) => name !== "@fw/cli");
  const imports = libraries.map((name, index) => `import * as m${index} from "jsr:${name}";`);
  const names = imports.map((_, index) => `m${index}`);
  const source = [...imports, `console.log([${names}].every((m) => typeof m === "object"));`];
  await Deno.writeTextFile(join(folder, "all.ts"), source.join("\n"));
  await workspace.run(["check", "all.ts"]);
  assertEquals((await workspace.run(["run", "all.ts"])).stdout.trim(), "true");
}

/** There no import map names the library, so code that reads those names must work without one. */
async function refuseOutside({ folder: cwd, env }: PublishedWorkspace): Promise<void> {
  for (const command of ["dev", "export", "openapi"]) {
    const { code, stderr } = await runDeno(["run", "-A", "jsr:@fw/cli", command], { cwd, env });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "contains a deno.json and an app/ folder");
  }
}

async function makeApp(workspace: PublishedWorkspace): Promise<void> {
  await workspace.run(["run", "-A", "jsr:@fw/cli", "new", "garden"]);
  const cwd = join(workspace.folder, "garden");
  await workspace.run(["check"], { cwd });
  await workspace.run(["fmt", "--check"], { cwd });
  await workspace.run(["lint"], { cwd });
  await workspace.run(["task", "gen", "--check"], { cwd });
  await workspace.run(["task", "audit"], { cwd });
  // `deno check` checks the types of the tests.
  await workspace.run(["task", "test", "--no-check"], { cwd });
  await workspace.run(["task", "generate", "page", "/contact", "--form"], { cwd });
  await Deno.mkdir(join(cwd, "app/jsx"));
  await Deno.writeTextFile(
    join(cwd, "app/jsx/page.tsx"),
    'import type { Node } from "@fw/fw";\nexport const Page = (): Node => <h1>JSX</h1>;\n',
  );
  await workspace.run(["task", "gen"], { cwd });
  await workspace.run(["check"], { cwd });
  const { stdout } = await workspace.run(["task", "test", "--no-check"], { cwd });
  await workspace.run(["task", "ui"], { cwd });
  assertStringIncludes(await Deno.readTextFile(join(cwd, "public/ui.css")), ".ui-button");
  assertStringIncludes(stdout, "4 passed");
  // The commands above do not load the dependencies of these.
  await workspace.run(["task", "openapi"], { cwd });
  await workspace.run(["task", "export", "--out", "site"], { cwd });
  await using app = startApp("deno task start", { cwd, env: workspace.env });
  const home = await app.get("/");
  assertEquals(home.status, 200);
  assertStringIncludes(await home.text(), "<!doctype html>");
  for (const path of ["/api/hello", "/style.css"]) {
    const response = await app.get(path);
    await response.body?.cancel();
    assertEquals(response.status, 200, path);
  }
  // The task passes SIGTERM on to the application; SIGKILL would leave it running.
  app.kill("SIGTERM");
  assertEquals((await app.ended()).code, 0);
}
