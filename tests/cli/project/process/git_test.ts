import { assert, assertEquals, equal } from "@std/assert";
import { newFolder } from "../../../new_folder.ts";
import { join } from "@std/path";
import { readOlderDocument } from "../../../../cli/describe/diff/against.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { runGit } from "../../../../cli/project/process/git.ts";
import { git } from "../../support.ts";

/** Runs every git command that fw starts with `runGit`. */
const commands: readonly (readonly string[])[] = [
  ["status", "--porcelain", "--ignore-submodules=dirty", "--", "."],
  ["diff", "--name-only", "-z", "--relative", "--ignore-submodules=dirty", "HEAD", "--", "."],
  ["ls-files", "-co", "--exclude-standard", "-z", "--", "."],
  ["ls-files", "--others", "--exclude-standard", "-z", "--", "."],
  ["ls-files", "-z", "--", "page.ts"],
  ["hash-object", "--", "page.ts"],
  ["check-ignore", "--quiet", "--", ".env"],
  ["rev-parse", "HEAD"],
  ["rev-parse", "--show-toplevel", "--git-common-dir"],
  ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
  ["rev-parse", "--verify", "--quiet", "HEAD:./page.ts"],
];

async function askAll(
  root: string,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const args of commands) {
    await prepare();
    await runGit(root, args);
  }
  await prepare();
  const options = { cwd: root, root, file: "page.ts", messages: messagesIn("en") };
  // The file is not a document, but git must still read it.
  await readOlderDocument("HEAD", options).catch(() => {});
}

/** The last time set by {@linkcode makeStale}: git skips a file whose time it knows. */
let staleSeconds = 0;

/** Changes a file's time but not its text, without which git does not rewrite its index. */
async function makeStale(root: string): Promise<void> {
  const path = join(root, ".gitattributes");
  await Deno.writeTextFile(path, "*.ts filter=a=b\n");
  staleSeconds++;
  await Deno.utime(path, staleSeconds, staleSeconds);
}

/** Defines a test in a repository with a modified file and a program that leaves a trace. */
function testInRepository(
  name: string,
  test: (at: { root: string; program: string; ran: () => Promise<string> }) => Promise<void>,
  { ignore = Deno.build.os === "windows" } = {},
): void {
  Deno.test({
    name,
    ignore,
    fn: async () => {
      await using temporary = await newFolder();
      const folder = await Deno.realPath(temporary.path);
      const [root, program, trace] = ["repo", "program.sh", "trace"].map((each) =>
        join(folder, each)
      ) as [string, string, string];
      await Deno.mkdir(root);
      await git(root, "init", "--quiet");
      await Deno.writeTextFile(join(root, "page.ts"), "1\n");
      await Deno.writeTextFile(join(root, ".gitattributes"), "*.ts filter=a=b\n");
      await git(root, "add", "--all");
      await git(root, "commit", "--quiet", "--message", "all");
      await Deno.writeTextFile(join(root, "page.ts"), "2\n");
      await Deno.writeTextFile(program, `#!/bin/sh\necho "$0 $*" >>'${trace}'\nexit 1\n`, {
        mode: 0o755,
      });
      await test({ root, program, ran: () => Deno.readTextFile(trace).catch(() => "") });
    },
  });
}

const settings: Readonly<Record<string, (program: string) => readonly (readonly string[])[]>> = {
  "a monitor of files": (program) => [["core.fsmonitor", program]],
  "a filter": (program) => [["filter.a=b.clean", program], ["filter.a=b.required", "true"]],
  "a filter that stays": (program) => [
    ["filter.a=b.process", program],
    ["filter.a=b.required", "true"],
  ],
};

for (const [what, settingsOf] of Object.entries(settings)) {
  testInRepository(
    `runGit starts no program that a repository configures as ${what}`,
    async ({ root, program, ran }) => {
      for (const [name = "", value = ""] of settingsOf(program)) {
        await git(root, "config", name, value);
      }
      await askAll(root);
      assertEquals(await ran(), "");
      const status = await runGit(root, ["status", "--porcelain", "--", "."]);
      assertEquals([status?.code, status?.stdout], [0, " M page.ts\n"]);
    },
  );
}

for (const where of [".git/hooks", "hooks"]) {
  testInRepository(`runGit starts no hook in ${where}`, async ({ root, program, ran }) => {
    await Deno.mkdir(join(root, where), { recursive: true });
    await Deno.copyFile(program, join(root, where, "post-index-change"));
    await git(root, "config", "core.hooksPath", where);
    await askAll(root, () => makeStale(root));
    // git runs this hook when the index is written: no command of fw writes it, so even one that
    // does must run no hook.
    await runGit(root, ["update-index", "--refresh"]);
    assertEquals(await ran(), "");
    await makeStale(root);
    await git(root, "diff", "--name-only");
    assert((await ran()).includes("post-index-change"), "the hook is one that git runs");
  });
}

testInRepository(
  "runGit: no command of fw writes the index, which would lock the repository",
  async ({ root }) => {
    const index = join(root, ".git/index");
    const before = await Deno.readFile(index);
    await askAll(root, () => makeStale(root));
    assertEquals(await Deno.readFile(index), before);
    await git(root, "diff", "--name-only");
    assert(!equal(await Deno.readFile(index), before), "git writes the index without the settings");
  },
  { ignore: false },
);

testInRepository(
  "runGit starts no filter from an included configuration of the repository",
  async ({ root, program, ran }) => {
    await Deno.writeTextFile(join(root, "more"), `[filter "a=b"]\n\tclean = ${program}\n`);
    await git(root, "config", "include.path", "../more");
    await askAll(root);
    assertEquals(await ran(), "");
  },
);

testInRepository(
  "runGit starts no program for a missing object",
  async ({ root, program, ran }) => {
    const config = {
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "origin",
      "remote.origin.url": root,
      "remote.origin.promisor": "true",
      "remote.origin.uploadpack": program,
    };
    for (const [name, value] of Object.entries(config)) await git(root, "config", name, value);
    const tree = await runGit(root, ["rev-parse", "HEAD^{tree}"]);
    const name = tree?.stdout.trim() ?? "";
    await Deno.remove(join(root, ".git/objects", name.slice(0, 2), name.slice(2)));
    await askAll(root);
    assertEquals(await ran(), "");
  },
);

testInRepository("runGit treats no folder inside a clone as a repository", async ({ root }) => {
  const inner = join(root, "inner");
  await Deno.mkdir(inner);
  await git(inner, "init", "--quiet", "--bare");
  const run = await runGit(inner, ["rev-parse", "--absolute-git-dir"]);
  assertEquals(run?.code === 0 ? run.stdout.trim() : "", "");
});

testInRepository(
  "runGit: fails for output over the limit, and accepts output of exactly the limit",
  async ({ root }) => {
    const args = ["ls-files", "-z"];
    const whole = await runGit(root, args);
    assertEquals([whole?.code, whole?.stdout], [0, ".gitattributes\0page.ts\0"]);
    const bytes = whole?.stdout.length ?? 0;
    assertEquals(await runGit(root, args, { maxBytes: bytes }), whole);
    const cut = await runGit(root, args, { maxBytes: bytes - 1 });
    assertEquals(cut?.stdout, "");
    assert(cut?.code !== 0);
  },
  { ignore: false },
);

testInRepository(
  "runGit: runs nothing in a repository with an unreadable configuration",
  async ({ root }) => {
    await Deno.writeTextFile(join(root, ".git/config"), "[filter\n", { append: true });
    assertEquals(await runGit(root, ["hash-object", "--", "page.ts"]), undefined);
  },
  { ignore: false },
);

for (const file of ["HEAD", "config", "index"]) {
  testInRepository(`runGit: ends at its timeout for a named pipe at ${file}`, async ({ root }) => {
    const path = join(root, ".git", file);
    await Deno.remove(path);
    await new Deno.Command("mkfifo", { args: [path] }).output();
    const run = await runGit(root, ["status"], { timeoutMs: 300 });
    assert(run?.code !== 0);
  });
}
