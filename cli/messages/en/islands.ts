/**
 * The English texts about islands.
 *
 * @module
 */
import type { ProblemText } from "../../problem.ts";

export const islandsEn = {
  bundle: (detail: string): ProblemText => ({
    message: `the islands cannot be bundled: ${detail}`,
    fix: "Correct the error here.",
  }),
  bundledStyle: (): ProblemText => ({
    message: "an island imports a stylesheet, which no page would load",
    fix: 'Link the stylesheet in the head of a layout, or import its text `with { type: "text" }`.',
  }),
  bundledBuiltin: (name: string): ProblemText => ({
    message: `an island imports ${name}, which browsers do not have`,
    fix: "Do that work on the server and pass the result as props, or use `import type`.",
  }),
  bundleTaken: (source: string): ProblemText => ({
    message: `this file was not generated, but has the path of the bundle of ${source}`,
    fix: "Rename one of them, or delete this file.",
  }),
  bundlesOutside: (): ProblemText => ({
    message: "a link in this path leads out of the project, where bundles are not written",
    fix: "Replace the link with a folder.",
  }),
  missing: (file: string, near: string | undefined): ProblemText => ({
    message: `the file ${file} of this island does not exist`,
    fix: near === undefined
      ? "Create it, or its source in islands/, or correct the name."
      : `Did you mean "${near}"? Otherwise create the file, or its source in islands/.`,
  }),
  unbundled: (file: string, source: string): ProblemText => ({
    message: `the file ${file} of this island does not exist`,
    fix: `Run \`deno task gen\`, which bundles it from ${source}.`,
  }),
  notPublic: (): ProblemText => ({
    message: "the module of this island is not a path in the public folder",
    fix: 'Use a path such as "/islands/counter.js".',
  }),
  isSource: (url: string): ProblemText => ({
    message: "browsers run only JavaScript",
    fix: `Use the path of its bundle: "${url}".`,
  }),
  noDefault: (file: string): ProblemText => ({
    message: `${file} has no default export, so this island has nothing to mount`,
    fix: "Write `export default function (el, props) { … }` there.",
  }),
  count: (count: number): string =>
    `${count} ${count === 1 ? "problem" : "problems"}; the islands were not bundled.`,
  written: (file: string): string => `Wrote ${file}.`,
  removed: (file: string): string => `Removed ${file}, which no island needs anymore.`,
  fresh: (count: number): string =>
    count === 1 ? "1 island is up to date." : `${count} islands are up to date.`,
  freshInDevelopment: (): ProblemText => ({
    message: "the bundles were made by the development server: they are large and have source maps",
    fix: "Run `deno task gen` before a deployment from the sources.",
  }),
  stale: (): ProblemText => ({
    message: "the bundle is out of date",
    fix: "Run `deno task gen`, or `deno task check --fix`.",
  }),
  unavailable: (files: string, reason: string): ProblemText => ({
    message: `cannot bundle ${files}: the bundler of Deno is not available (${reason}). Existing ` +
      "bundles were not changed",
    fix: "Deno fetches esbuild from the npm registry once: check the network and run " +
      "`deno task gen` again.",
  }),
};
