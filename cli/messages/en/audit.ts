import type { ProblemText } from "../../problem.ts";

const newSecret = "what `openssl rand -base64 48` prints";

/** The English texts of `audit`. */
export const auditEn = {
  looking: "Checking the settings, routes, types, lint and dependencies",
  inOrder: "In order:",
  summary: (critical: number, warnings: number, notes: number, ok: number): string =>
    `${critical} critical, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ` +
    `${notes} ${notes === 1 ? "note" : "notes"}, ${ok} in order.`,

  settingsRead: "the settings of Config and Setup",
  settingsUnread: (): ProblemText => ({
    message: "Config or Setup uses the settings in a way that the audit does not understand",
    fix: "Assign the settings directly in Config, or check them by hand.",
  }),

  envProd: "the environment is prod",
  envDev: (where: string): ProblemText => ({
    message: `${where} sets the environment to dev, in which clients see source code and stacks`,
    fix: "Remove it. Without FW_ENV the environment is prod.",
  }),
  envDevHere: (): ProblemText => ({
    message: "FW_ENV is dev on this machine",
    fix: "In production, leave it unset or set it to prod.",
  }),

  variablesKnown: "the names of the variables",
  variableUnknown: (name: string, nearest: string): ProblemText => ({
    message: `${name} is set, but nothing reads it; did you mean ${nearest}?`,
    fix: `Rename it to ${nearest}, or remove it.`,
  }),

  envFileIgnored: "no .env that git sees",
  envFileSeen: (): ProblemText => ({
    message: ".env is not ignored by git, so its secrets may be committed",
    fix:
      "Add /.env to .gitignore. If it was committed, run `git rm --cached .env` and replace the " +
      "secrets.",
  }),

  secretSet: "the signing key",
  secretMissing: (variable: string): ProblemText => ({
    message: `${variable} is not set on this machine`,
    fix:
      `In production, set it to 32 bytes or more, such as ${newSecret}. No source signs a cookie yet.`,
  }),
  secretMissingUsed: (variable: string, calls: string): ProblemText => ({
    message: `${variable} is not set on this machine, and the code signs cookies (${calls})`,
    fix:
      `In production, set it to 32 bytes or more, such as ${newSecret}. Without it, signing fails.`,
  }),
  secretShort: (name: string, bytes: number): ProblemText => ({
    message: `${name} has ${bytes} bytes; less than 32 can be guessed`,
    fix: `Set it to 32 bytes or more, such as ${newSecret}.`,
  }),
  secretInCode: (name: string): ProblemText => ({
    message: `${name} is written in the code`,
    fix:
      "Read it from an environment variable, and replace the secret, since the code contains it.",
  }),
  secretByCode: (name: string): ProblemText => ({
    message: `${name} is computed by code, so its length was not checked`,
    fix: "Make sure that it has 32 bytes or more. Otherwise the application does not start.",
  }),

  tokenSet: "the observability token",
  tokenNone: "no observability token",

  incidentsOff: "no incidents are kept",
  incidentsPrivate: "the folder of incidents",
  incidentsServed: (folder: string): ProblemText => ({
    message: `incidents are kept in ${folder}, which is served: any client can read the requests`,
    fix: "Set observability.incidents to a folder that is not served, such as .fw/incidents.",
  }),
  incidentsCommitted: (folder: string): ProblemText => ({
    message: `git tracks files of ${folder}, which hold what users sent`,
    fix: `Run \`git rm -r --cached ${folder}\` and add /${folder} to .gitignore.`,
  }),
  incidentsRefused: (folder: string): ProblemText => ({
    message: `the start task may not write to ${folder}, so no incident is kept`,
    fix: `Add --allow-read=${folder} and --allow-write=${folder} to the start task.`,
  }),

  metricsOff: "metrics are off",
  metricsGuarded: (path: string): string => `metrics at ${path} are guarded`,
  metricsOpen: (path: string): ProblemText => ({
    message: `The metrics at ${path} are public: they need a token or a trusted network`,
    fix: "Set FW_OBS_TOKEN to 32 bytes or more, or observability.trusted (FW_OBS_TRUSTED) to the " +
      "network of the scraper. If production sets them, run audit with its variables.",
  }),
  somePath: "a computed path",

  trustedFine: "trusted networks",
  trustedEverybody: (networks: string): ProblemText => ({
    message:
      `observability.trusted contains ${networks}, so any client can read metrics and details`,
    fix: "List only the networks of scrapers and probes.",
  }),

  proxiesSet: "trusted proxies",
  proxiesNone: (): ProblemText => ({
    message: "No proxy is trusted, so X-Forwarded-For and X-Forwarded-Proto are ignored",
    fix: "Behind a proxy, set FW_TRUSTED_PROXIES to its address. Otherwise every client has the " +
      "proxy's address, and HTTPS is not detected. Without a proxy, nothing is to be done.",
  }),
  proxiesEverybody: (networks: string): ProblemText => ({
    message: `trustedProxies contains ${networks}, so any client can forge its address and HTTPS`,
    fix: "List only the addresses of the proxies.",
  }),

  hostsSet: "allowed hosts",
  hostsNone: (): ProblemText => ({
    message: "No allowed hosts are set, so a request may name any host",
    fix: "Set FW_ALLOWED_HOSTS to the host names of the application.",
  }),

  headersOn: "the security headers",
  headersOff: (names: string): ProblemText => ({
    message: `Security headers are off: ${names}`,
    fix: "Turn them on, unless a proxy in front of the application sets them.",
  }),

  healthChecked: (count: number): string => `${count} health ${count === 1 ? "check" : "checks"}`,
  healthOff: "health endpoints are off",
  healthUnchecked: (): ProblemText => ({
    message: "No health check is registered, so readiness always passes",
    fix: 'In Setup, call app.check("database", …) for each dependency that the application needs.',
  }),

  generatedFresh: "fw_gen.ts is up to date",
  generatedStale: (): ProblemText => ({
    message: "fw_gen.ts is out of date, so routes are missing or wrong",
    fix: "Run `deno task gen` and commit the file.",
  }),
  generatedByOther: (): ProblemText => ({
    message: "fw_gen.ts was written by another version of @fw/cli; its routes are the same",
    fix: "Run `deno task gen` and commit the file.",
  }),
  generatedBroken: (count: number, first: string): ProblemText => ({
    message: `fw_gen.ts cannot be generated: ${count} ${
      count === 1 ? "problem" : "problems"
    }, the first: ${first}`,
    fix: "Run `deno task gen`, which lists all problems with their fixes.",
  }),

  kindsDeclared: "every write route has a Kind",
  kindsMissing: (): ProblemText => ({
    message: "These routes write and have no Kind, in an application that also has pages: " +
      "they check no CSRF token and only refuse cross-site requests that carry cookies",
    fix:
      'Add a kind.ts to their folder: `export const Kind = "page";` for forms of pages (the token is ' +
      'checked, errors are HTML), `export const Kind = "api";` for an API (errors are JSON). Where scripts ' +
      "call the API with the cookie of a session, set `config.csrfForApi = true` too: it checks their token.",
  }),

  csrfOn: "every write checks a CSRF token or refuses cross-site requests that carry cookies",
  csrfOff: (): ProblemText => ({
    message:
      "These routes turn the CSRF check off (CSRF = false): they accept cross-site requests " +
      "that carry cookies",
    fix:
      "Each must authenticate its caller in another way, by a signature or a token in the request.",
  }),

  signInNone: "no sign-in",
  signInFine: "the sign-in",
  signInSecret: (): ProblemText => ({
    message: "The sign-in signs cookies, and production has no FW_SECRET: that sign-in fails",
    fix: "Set FW_SECRET to 32 bytes or more, the same on every replica.",
  }),
  signInPasskeys: (): ProblemText => ({
    message: "Passkeys are in memory: a restart deletes them, and their users cannot sign in",
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
  signInVariables: (names: string): ProblemText => ({
    message: `The sign-in reads variables that are not set here: ${names}`,
    fix: "Set them in production; a public client has no secret.",
  }),

  guardsNone: "no guards",
  guardsFine: "the routes beside guarded ones",
  guardsFloating: (): ProblemText => ({
    message: "A guard in a handler is not awaited: the handler goes on for every visitor",
    fix: "Write `await` before it, as in `await sessions.require(c)`.",
  }),
  guardsMissing: (): ProblemText => ({
    message:
      "A route without a guard stands beside a folder with one: a guard covers its folder alone",
    fix:
      "Move the middleware.ts up, or guard the route in its handler. Where it is public, put the guarded ones " +
      "in a group, such as members-: routes beside it that only read are an info. A form for everyone is fine.",
  }),
  guardsBeside: (): ProblemText => ({
    message: "Routes beside a guarded group are public: is that meant?",
    fix: "Move into the group what only its visitors may read. Public routes are fine.",
  }),
  guardsWriting: (): ProblemText => ({
    message: "A route that writes has no guard, in an application with guarded folders",
    fix: "Guard it with a middleware.ts or in its handler. A form for everyone is fine.",
  }),
  signInLimited: "the limits of sign-ins",
  signInUnlimited: (): ProblemText => ({
    message: "A password can be tried without a limit",
    fix:
      "Add `export const MiddlewarePOST = limit(0.1, 10);` to a middleware.ts in the folder of this file, " +
      'with `import { limit } from "@fw/fw";`.',
  }),
  sharedNone: "the caching of guarded routes",
  sharedGuarded: (): ProblemText => ({
    message: "The code of a guarded route lets shared caches keep the response",
    fix:
      'Call `c.cacheControl("private")` here, or remove the guard if the response is for everyone.',
  }),

  socketsNone: "no WebSockets",
  socketsGuarded: "WebSockets behind a guard",
  socketsOpen: (): ProblemText => ({
    message: "A route upgrades to a WebSocket without a guard: any client may hold connections " +
      "open and send messages that are buffered whole",
    fix: "Guard it with a middleware.ts or in its handler, and limit traffic in the proxy.",
  }),

  startFine: "the start task",
  startLibrary: (): ProblemText => ({
    message:
      'The start task runs fw_gen.ts, which does not start a server: deno.json has "exports", so ' +
      "the application is a library",
    fix: "Remove the task, or remove exports.",
  }),
  startNone: (): ProblemText => ({
    message:
      "No start task runs the application with `deno run`, so its permissions were not checked",
    fix: "Add a start task with the permissions that the application needs.",
  }),

  permissionsNamed: "permissions are limited to names",
  permissionsAll: (tasks: string): ProblemText => ({
    message: `All permissions are granted (-A) in the task ${tasks}`,
    fix:
      "Grant only what is needed: --allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR " +
      "--allow-read=public, and what the log asks for.",
  }),
  permissionsWide: (flags: string): ProblemText => ({
    message: `The start task grants permissions without a list: ${flags}`,
    fix: "Add a list, such as --allow-read=public.",
  }),

  envAllowed: "the variables that the code reads",
  envRefused: (names: string, flag: string): ProblemText => ({
    message: `The code reads ${names}, which the start task does not allow`,
    fix: `Use ${flag} in the start task. Otherwise the read throws.`,
  }),

  netAllowed: "the services that the variables name",
  netRefused: (name: string, host: string, flag: string): ProblemText => ({
    message: `${name} is at ${host}, which the start task may not reach`,
    fix: `Use ${flag} in the start task. Otherwise each request to it throws.`,
  }),

  lockKept: "deno.lock",
  lockOff: (): ProblemText => ({
    message: "deno.json turns the lock file off, so two builds may use different packages",
    fix: 'Remove "lock": false and commit deno.lock.',
  }),
  lockMissing: (): ProblemText => ({
    message: "There is no deno.lock, so two builds may use different packages",
    fix: "Run `deno install` and commit the file.",
  }),

  ageKept: "a delay before new packages are used",
  ageOff: (): ProblemText => ({
    message: "minimumDependencyAge is off, so a package may be used as soon as it is published",
    fix: 'Set it to "P1D" or more in deno.json: most malicious releases are found within a day.',
  }),

  versionsMatch: (version: string): string => `library and command line ${version}`,
  versionsDiffer: (library: string, cli: string): ProblemText => ({
    message: `The library is ${library}, the command line ${cli}`,
    fix: "Use the same version of both in deno.json, then run `deno task gen`.",
  }),
  versionsUnknown: (): ProblemText => ({
    message: "The version of the library is not known",
    fix: "Run `deno install`, which fetches it.",
  }),

  denoFine: (version: string): string => `Deno ${version}`,
  denoOld: (version: string, oldest: string): ProblemText => ({
    message: `Deno ${version} is older than ${oldest}, the oldest that fw supports`,
    fix: "Run `deno upgrade`.",
  }),

  lintFine: "deno lint",
  lintFix: "Correct it; `deno lint` explains the rule.",
  lintPlugins: (): ProblemText => ({
    message:
      "The lint plugins of deno.json did not run: they can read every file and variable of the user",
    fix: "Run `deno lint` if you trust them.",
  }),
  typesFine: "deno check",
  typesFix: "Correct it; `deno check` shows the code.",

  vulnerabilitiesNone: "no known vulnerability in the packages",
  vulnerabilities: (counts: string, packages: string): ProblemText => ({
    message: `Packages have known vulnerabilities (${counts}): ${packages}`,
    fix: "Run `deno audit`, which lists the advisories, and update the packages.",
  }),
  vulnerabilitiesUnknown: (reason: string): ProblemText => ({
    message: `The packages were not scanned for vulnerabilities: ${reason}`,
    fix: "Run `deno audit` where the registry is reachable.",
  }),
  unreachable: "the registry's service is unreachable",
};
