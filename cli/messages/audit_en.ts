import type { ProblemText } from "../problem.ts";

const newSecret = "what `openssl rand -base64 48` prints";

/** The English texts of `audit`. */
export const auditEn = {
  looking: "Looking at the settings, the routes, the types, the lint and the dependencies",
  inOrder: "In order:",
  summary: (critical: number, warnings: number, notes: number, ok: number): string =>
    `${critical} critical, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ` +
    `${notes} ${notes === 1 ? "note" : "notes"}, ${ok} in order.`,

  settingsRead: "the settings of Config and Setup",
  settingsUnread: (): ProblemText => ({
    message: "Config or Setup hands the settings to code that is not read here",
    fix: "What that code sets was not looked at: set it in Config itself, or check it by hand.",
  }),

  envProd: "the environment is prod",
  envDev: (where: string): ProblemText => ({
    message: `${where} makes the environment dev: strangers see sources and stacks`,
    fix: "Remove it; without FW_ENV the environment is prod.",
  }),
  envDevHere: (): ProblemText => ({
    message: "FW_ENV is dev here",
    fix: "In production leave it out, or set it to prod.",
  }),

  variablesKnown: "the names of the variables",
  variableUnknown: (name: string, nearest: string): ProblemText => ({
    message: `${name} is set, but nothing reads it: is ${nearest} meant?`,
    fix: `Call it ${nearest}, or take it away.`,
  }),

  envFileIgnored: "no .env that git sees",
  envFileSeen: (): ProblemText => ({
    message: ".env is not ignored by git: its secrets get into the history",
    fix: "Write /.env into .gitignore. Where it was committed, run `git rm --cached .env` and " +
      "replace the secrets: they are known.",
  }),

  secretSet: "the signing key",
  secretMissing: (variable: string): ProblemText => ({
    message: `${variable} is not set here`,
    fix: `Where the application runs, set it to 32 bytes or more, such as ${newSecret}. Nothing ` +
      "in the sources signs a cookie yet.",
  }),
  secretMissingUsed: (variable: string, calls: string): ProblemText => ({
    message: `${variable} is not set here, and the code signs cookies (${calls})`,
    fix:
      `Where the application runs, set it to 32 bytes or more, such as ${newSecret}; without it ` +
      "signing fails in production.",
  }),
  secretShort: (name: string, bytes: number): ProblemText => ({
    message: `${name} has ${bytes} bytes; fewer than 32 can be guessed`,
    fix: `Set it to 32 bytes or more, such as ${newSecret}.`,
  }),
  secretInCode: (name: string): ProblemText => ({
    message: `${name} is written in the code, for everybody who sees it`,
    fix: "Read it from a variable, and replace it: it is known.",
  }),
  secretByCode: (name: string): ProblemText => ({
    message: `${name} is made by code; its length was not looked at`,
    fix: "Make sure that it has 32 bytes or more; the application refuses to start otherwise.",
  }),

  tokenSet: "the observability token",
  tokenNone: "no observability token",

  metricsOff: "metrics are off",
  metricsGuarded: (path: string): string => `metrics at ${path} are guarded`,
  metricsOpen: (path: string): ProblemText => ({
    message: `The metrics at ${path} have neither a token nor a trusted network`,
    fix: "Set FW_OBS_TOKEN to 32 bytes or more, or observability.trusted (FW_OBS_TRUSTED) to the " +
      "network of the scraper. Where production sets them, run audit with its variables.",
  }),
  somePath: "a path that code makes",

  trustedFine: "trusted networks",
  trustedEverybody: (networks: string): ProblemText => ({
    message: `observability.trusted holds ${networks}: everybody reads metrics and details`,
    fix: "List the networks that scrape and probe.",
  }),

  proxiesSet: "trusted proxies",
  proxiesNone: (): ProblemText => ({
    message: "No proxy is trusted, so X-Forwarded-For and X-Forwarded-Proto are ignored",
    fix: "Behind a proxy set FW_TRUSTED_PROXIES to its address: otherwise every client has the " +
      "proxy's address, and HTTPS is not seen. Without a proxy all is well.",
  }),
  proxiesEverybody: (networks: string): ProblemText => ({
    message: `trustedProxies holds ${networks}: any client may claim any address and HTTPS`,
    fix: "List the addresses of the proxies.",
  }),

  hostsSet: "allowed hosts",
  hostsNone: (): ProblemText => ({
    message: "No allowed hosts are set: a request may claim any host",
    fix: "Set FW_ALLOWED_HOSTS to the names under which the application is called.",
  }),

  headersOn: "the security headers",
  headersOff: (names: string): ProblemText => ({
    message: `Security headers are turned off: ${names}`,
    fix: "Turn them on again unless what stands before the application writes them.",
  }),

  healthChecked: (count: number): string => `${count} health ${count === 1 ? "check" : "checks"}`,
  healthOff: "health endpoints are off",
  healthUnchecked: (): ProblemText => ({
    message: "No health check is registered: readiness says pass whatever is broken",
    fix: 'In Setup call app.check("database", …) for each thing without which the application ' +
      "cannot answer.",
  }),

  generatedFresh: "fw_gen.ts is up to date",
  generatedStale: (): ProblemText => ({
    message: "fw_gen.ts is out of date: routes are missing or wrong",
    fix: "Run `deno task gen` and commit the file.",
  }),
  generatedBroken: (count: number, first: string): ProblemText => ({
    message: `fw_gen.ts cannot be generated: ${count} ${
      count === 1 ? "problem" : "problems"
    }, the first: ${first}`,
    fix: "Run `deno task gen`, which lists them with their fixes.",
  }),

  kindsDeclared: "every write route has a Kind",
  kindsMissing: (): ProblemText => ({
    message:
      "Routes that write are reached by no Kind, in an application that also serves pages: " +
      "they check no CSRF token",
    fix: "Put a kind.ts into their folder: KindPage where a browser's session calls them (the " +
      "token is checked), KindAPI where callers bring a token of their own.",
  }),

  csrfOn: "no route opts out of the CSRF check",
  csrfOff: (): ProblemText => ({
    message: "Routes opt out of the CSRF check (CSRF = false)",
    fix: "Each must know its caller otherwise: by a signature or a token in the request.",
  }),

  signInNone: "no sign-in",
  signInFine: "the sign-in",
  signInSecret: (): ProblemText => ({
    message: "The sign-in signs cookies, and production has no FW_SECRET: nobody can sign in",
    fix: "Set FW_SECRET to 32 bytes or more, the same on every replica.",
  }),
  signInPasskeys: (): ProblemText => ({
    message: "Passkeys are in memory: after a restart nobody can sign in with theirs",
    fix: "Use sqlitePasskeyStore(db), or a store of your own.",
  }),
  signInRedirect: (): ProblemText => ({
    message: "The identity provider sends the browser back over plain HTTP",
    fix: "Register and set an https URL as redirectUrl.",
  }),
  signInMemory: (): ProblemText => ({
    message:
      "Sessions are in memory: a restart signs everybody out, and replicas do not share them",
    fix: "Use sqliteSessionStore(db) or kvSessionStore(kv).",
  }),
  signInCookies: (): ProblemText => ({
    message: "Sessions are in cookies alone: a stolen one cannot be ended before it expires",
    fix: "Give createSessions a store where that matters.",
  }),

  guardsNone: "no guards",
  guardsFine: "the routes beside guarded ones",
  guardsMissing: (): ProblemText => ({
    message:
      "A route without a guard stands beside a folder with one: a guard covers its folder alone",
    fix: "Move the middleware.ts up, or guard the route in its handler. A public route is fine.",
  }),

  startFine: "the start task",
  startLibrary: (): ProblemText => ({
    message:
      'The start task runs fw_gen.ts, which serves nothing: deno.json has "exports", so the ' +
      "application is a library",
    fix: "Remove the task, or remove exports.",
  }),
  startNone: (): ProblemText => ({
    message:
      "No start task runs the application with `deno run`; its permissions were not looked at",
    fix: "Add one with the permissions that the application needs.",
  }),

  permissionsNamed: "permissions are named one by one",
  permissionsAll: (tasks: string): ProblemText => ({
    message: `Everything is allowed (-A) in the task ${tasks}`,
    fix: "Name the permissions: --allow-net=0.0.0.0,127.0.0.1 --allow-env=FW_*,PORT,ADDR " +
      "--allow-read=public and what else the log asks for.",
  }),
  permissionsWide: (flags: string): ProblemText => ({
    message: `The start task allows more than names: ${flags}`,
    fix: "Add the names behind =, such as --allow-read=public.",
  }),

  envAllowed: "the variables that the code reads",
  envRefused: (names: string, flag: string): ProblemText => ({
    message: `The code reads ${names}, which the start task does not allow`,
    fix: `Write ${flag} into the start task; without it the read throws.`,
  }),

  lockKept: "deno.lock",
  lockOff: (): ProblemText => ({
    message: "deno.json turns the lock file off: two builds may hold different packages",
    fix: 'Remove "lock": false and commit deno.lock.',
  }),
  lockMissing: (): ProblemText => ({
    message: "There is no deno.lock: two builds may hold different packages",
    fix: "Run `deno install` and commit the file.",
  }),

  ageKept: "packages wait a day before they are used",
  ageOff: (): ProblemText => ({
    message: "minimumDependencyAge is off: a package is used the moment it is published",
    fix: 'Set it to "P1D" or more in deno.json: most malicious releases are found within a day.',
  }),

  versionsMatch: (version: string): string => `library and command line are both ${version}`,
  versionsDiffer: (library: string, cli: string): ProblemText => ({
    message: `The library is ${library}, the command line ${cli}`,
    fix: "Give both the same version in deno.json, then run `deno task gen`.",
  }),
  versionsUnknown: (): ProblemText => ({
    message: "The version of the library could not be found out",
    fix: "Run `deno install`, which fetches it.",
  }),

  denoFine: (version: string): string => `Deno ${version}`,
  denoOld: (version: string, oldest: string): ProblemText => ({
    message: `Deno ${version} is older than ${oldest}, the oldest that fw supports`,
    fix: "Run `deno upgrade`.",
  }),

  lintFine: "deno lint",
  lintFix: "Correct it; `deno lint` explains the rule.",
  typesFine: "deno check",
  typesFix: "Correct it; `deno check` shows the code.",

  vulnerabilitiesNone: "no known vulnerability in the packages",
  vulnerabilities: (counts: string, packages: string): ProblemText => ({
    message: `Packages have known vulnerabilities (${counts}): ${packages}`,
    fix: "Run `deno audit`, which names the advisories, and raise the versions.",
  }),
  vulnerabilitiesUnknown: (reason: string): ProblemText => ({
    message: `Packages were not scanned for vulnerabilities: ${reason}`,
    fix: "Run `deno audit` where the registry can be reached.",
  }),
  unreachable: "the registry's service cannot be reached",
};
