import type { ExportProblem, SkippedRoute } from "@fw/fw";

export const runEn = {
  dev: {
    badAddress: `Cannot listen on "{text}": use an address such as "3000", "127.0.0.1:3000" or
      "[::1]:3000".`,
    addressTaken: `Cannot listen on {address}: another program uses this port. Stop it, or choose
      another with --addr, such as \`deno task dev --addr 3001\`.`,
    addressRefused: "Cannot listen on {address}: {reason}. Choose another address with --addr.",
    ready: "Serving {url} (ready in {ms} ms)",
    waiting: "Serving {url} (waiting for the fix)",
    reloaded: "Reloaded {what} in {ms} ms",
    applied: "Applied {what} in {ms} ms",
    more: "{first}[[ and {others?} more]]",
    crashed: "The application ended ({how}). It restarts at the next save.",
    unfollowed: `Cannot watch every file: {reason}. Some saves will be missed. On Linux, raise
      fs.inotify.max_user_watches and fs.inotify.max_user_instances, then restart "dev".`,
    stage: {
      config: "The configuration cannot be read",
      generate: "The routes cannot be generated",
      bundle: "The islands cannot be bundled",
      compile: "The code does not compile",
      boot: "The application does not start",
      crash: "The application ended",
    },
    problemCount: "{count} problems",
    stack: "Stack",
    watching: "Save the fix, or any file to try again: this page reloads itself.",
    watchingOff: "Save the fix, then reload this page.",
    endedByCode: "exit code {code}",
    endedBySignal: "signal {signal}",
    endedEarly: "The process ended before it served requests: {how}",
    endedLate: "The process ended while serving requests: {how}",
    fixSyntax: "Correct the syntax at the marked place.",
    fixModule: 'Create "{file}", or correct the import.',
    fixExport: 'Export "{name}" from "{file}", or correct the name in the import.',
    fixDependency: `Add it with "deno add npm:{name}" or "deno add jsr:{name}", or correct the
      import.`,
    fixJsx: 'Set "jsxImportSource": "@fw/fw" in compilerOptions of deno.json.',
    fixPackage: "Check the name and version of the package in the import, and the network.",
    fixConfig: "Correct the configuration file.",
    fixBrokenOff:
      "A file could not be read or written: check its permissions and the free disk space.",
    fixExit: "Find the call that ends the process, such as Deno.exit, and remove it.",
    fixPending:
      "Find a promise that never settles among those that Setup or a module awaits at top level.",
    fixCircular:
      `Declare {name} above its first use. If it is imported, the modules import each other:
      move {name} into a module that imports neither.`,
    fixSchedule:
      "Correct the schedule, or the list of jobs, where the application calls provideJobs.",
    fixThrown: "Do what the message says, or correct the code that throws during the start.",
    fixCrash:
      "Catch the error where it is thrown, or await the promise that rejects. Then save any file.",
    starting: "The application is starting",
    startingText: `It has not responded for {seconds} seconds. This page tries again by itself. If
      this continues, look in Setup for something that never finishes.`,
    gone: "The application ended before it responded: send the request again.",
    hostRefused: `Cannot serve the host "{host}": open this server as localhost or by its IP
      address, or add the name to FW_ALLOWED_HOSTS.`,
  },
  export: {
    badUrl: `Cannot export for "{text}": use the site's address without user, query and fragment,
      such as https://example.com.`,
    comma: `cannot export to "{folder}": Deno grants no permission for a path with a comma
      Fix: Choose another folder with --out.`,
    progress: "Exporting {done} of {total}: {path}",
    made: `Exported {pages} {pages:page|pages}, [[{redirects?} {redirects?:redirect|redirects},
      ]]{others} {others:other file|other files} to {folder} in {seconds} s.`,
    skippedTitle: "Not exported:",
    skipped: {
      no_paths: "a page with parameters; export Paths from its file to list its pages",
      no_extension: "its path has no extension, so a host could not know the content type",
      not_linked: "no page links to it, and its parameters are not known",
    } satisfies Record<SkippedRoute["reason"], string>,
    more: "and {count} more",
    problem: ({ message }: ExportProblem): string => message,
    fix: "Correct the error and export again.",
    stopped: "Stopped. Nothing was written.",
    died: "The application ended before the export had finished ({how}).",
  },
  islands: {
    bundle: `the islands cannot be bundled: {detail}
      Fix: Correct the error here.`,
    foreign: `an island imports {name}, which no page loads in a browser
      Fix: Do that work on the server, use \`import type\`, or link the stylesheet in a layout.`,
    bundleTaken: `this file was not generated, but has the path of the bundle of {source}
      Fix: Rename one of them, or delete this file.`,
    bundlesOutside: `a link in this path leads out of the project, where bundles are not written
      Fix: Replace the link with a folder.`,
    missing: `public/ has no module {src} for this island
      Fix: [[Did you mean "{near?}"? Otherwise ]]create its source in islands/ and run \`deno task
      gen\`: islands/counter.ts becomes "/islands/counter.js".`,
    count: "{count} {count:problem|problems}; the islands were not bundled.",
    removed: "Removed {file}, which no island needs anymore.",
    fresh: "{count} {count:island is|islands are} up to date.",
    stale: `the bundle is out of date
      Fix: Run \`deno task gen\`, or \`deno task check --fix\`.`,
    unavailable: `cannot bundle {files}: the bundler of Deno is not available ({reason}). Existing
      bundles were not changed
      Fix: Deno fetches esbuild from the npm registry once: check the network and run \`deno task
      gen\` again.`,
  },
} as const;
