import { fromFileUrl as posixFromFileUrl } from "@std/path/posix/from-file-url";
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
import { join as posixJoin } from "@std/path/posix/join";
import { fromFileUrl as windowsFromFileUrl } from "@std/path/windows/from-file-url";
import { join as windowsJoin } from "@std/path/windows/join";
import type { Source } from "./error.ts";
import { type TemplateOptions, type Templates, TemplateSet } from "./templates.ts";

// The entry points of std for both platforms load Node's `process`, a fifth of a start.
const isWindows = Deno.build.os === "windows";
const fromFileUrl = isWindows ? windowsFromFileUrl : posixFromFileUrl;
const join = isWindows ? windowsJoin : posixJoin;

/** A source of templates: a folder, or a record of texts by name. */
export type TemplateSource = string | URL | Readonly<Record<string, string>>;

const defaultPattern = "**/*.{html,gohtml,tmpl,txt}";

/** Limits on the number and size of files, so that a folder named by mistake is refused. */
const maxFiles = 5_000;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Parses the templates of a source; call it at the top of a module, so that an app with a broken
 * template does not start. A template's name is its path below the folder, such as
 * `mail/welcome.txt`. Templates that no other template calls are escaped at once.
 *
 * @param source A folder, or a record of texts by name: text imports, for compiled executables.
 * @param patterns Globs below the folder, such as `*.html` and `mail/**`, then options. Without
 * globs, all files with the extensions `.html`, `.gohtml`, `.tmpl` and `.txt`.
 * @returns The set.
 * @throws {TemplateError} if a text is not a valid template.
 * @throws {TypeError} if nothing matches, or the folder cannot be read.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { must, node } from "@fw/fw/tmpl";
 *
 * const views = must({ "hello.html": "<p>Hello, {{upper .name}}", "a.css": "" }, "*.html", {
 *   funcs: { upper: (text: string) => text.toUpperCase() },
 * });
 * assertEquals(node(views, "hello.html", { name: "Ana" }).render(), "<p>Hello, ANA");
 * ```
 */
export function must(
  source: TemplateSource,
  ...patterns: readonly (string | TemplateOptions)[]
): Templates {
  const last = patterns.at(-1);
  const options = typeof last === "object" ? last : {};
  const globs = typeof last === "object" ? patterns.slice(0, -1) : patterns;
  if (!globs.every((glob) => typeof glob === "string")) {
    throw new TypeError("Cannot use the patterns: pass globs, then at most one object of options.");
  }
  const tests = (globs.length === 0 ? [defaultPattern] : globs)
    .map((glob) => globToRegExp(glob));
  const isWanted = (name: string): boolean => tests.some((test) => test.test(name));
  const isFolder = typeof source === "string" || source instanceof URL;
  const sources = isFolder
    ? readFolder(source instanceof URL ? fromFileUrl(source) : source, isWanted)
    : readRecord(source, isWanted);
  if (sources.length === 0) {
    throw new TypeError(
      `Cannot find a template: no name matches ${globs.join(", ") || defaultPattern}; ` +
        "correct the folder or the pattern.",
    );
  }
  const set = new TemplateSet(sources, options);
  set.check();
  return set;
}

function readRecord(
  record: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): readonly Source[] {
  return Object.entries(record).filter(([name]) => isWanted(name)).map(([name, text]) => {
    if (typeof text === "string") return { name, text, file: undefined };
    throw new TypeError(
      `Cannot use the template "${name}": it is not a string; import it with { type: "text" }.`,
    );
  });
}

function readFolder(folder: string, isWanted: (name: string) => boolean): readonly Source[] {
  return readable(folder, listFiles).filter(isWanted).sort().map((name) => {
    const file = join(folder, name);
    return { name, text: readable(file, readText), file };
  });
}

/** Reads a file or a folder; a system error gets a suggested fix. */
function readable<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const fix = cause instanceof Deno.errors.NotFound
      ? "it does not exist; correct the path, which is relative to the working directory"
      : cause instanceof Deno.errors.NotCapable
      ? "permission denied; add it to --allow-read of the start task"
      : String(cause);
    throw new TypeError(`Cannot read the templates of "${path}": ${fix}.`, { cause });
  }
}

/** Lists the files below a folder, separated by `/`; skips hidden files and follows links. */
function listFiles(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of Deno.readDirSync(join(folder, path))) {
      if (entry.name.startsWith(".")) continue;
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      const isFolder = entry.isSymlink
        ? Deno.statSync(join(folder, name)).isDirectory
        : entry.isDirectory;
      if (isFolder) visit(name);
      else found.push(name);
      if (found.length > maxFiles) {
        throw new RangeError(
          `Cannot read the templates of "${folder}": it has more than ${maxFiles} files; ` +
            "name the folder of the templates.",
        );
      }
    }
  };
  visit("");
  return found;
}

function readText(file: string): string {
  const { size } = Deno.statSync(file);
  if (size <= maxFileBytes) return Deno.readTextFileSync(file);
  throw new RangeError(
    `Cannot read "${file}": it has ${size} bytes, and a template may have ${maxFileBytes}; split it.`,
  );
}
