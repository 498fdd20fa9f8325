import { dirname, join, relative, resolve, SEPARATOR } from "@std/path";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { liesIn } from "../project/files/look.ts";
import { findProject } from "../project/manifest.ts";
import { runGit } from "../project/process/git.ts";
import { Stop } from "../stop.ts";

/** Names at the top of a project that no generator reads or writes; `.git` may be a file. */
const skippedNames: ReadonlySet<string> = new Set([
  ".git",
  ".fw",
  "coverage",
  "data",
  "dist",
  "node_modules",
]);

/** The largest file that is copied: what generators read is source code. */
const maxCopiedBytes = 1_048_576;

/**
 * Runs a generator on a copy of the project in a temporary folder and prints which files it would write,
 * change and remove. The copy lacks build output, data and files of more than 1 MiB.
 */
export async function dryRun(io: Io, run: (io: Io) => Promise<number>): Promise<number> {
  const messages = messagesOf(io);
  const found = findProject(io.cwd);
  if (found === undefined) throw new Stop(messages.noProject(io.cwd));
  const root = await Deno.realPath(found);
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-dry-run-" }));
  try {
    const copy = await copyProject(root, folder);
    const cwd = join(copy, relative(root, await Deno.realPath(io.cwd)));
    await Deno.mkdir(cwd, { recursive: true });
    const code = await run({
      ...io,
      // Read here: spreading would start to listen for signals.
      signal: io.signal,
      cwd,
      stdout: () => {},
      stderr: (text) => io.stderr(text.replaceAll(copy, root)),
    });
    if (code !== exitCodes.ok) return code;
    for (const line of await differences(root, copy)) {
      io.stdout(`${messages.generateWould[line.kind](line.file)}\n`);
    }
    io.stdout(`${messages.generateNothingWritten}\n`);
    return code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies a project to where it lies in its repository, so that git compares the copy with the commit. */
async function copyProject(root: string, folder: string): Promise<string> {
  const asked = await runGit(root, ["rev-parse", "--show-toplevel", "--git-common-dir"]);
  const head = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  const [top, repository] = asked?.code === 0 ? asked.stdout.split("\n") : [];
  const above = top === undefined ? root : await Deno.realPath(top);
  // A repository may name any folder as its top: below another one, the copy would leave its folder.
  if (top === undefined || repository === undefined || head?.code !== 0 || !liesIn(root, above)) {
    const copy = join(folder, "project");
    await copyProjectFolder(root, copy);
    return copy;
  }
  // A working tree beside that of the repository, whose own `core.worktree` then counts no more: the
  // repository of a submodule names the submodule's folder there.
  await Deno.mkdir(join(folder, ".git"));
  await Deno.writeTextFile(join(folder, ".git/commondir"), `${resolve(root, repository)}\n`);
  await Deno.writeTextFile(join(folder, ".git/HEAD"), head.stdout);
  const copy = join(folder, relative(above, root));
  await copyProjectFolder(root, copy);
  return copy;
}

/** Reports whether the copy lacks a file or a folder. No generator reads the secrets of `.env`. */
function isLeftOut(name: string, below: string): boolean {
  if (name === "node_modules" || (below === "" && skippedNames.has(name))) return true;
  return /^\.env(?:\.|$)/.test(name) && name !== ".env.example";
}

async function copyProjectFolder(root: string, copy: string, below = ""): Promise<void> {
  await Deno.mkdir(join(copy, below), { recursive: true });
  for await (const { name, isDirectory, isFile, isSymlink } of Deno.readDir(join(root, below))) {
    if (isLeftOut(name, below)) continue;
    const path = join(below, name);
    const source = join(root, path);
    if (isDirectory) await copyProjectFolder(root, copy, path);
    else if (isFile && (await Deno.stat(source)).size <= maxCopiedBytes) {
      await Deno.copyFile(source, join(copy, path));
    } else if (isSymlink) await copyLink(path, { root, copy });
  }
}

/** Copies a link: one that leads out of the project still does, and is refused. */
async function copyLink(
  path: string,
  { root, copy }: { readonly root: string; readonly copy: string },
): Promise<void> {
  const to = await Deno.readLink(join(root, path));
  const goal = resolve(dirname(join(root, path)), to);
  const isInside = goal === root || goal.startsWith(`${root}${SEPARATOR}`);
  await Deno.symlink(isInside ? join(copy, relative(root, goal)) : goal, join(copy, path));
}

interface Difference {
  readonly kind: "write" | "change" | "remove";
  readonly file: string;
}

async function differences(root: string, copy: string): Promise<Difference[]> {
  const [before, after] = [new Set(await listFiles(root)), new Set(await listFiles(copy))];
  const found: Difference[] = [];
  for (const file of after) {
    if (!before.has(file)) found.push({ kind: "write", file });
    else if (await differ(join(root, file), join(copy, file))) found.push({ kind: "change", file });
  }
  for (const file of before) if (!after.has(file)) found.push({ kind: "remove", file });
  return found.sort((one, other) => one.file < other.file ? -1 : 1);
}

async function listFiles(root: string, below = ""): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(join(root, below))) {
    if (isLeftOut(name, below)) continue;
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) files.push(...await listFiles(root, path));
    else if (isFile && (await Deno.stat(join(root, path))).size <= maxCopiedBytes) files.push(path);
  }
  return files;
}

async function differ(one: string, other: string): Promise<boolean> {
  return await Deno.readTextFile(one) !== await Deno.readTextFile(other);
}
