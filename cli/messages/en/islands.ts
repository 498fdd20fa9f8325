export const islandsEn = {
  bundle: `the islands cannot be bundled: {detail}
    Fix: Correct the error here.`,
  bundledStyle: `an island imports a stylesheet, which no page would load
    Fix: Link the stylesheet in the head of a layout, or import its text \`with {{ type: "text"
    }}\`.`,
  bundledBuiltin: `an island imports {name}, which browsers do not have
    Fix: Do that work on the server and pass the result as props, or use \`import type\`.`,
  bundleTaken: `this file was not generated, but has the path of the bundle of {source}
    Fix: Rename one of them, or delete this file.`,
  bundlesOutside: `a link in this path leads out of the project, where bundles are not written
    Fix: Replace the link with a folder.`,
  missing: `the file {file} of this island does not exist
    Fix: [[Did you mean "{near?}"? Otherwise ]]create it, or its source in islands/.`,
  unbundled: `the file {file} of this island does not exist
    Fix: Run \`deno task gen\`, which bundles it from {source}.`,
  notPublic: `the module of this island is not a path in the public folder
    Fix: Use a path such as "/islands/counter.js".`,
  isSource: `browsers run only JavaScript
    Fix: Use the path of its bundle: "{url}".`,
  noDefault: `{file} has no default export, so this island has nothing to mount
    Fix: Write \`export default function (el, props) {{ … }}\` there.`,
  count: "{count} {count:problem|problems}; the islands were not bundled.",
  written: "Wrote {file}.",
  removed: "Removed {file}, which no island needs anymore.",
  fresh: "{count} {count:island is|islands are} up to date.",
  freshInDevelopment: `the bundles were made by the development server: they are large and have
    source maps
    Fix: Run \`deno task gen\` before a deployment from the sources.`,
  stale: `the bundle is out of date
    Fix: Run \`deno task gen\`, or \`deno task check --fix\`.`,
  unavailable: `cannot bundle {files}: the bundler of Deno is not available ({reason}). Existing
    bundles were not changed
    Fix: Deno fetches esbuild from the npm registry once: check the network and run \`deno task
    gen\` again.`,
} as const;
