/** `must`: the templates of a folder, or of a record of text imports. */

import { fromFileUrl, globToRegExp, join, relative, SEPARATOR } from "@std/path";
import { isDevelopment } from "../runtime/addon.ts";
import type { Source } from "./error.ts";
import { type Loader, type TemplateOptions, type Templates, TemplateSet } from "./templates.ts";

/** Where templates come from: a folder, or a record of texts by name. */
export type TemplateSource = string | URL | Readonly<Record<string, string>>;

/** What is a template where no pattern says so. */
const defaultPattern = "**/*.{html,gohtml,tmpl,txt}";

/** The most files of a folder, and the largest of them: a folder that was named by mistake is refused. */
const maxFiles = 5_000;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Parses the templates of a source; call it at the top of a module, so that an app with a broken template
 * does not start. A template is named by its path below the folder, such as `mail/welcome.txt`. Templates
 * that no other one calls are escaped at once.
 *
 * In development (`FW_ENV=dev`) a file that was saved is read again before the next rendering.
 *
 * @param source A folder, or a record of texts by name: text imports, which a compiled executable has.
 * @param patterns Globs below the folder, such as `*.html` and `mail/**`, then options. Without globs,
 * `**` with the endings `.html`, `.gohtml`, `.tmpl` and `.txt`.
 * @returns The set.
 * @throws {TemplateError} where a text is no template.
 * @throws {TypeError} where nothing matches.
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
  const globs = patterns.filter((pattern) => typeof pattern === "string");
  const options = Object.assign({}, ...patterns.filter((pattern) => typeof pattern === "object"));
  const tests = (globs.length === 0 ? [defaultPattern] : globs)
    .map((glob) => globToRegExp(glob, { os: "linux" }));
  const isWanted = (name: string): boolean => tests.some((test) => test.test(name));
  const loader = typeof source === "string" || source instanceof URL
    ? folderLoader(source, isWanted)
    : recordLoader(source, isWanted);
  const sources = loader.load();
  if (sources.length === 0) {
    throw new TypeError(
      `Cannot find a template: no name matches ${globs.join(", ") || defaultPattern}; ` +
        "correct the folder or the pattern.",
    );
  }
  const isWatched = loader.folder !== undefined && isDevelopment();
  const set = new TemplateSet(sources, options, isWatched ? loader : undefined);
  set.check();
  return set;
}

type SourceLoader = Loader & { readonly folder: string | undefined };

function recordLoader(
  record: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): SourceLoader {
  const load = (): Source[] =>
    Object.entries(record).filter(([name]) => isWanted(name)).map(([name, text]) => {
      if (typeof text === "string") return { name, text, file: undefined };
      throw new TypeError(
        `Cannot use the template "${name}": it is no text; import it with { type: "text" }.`,
      );
    });
  return { load, signature: () => "", folder: undefined };
}

function folderLoader(source: string | URL, isWanted: (name: string) => boolean): SourceLoader {
  const folder = source instanceof URL ? fromFileUrl(source) : source;
  const list = (): string[] => listFiles(folder).filter(isWanted).sort();
  const load = (): Source[] =>
    list().map((name) => {
      const file = join(folder, name);
      return { name, text: readText(file), file };
    });
  const signature = (): string =>
    list().map((name) => {
      const { mtime, size } = Deno.statSync(join(folder, name));
      return `${name}\0${mtime?.getTime()}\0${size}`;
    }).join("\0");
  return { load, signature, folder };
}

/** The files below a folder, with `/`; hidden ones are left out. */
function listFiles(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of Deno.readDirSync(path)) {
      if (entry.name.startsWith(".")) continue;
      const full = join(path, entry.name);
      if (entry.isDirectory) visit(full);
      else found.push(relative(folder, full).replaceAll(SEPARATOR, "/"));
      if (found.length > maxFiles) {
        throw new RangeError(
          `Cannot read the templates of "${folder}": it has more than ${maxFiles} files; ` +
            "name the folder of the templates.",
        );
      }
    }
  };
  visit(folder);
  return found;
}

function readText(file: string): string {
  const { size } = Deno.statSync(file);
  if (size <= maxFileBytes) return Deno.readTextFileSync(file);
  throw new RangeError(
    `Cannot read "${file}": it has ${size} bytes, and a template may have ${maxFileBytes}; split it.`,
  );
}
