/**
 * The names by which files and folders below `app/` become routes. The command line reads them from
 * here, so that the generator and the runtime cannot disagree. Outside the API promise.
 *
 * @module
 */

import styles from "./error_page.css" with { type: "text" };
import reloadSource from "./reload.js" with { type: "text" };

/** The version of the library; the generated file carries the version of the command line. */
export const version = "0.1.0";

/** The name of the generated file. */
export const generatedFile = "fw_gen.ts";

/** The folder whose tree is the route table. */
export const appFolder = "app";

/** The folder of the static files. */
export const publicFolder = "public";

/** The folder of the islands' sources and, below the static files, of their bundles. */
export const islandsFolder = "islands";

/** Every method that a `route.ts` may export, in the order in which `Allow` lists them. */
export const routeMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Every method that a `page.ts` may export beside `Page`. */
export const pageMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;

/** Methods that no file may export: the runtime handles `HEAD` itself and never accepts the other two. */
export const unroutableMethods = ["HEAD", "TRACE", "CONNECT"] as const;

/** Every export of a `middleware.ts`: one for all methods, one for each method. */
export const middlewareExports: readonly string[] = [
  "Middleware",
  ...routeMethods.map((method) => `Middleware${method}`),
];

/** The extensions a convention file may have, by its base name. */
export const conventionFiles: Readonly<Record<string, readonly string[]>> = {
  page: [".ts", ".tsx"],
  route: [".ts"],
  layout: [".ts", ".tsx"],
  middleware: [".ts"],
  not_found: [".ts", ".tsx"],
  error: [".ts", ".tsx"],
  setup: [".ts"],
  kind: [".ts"],
};

/** The meaning of a folder below `app/`. */
export type FolderKind =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "rest"; readonly name: string }
  | { readonly kind: "group"; readonly name: string }
  /** Not a route, silently: `_x`, `testdata`. */
  | { readonly kind: "ignored" }
  /** Not a route, and an error when it holds a page or a route: `.x` other than `.well-known`. */
  | { readonly kind: "hidden" }
  /** Not a valid route; `cause` and `part` (the faulty piece, or the name to use) are for messages. */
  | { readonly kind: "bad"; readonly cause: BadFolderCause; readonly part: string };

/** Why a folder's name is refused. */
export type BadFolderCause = "parameter" | "dynamic-group" | "empty-group" | "character";

const parameterName = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * Reads the name of a folder; `bad` with the cause for a name that no URL can carry.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseFolder } from "@fw/fw/conventions";
 *
 * assertEquals(parseFolder("slug_"), { kind: "param", name: "slug" });
 * assertEquals(parseFolder("organizer-"), { kind: "group", name: "organizer" });
 * ```
 */
export function parseFolder(name: string): FolderKind {
  if (name === ".well-known") return { kind: "literal", text: name };
  if (name.startsWith(".")) return { kind: "hidden" };
  if (name.startsWith("_") || name === "testdata") return { kind: "ignored" };
  // Invisible characters and those that change the text direction make a name look like another. Names
  // that begin with `(`, `$`, `:` or `*` are groups or parameters of other frameworks.
  const [part] = /^[$(*:]|[\p{Cc}\p{Cf}\u2028\u2029 "#%<>?\\^`{|}/[\]]/u.exec(name) ?? [];
  return part === undefined ? parseMarks(name) : { kind: "bad", cause: "character", part };
}

function parseMarks(name: string): FolderKind {
  const [, text = "", marks = ""] = /^(.*?)(__?|-)?$/s.exec(name) ?? [];
  if (marks === "") return { kind: "literal", text: name };
  if (marks === "-" && text === "") return { kind: "bad", cause: "empty-group", part: name };
  if (/[-_]$/.test(text) && (marks === "-") !== text.endsWith("-")) {
    return { kind: "bad", cause: "dynamic-group", part: text.replace(/[-_]+$/, "") };
  }
  if (marks === "-") return { kind: "group", name: text };
  if (!parameterName.test(text) || text.endsWith("_")) {
    return { kind: "bad", cause: "parameter", part: text };
  }
  return { kind: marks === "__" ? "rest" : "param", name: text };
}

/** The path of the event stream that reloads open pages in development. */
export const eventsPath = "/_fw/events";

/** The path of the script that listens to {@link eventsPath}. */
export const reloadScriptPath = "/_fw/events/reload.js";

/**
 * The script at {@link reloadScriptPath}. The stream's first event is `boot` with an id of the server's
 * state; the page reloads when a later `boot` carries another id. `reload` reloads at once; `css` carries
 * `{"path": "/style.css", "version": "…", "boot": "…"}`, swaps that stylesheet and sets the id.
 */
export const reloadScript: string = reloadSource;

/** The element by which development pages reload after every save. */
export const reloadElement: string = `<script src="${reloadScriptPath}"></script>`;

/** The style of the error pages in development: those of the dev server, and those of the application. */
export const errorPageStyles: string = styles;

/**
 * The variable that tells the development server's child where to report, as `127.0.0.1:<port>/<token>`. The
 * child then listens on a free loopback port, connects to that address, writes `<token> <port>\n`, and ends
 * when the connection closes.
 */
export const devReadyVariable = "FW_DEV_READY";

/** The header that passes the browser's address to the development server's child: `<token> <ip> <port>`. */
export const devPeerHeader = "fw-dev-peer";
