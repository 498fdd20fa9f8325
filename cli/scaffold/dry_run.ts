import { dirname, join, relative } from "@std/path";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { findProject } from "../project/manifest.ts";
import { Stop } from "../stop.ts";

/** Top-level names that no generator reads or writes; `.git` may be a file. */
const skippedNames = [".git", ".fw", "coverage", "data", "dist", "node_modules"];

/** Maximum size of a copied file: generators read only source code. */
const maxCopiedBytes = 1_048_576;

/**
 * Runs a generator on a copy of the project in a temporary folder and prints which files it would write,
 * change and remove. The copy lacks links, build output, data and files of more than 1 MiB.
 */
export async function dryRun(io: Io, run: (io: Io) => Promise<number>): Promise<number> {
  const messages = messagesOf(io);
  const found = findProject(io.cwd);
  if (found === undefined) throw new Stop(messages.noProject(io.cwd));
  const root = await Deno.realPath(found);
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-dry-run-" }));
  try {
    const copy = join(folder, "project");
    await copyProject(root, copy);
    const cwd = join(copy, relative(root, await Deno.realPath(io.cwd)));
    await Deno.mkdir(cwd, { recursive: true });
    const code = await run({
      ...io,
      // The spread reads this getter anyway, which starts listening for signals.
      signal: io.signal,
      cwd,
      stdout: () => {},
      stderr: (text) => io.stderr(text.replaceAll(copy, root)),
    });
    if (code !== exitCodes.ok) return code;
    for (const [kind, file] of await differences(root, copy)) {
      io.stdout(`${messages.generateWould[kind](file)}\n`);
    }
    io.stdout(`${messages.generateNothingWritten}\n`);
    return code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Reports whether the copy lacks a file or a folder. No generator reads the secrets of `.env`. */
function isLeftOut(name: string, below: string): boolean {
  if (name === "node_modules" || (below === "" && skippedNames.includes(name))) return true;
  return /^\.env(?:\.|$)/.test(name) && name !== ".env.example";
}

/** Lists the files to copy by their relative path, without links, which may leave the project. */
async function* listCopied(root: string, below = ""): AsyncGenerator<string> {
  for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isLeftOut(name, below)) continue;
    if (isDirectory) yield* listCopied(root, path);
    else if (isFile && (await Deno.stat(join(root, path))).size <= maxCopiedBytes) yield path;
  }
}

async function copyProject(root: string, copy: string): Promise<void> {
  for await (const path of listCopied(root)) {
    await Deno.mkdir(dirname(join(copy, path)), { recursive: true });
    await Deno.copyFile(join(root, path), join(copy, path));
  }
}

type Difference = readonly [kind: "write" | "change" | "remove", file: string];

async function differences(root: string, copy: string): Promise<Difference[]> {
  const before = new Set(await Array.fromAsync(listCopied(root)));
  const after = new Set(await Array.fromAsync(listCopied(copy)));
  const found: Difference[] = [];
  for (const file of [...before.union(after)].sort()) {
    if (!after.has(file)) found.push(["remove", file]);
    else if (!before.has(file)) found.push(["write", file]);
    else {
      const [old, text] = [root, copy].map((folder) => Deno.readTextFile(join(folder, file)));
      if (await old !== await text) found.push(["change", file]);
    }
  }
  return found;
}
