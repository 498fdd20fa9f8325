import type { BrokenLinkReason, ExportProblem, SkippedRoute } from "@fw/fw";

export const exportEn = {
  badUrl: `Cannot export for "{text}": use the site's address without user, query and fragment,
    such as https://example.com.`,
  badBasePath: `Cannot export with --base-path "{text}": the path of --base-url is "{path}". Use
    only one of them.`,
  badBase: `Cannot read {flag} "{text}": use a path such as /shop, without dots, queries or
    escapes.`,
  badNumber: 'Cannot read {flag} "{text}": use a positive integer.',
  badLayout: 'Cannot export with --layout "{text}": use folder or file.',
  badPath: 'Cannot read {flag} "{text}": use a path such as /admin, without a final slash.',
  comma: `cannot export to "{folder}": Deno grants no permission for a path with a comma
    Fix: Choose another folder with --out.`,
  progress: "Exporting {done} of {total}: {path}",
  made:
    `Exported {pages} {pages:page|pages}, [[{redirects?} {redirects?:redirect|redirects}, ]]{others}
    {others:other file|other files} to {folder} in {seconds} s.`,
  skippedTitle: "Not exported:",
  skipped: {
    no_paths: "a page with parameters; export Paths from its file to list its pages",
    no_extension: "its path has no extension, so a host could not know the content type",
    not_linked: "no page links to it, and its parameters are not known",
  } satisfies Record<SkippedRoute["reason"], string>,
  more: "and {count} more",
  brokenLink: "{page} links to {link}: {reason}",
  reasons: {
    missing: "no such page or file",
    not_exported: "its route is not in the site",
    excluded: "its route is excluded",
    outside_base: "it leaves the base path; build it with c.href",
  } satisfies Record<BrokenLinkReason, string>,
  noPaths: "Export `Paths` from {file}, which lists the pages of {pattern}.",
  notInPaths: "Correct the link, or add its target to `Paths` in {file}.",
  problem: ({ message }: ExportProblem): string => message,
  failed:
    `{errors} {errors:error|errors} and {links} {links:broken link|broken links}: the export failed.
    Nothing was written.`,
  fix: "Correct the error and export again.",
  stuck: `Shutdown of app/setup.ts did not finish, and the export did not wait for it
    Fix: Find a promise in Shutdown that never settles.`,
  stopped: "Stopped. Nothing was written.",
  died: "The application ended before the export had finished ({how}).",
  permission:
    "The export has the permissions of the start task in deno.json: add the flag there, for exactly " +
    "this path, host or variable.",
} as const;
