export const describeEn = {
  ctx: {
    intro:
      `fw {version}, {routes} {routes:route|routes}. Layouts and middleware of a folder apply to
      everything below it.`,
    routes: "Routes",
    layouts: "Layouts, with the number of routes",
    middleware: "Middleware, with the number of routes",
    types: "Types",
    provides: "Provided by Setup",
    settings: "Settings",
    variables: "Variables",
    islands: "Islands",
  },
  docs: {
    nothing: 'Nothing is found for "{query}". Use fewer words, or English ones.',
  },
  policy: {
    missing: `{file} does not exist
      Fix: Run \`deno task policy\` and commit the file.`,
    directions: { weaker: "weaker", stronger: "stronger", changed: "changed" },
    fields: {
      kind: "kind",
      csrf: "CSRF check",
      cors: "CORS origin",
      body: "body limit",
      rate: "rate limit",
      read: "read deadline",
      write: "write deadline",
      cache: "cache",
      guards: "guard",
      middleware: "middleware",
    },
    added: "new, without a guard",
    addedGuarded: "new, with the guard {guards}",
    removed: "removed",
    memberAdded: "{field} {value} added",
    memberRemoved: "{field} {value} removed",
    fix: "If it is meant, run `deno task policy` and commit policy.txt; otherwise undo the change.",
    fixWeaker:
      "Undo the change. If it is meant, run `deno task policy`, commit policy.txt and tell the reviewer why.",
  },
} as const;
