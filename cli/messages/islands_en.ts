/**
 * The English texts about islands.
 *
 * @module
 */
import type { ProblemText } from "../problem.ts";

export const islandsEn = {
  bundle: (detail: string): ProblemText => ({
    message: `the islands cannot be bundled: ${detail}`,
    fix: "Correct it at this place.",
  }),
  bundledStyle: (): ProblemText => ({
    message: "an island imports a style sheet, which no page would load",
    fix: 'Link the sheet in the head of a layout, or import its text `with { type: "text" }`.',
  }),
  bundledBuiltin: (name: string): ProblemText => ({
    message: `an island imports ${name}, which no browser has`,
    fix: "Do that work on the server and hand the result over in the props, or use `import type`.",
  }),
  bundleTaken: (source: string): ProblemText => ({
    message: `this file is in the way of the bundle of ${source}, and was not generated`,
    fix: "Rename one of the two, or delete this file.",
  }),
  bundlesOutside: (): ProblemText => ({
    message: "a link in this path leads out of the project, where no bundle is written",
    fix: "Put a folder in the place of the link.",
  }),
  missing: (file: string, near: string | undefined): ProblemText => ({
    message: `there is no file ${file} for this island`,
    fix: near === undefined
      ? "Create it, or a source in islands/ of which it is bundled, or correct the name."
      : `Did you mean "${near}"? Otherwise create it, or a source in islands/ of which it is bundled.`,
  }),
  notPublic: (): ProblemText => ({
    message: "this island's module is no path of the public folder",
    fix: 'Write one such as "/islands/counter.js".',
  }),
  isSource: (url: string): ProblemText => ({
    message: "a browser runs JavaScript alone",
    fix: `Name what it is bundled to: "${url}".`,
  }),
  noDefault: (file: string): ProblemText => ({
    message: `${file} has no default export, so that this island has nothing to mount`,
    fix: "Write `export default function (el, props) { … }` there.",
  }),
  count: (count: number): string =>
    `${count} ${count === 1 ? "problem" : "problems"}; the islands were not bundled.`,
  written: (file: string): string => `Wrote ${file}.`,
  removed: (file: string): string => `Removed ${file}, which no island needs any more.`,
  fresh: (count: number): string =>
    count === 1 ? "1 island is up to date." : `${count} islands are up to date.`,
  freshInDevelopment: (): ProblemText => ({
    message: "the bundles are those of the development server, large and with source maps",
    fix: "Run `deno task gen` before a deployment from the sources.",
  }),
  stale: (): ProblemText => ({
    message: "the bundle is out of date",
    fix: "Run `deno task gen`.",
  }),
  unavailable: (files: string, reason: string): ProblemText => ({
    message: `cannot bundle ${files}: the bundler of Deno is not available (${reason}). Existing ` +
      "bundles were not changed",
    fix: "Deno fetches esbuild from the npm registry once: check the network and run " +
      "`deno task gen` again.",
  }),
};
