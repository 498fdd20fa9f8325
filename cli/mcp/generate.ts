/** The tool `generate`: runs the project's task of that name, and shows what it wrote. */
import { type Infer, list, struct, text } from "@fw/fw";
import { runBounded } from "./run.ts";
import { join } from "@std/path";
import { readTextIfThere, statIfThere } from "../project/files/look.ts";

const timeoutMs = 60_000;

const subjects = "page route test island resource auth migration language";

const yesNo = () => text("oneof=yes no").optional();

export const generateInput = struct({
  what: text(`required,oneof=${subjects}`),
  /** A URL, a language, or the name of an island, a resource or a migration; a sign-in has none. */
  name: text("max=200").optional(),
  /** The fields of a resource, each as `title:text,required,max=80`. */
  fields: list(text("required,max=200"), "max=40").optional(),
  methods: text("max=60").optional(),
  provider: text("max=40").optional(),
  singular: text("max=60").optional(),
  bind: yesNo(),
  form: yesNo(),
  passwords: yesNo(),
  passkeys: yesNo(),
  api: yesNo(),
  /** A resource is for signed-in users alone, in an application with a sign-in. */
  guard: yesNo(),
  public: yesNo(),
  dryRun: yesNo(),
});

/** No argument has a character with a meaning in a shell, is a flag, or leads out of a folder. */
const plain = /^[A-Za-z/](?!.*\.\.(?:\/|$))[\w./{}~@+,=-]*$/;
const plainField = /^[A-Za-z]\w*:[\w,=./ -]+$/;

export async function generateFiles(
  root: string,
  { signal, ...asked }: Infer<typeof generateInput> & { readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly isOk: boolean }> {
  const { what, name, fields, methods, provider, singular, ...switches } = asked;
  const values = Object.entries({ name, methods, provider, singular })
    .flatMap(([key, value]) => value === null || value === "" ? [] : [{ key, value }]);
  const wrong = values.find(({ value }) => !plain.test(value))?.key ??
    (fields?.every((field) => plainField.test(field)) === false ? "fields" : undefined);
  if (wrong !== undefined) {
    const text = `Cannot use this for ${wrong}: write a URL such as /events/{id}, a name such as ` +
      "add_venue, and fields such as title:text,required,max=80.";
    return { text, isOk: false };
  }
  const args = [
    what,
    ...values.flatMap(({ key, value }) => key === "name" ? [value] : []),
    ...fields ?? [],
    ...values.flatMap(({ key, value }) => key === "name" ? [] : [`--${key}`, value]),
    ...Object.entries(switches).flatMap(([key, value]) =>
      value === "yes" ? [key === "dryRun" ? "--dry-run" : `--${key}`] : []
    ),
  ];
  const before = await readTexts(root);
  const { code, stdout, stderr, stopped } = await runBounded(
    ["task", "--quiet", "generate", ...args],
    { cwd: root, timeoutMs, signal },
  );
  const output = `${stdout}${stderr}`.trim() || `stopped: ${stopped ?? code}`;
  const isOk = code === 0 && stopped === undefined;
  // A command that was stopped may have written some of its files.
  const diff = diffTexts(before, await readTexts(root));
  return { text: diff === "" ? output : `${output}\n\n## Diff\n${diff}`, isOk };
}

/** The most files and folders that are looked at, the most bytes of one file, and of all. */
const maxEntries = 50_000;
const maxFileBytes = 262_144;
const maxBytes = 67_108_864;

/** Folders whose files no generator writes. */
const skipped = new Set(["node_modules", "dist", "data", "vendor"]);

/** The texts of a project by path; `undefined` for one that is too large to compare. */
export type ProjectTexts = ReadonlyMap<string, string> | undefined;

/** Reads the texts of a project; links, hidden, binary and large files are left out. */
export async function readTexts(root: string, most = maxEntries): Promise<ProjectTexts> {
  const texts = new Map<string, string>();
  const folders = [""];
  let [entries, bytes] = [0, 0];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, folder))) {
      if (++entries > most) return undefined;
      // A hidden file such as `.env` may hold secrets, which the diff would hand to the agent.
      if (name.startsWith(".")) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory && !skipped.has(name)) folders.push(path);
      // A file may go meanwhile, as the journal of a database does.
      const size = isFile ? (await statIfThere(join(root, path)))?.size ?? Infinity : Infinity;
      if (size > maxFileBytes) continue;
      if ((bytes += size) > maxBytes) return undefined;
      const text = await readTextIfThere(join(root, path));
      if (text !== undefined && !text.includes("\0")) texts.set(path, text);
    }
  }
  return texts;
}

const around = 2;

const maxLines = 120;

const maxDiffChars = 1_000_000;

/** Writes what changed, sorted by path: new files as they are, others from the first change to the last. */
export function diffTexts(old: ProjectTexts, now: ProjectTexts): string {
  if (old === undefined || now === undefined) return "The project is too large to compare.\n";
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort()
    .filter((path) => old.get(path) !== now.get(path));
  let room = maxDiffChars;
  const parts = paths.map((path) => diffOf(path, old.get(path), now.get(path)))
    .filter(({ length }) => (room -= length) >= 0);
  const left = paths.length - parts.length;
  return [...parts, ...left > 0 ? [`… ${left} more files\n`] : []].join("\n");
}

function diffOf(path: string, old: string | undefined, now: string | undefined): string {
  const head = old === undefined ? "new file" : now === undefined ? "deleted" : "changed";
  const [gone, come] = [linesOf(old), linesOf(now)];
  let start = 0;
  while (start < Math.min(gone.length, come.length) && gone[start] === come[start]) start++;
  let same = 0;
  const most = Math.min(gone.length, come.length) - start;
  while (same < most && gone[gone.length - 1 - same] === come[come.length - 1 - same]) same++;
  const lines = [
    ...come.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...gone.slice(start, gone.length - same).map((line) => `- ${line}`),
    ...come.slice(start, come.length - same).map((line) => `+ ${line}`),
    ...come.slice(come.length - same, come.length - same + around).map((line) => `  ${line}`),
  ];
  const left = lines.length - maxLines;
  const more = left > 0 ? [`… ${left} more lines`] : [];
  return [`### ${path} (${head})`, ...lines.slice(0, maxLines), ...more, ""].join("\n");
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
