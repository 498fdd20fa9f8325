export const productionEn = {
  audit: {
    looking: "Checking the settings, routes, types, lint and dependencies",
    inOrder: "In order:",
    summary: `{critical} critical, {warnings} {warnings:warning|warnings}, {notes}
      {notes:note|notes}, {ok} in order.`,

    settingsUnread: `Config or Setup uses the settings in a way that the audit does not understand
      Fix: Assign the settings directly in Config, or check them by hand.`,

    envDev: `{where} sets the environment to dev, in which clients see source code and stacks
      Fix: Remove it. Without FW_ENV the environment is prod.`,
    envDevHere: `FW_ENV is dev on this machine
      Fix: In production, leave it unset or set it to prod.`,

    envFileSeen: `.env is not ignored by git, so its secrets may be committed
      Fix: Add /.env to .gitignore. If it was committed, run \`git rm --cached .env\` and replace
      the secrets.`,

    secretMissing: `{variable} is not set on this machine[[, and the code signs with it ({calls?})]]
      Fix: In production, set it to 32 bytes or more, such as from \`openssl rand -base64 48\`.
      Without it, signing fails.`,
    secretShort: `{name} has {bytes} bytes; less than 32 can be guessed
      Fix: Set it to 32 bytes or more, such as from \`openssl rand -base64 48\`.`,
    secretInCode: `{name} is written in the code
      Fix: Read it from an environment variable, and replace the secret, since the code contains it.`,
    secretByCode: `{name} is computed by code, so its length was not checked
      Fix: Make sure that it has 32 bytes or more. Otherwise the application does not start.`,

    contrastLow: `{front} on {ground} has a contrast of {ratio}, and needs {least}
      Fix: Change one of the two in public/ui.theme.css, or run fw ui --brand with your colour.`,
    metricsOpen: `The metrics at {path} are public: they need a token or a trusted network
      Fix: Set FW_OBS_TOKEN to 32 bytes or more, or observability.trusted (FW_OBS_TRUSTED) to the
      network of the scraper. If production sets them, run audit with its variables.`,
    somePath: "a computed path",

    trustedEverybody: `observability.trusted contains {networks}, so any client can read metrics and
      details
      Fix: List only the networks of scrapers and probes.`,

    proxiesNone: `No proxy is trusted, so X-Forwarded-For and X-Forwarded-Proto are ignored
      Fix: Behind a proxy, set FW_TRUSTED_PROXIES to its address. Otherwise every client has the
      proxy's address, and HTTPS is not detected. Without a proxy, no action is needed.`,
    proxiesEverybody: `trustedProxies contains {networks}, so any client can forge its address and
      HTTPS
      Fix: List only the addresses of the proxies.`,

    hostsNone: `No allowed hosts are set, so a request may name any host
      Fix: Set FW_ALLOWED_HOSTS to the host names of the application.`,

    headersOff: `Security headers are off: {names}
      Fix: Turn them on, unless a proxy in front of the application sets them.`,

    healthUnchecked: `No health check is registered, so readiness always passes
      Fix: In Setup, call app.check("database", …) for each dependency that the application needs.`,

    generatedStale: `fw_gen.ts is out of date, so routes are missing or wrong
      Fix: Run \`deno task gen\` and commit the file.`,
    generatedBroken:
      `fw_gen.ts cannot be generated: {count} {count:problem|problems}, the first: {first}
      Fix: Run \`deno task gen\`, which lists all problems with their fixes.`,

    kindsMissing: `These routes write and have no Kind, in an application that also has pages: they
      check no CSRF token and only refuse cross-site requests that carry cookies
      Fix: Add a kind.ts to their folder: \`export const Kind = "page";\` for forms of pages (the
      token is checked, errors are HTML), \`export const Kind = "api";\` for an API (errors are
      JSON). Where scripts call the API with the cookie of a session, set \`config.csrfForApi =
      true\` too: it checks their token.`,

    csrfOff: `These routes turn the CSRF check off (CSRF = false): they accept cross-site requests
      that carry cookies
      Fix: Each must authenticate its caller by a signature or a token in the request.`,

    signInSecret: `The sign-in signs cookies or tokens, which fails in production without FW_SECRET
      Fix: Set FW_SECRET to 32 bytes or more, the same on every replica.`,
    signInPasskeys: `Passkeys are in memory: a restart deletes them, and their users cannot sign in
      Fix: Write provideStores(app, sqliteStores(db)) in Setup and omit the store of passkeys().`,
    signInRedirect: `The identity provider sends the browser back over plain HTTP
      Fix: Register and set an https URL as redirectUrl.`,
    signInMemory: `Sessions are in memory: a restart ends them, and replicas do not share them
      Fix: Give createSessions() stored: true, and call provideStores(app, sqliteStores(db)).`,
    signInCookies: `Sessions or tokens are signed and not stored: a stolen one cannot be revoked
      Fix: If that matters, give createSessions or createTokens stored: true.`,
    signInRoles: `Sessions are stored only in cookies of 4,096 bytes: a user with many roles or
      groups (about 70 in Entra ID) cannot sign in and gets a 500
      Fix: Give them stored: true, and call provideStores(app, …) in Setup.`,
    guardsFloating: `A guard in a handler is not awaited: the handler runs for every client
      Fix: Write \`await\` before it, as in \`await sessions.require(c)\`.`,
    guardsMissing: `A route without a guard is beside a folder whose guard covers only that folder
      Fix: Move the middleware.ts up, or guard the route in its handler. If it is public, put the
      guarded ones in a group, such as members-: routes beside it that only read are public. A form
      for everyone is fine.`,
    guardsWriting: `A route that writes has no guard, in an application with guarded folders
      Fix: Guard it with a middleware.ts or in its handler. A form for everyone is fine.`,
    signInUnlimited: `A password can be tried without a limit
      Fix: Add \`export const MiddlewarePOST = limit(0.1, 10);\` to a middleware.ts in the folder of
      this file, with \`import {{ limit }} from "@fw/fw";\`.`,
    sharedGuarded: `The code of a guarded route lets shared caches keep the response
      Fix: Call \`c.cacheControl("private")\` here, or remove the guard of a public response.`,

    replicasMemory: `FW_REPLICAS is {count}, and each replica keeps limits, caches, channels
      and one-time values in its own memory
      Fix: Call \`provideStores(app, …)\` in Setup, as in the guide "More than one process".`,

    socketsOpen: `A route upgrades to a WebSocket without a guard: any client may hold connections
      open and send messages that are buffered whole
      Fix: Guard it with a middleware.ts or in its handler, and limit traffic in the proxy.`,

    permissionsAll: `All permissions are granted (-A) in the task {tasks}
      Fix: Grant only what is needed: --allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR
      --allow-read=public, and what the log asks for.`,
    permissionsWide: `The start task grants permissions without a list: {flags}
      Fix: Add a list, such as --allow-read=public.`,

    envRefused: `The code reads {names}, which the start task does not allow
      Fix: Use {flag} in the start task. Otherwise the read throws.`,

    netRefused: `{name} is at {host}, which the start task may not reach
      Fix: Use {flag} in the start task. Otherwise each request to it throws.`,

    lockOff: `deno.json turns the lock file off, so two builds may use different packages
      Fix: Remove "lock": false and commit deno.lock.`,
    lockMissing: `There is no deno.lock, so two builds may use different packages
      Fix: Run \`deno install\` and commit the file.`,

    versionsDiffer: `The library is {library}, the command line {cli}
      Fix: Use the same version of both in deno.json, then run \`deno task gen\`.`,
    versionsUnknown: `The version of the library is not known
      Fix: Run \`deno install\`, which fetches it.`,

    denoOld: `Deno {version} is older than {oldest}, the oldest that fw supports
      Fix: Run \`deno upgrade\`.`,

    lintPlugins: `The lint plugins of deno.json did not run: they can read every file and variable
      Fix: Run \`deno lint\` if you trust them.`,

    vulnerabilities: `Packages have known vulnerabilities ({counts}): {packages}
      Fix: Run \`deno audit\`, which lists the advisories, and update the packages.`,
    vulnerabilitiesUnknown: `The packages were not scanned for vulnerabilities: {reason}
      Fix: Run \`deno audit\` where the registry is reachable.`,
    unreachable: "the registry's service is unreachable",
  },
  build: {
    detachedList: `the start task has "{written}": Deno runs the second word as a file
      Fix: Write "{fixed}".`,
    outputLeaves: `cannot write to "{folder}": a link leads it out of the project
      Fix: Remove the link, or name the folder with {flag}.`,
    outputServed: `cannot write the executable to "{path}": clients can request the files of public/
      Fix: Name another path with --output.`,
    outputTaken: `cannot write the executable to "{path}": the file there is not an executable
      Fix: Name another path with --output.`,
    unreadFlag: `cannot read "{word}" of the start task: only a shell can expand it
      Fix: Write the literal value.`,
    checking: "Checking the generated file and the assets",
    checkingTypes: "Checking types",
    compiling: "Compiling {file} for {target}",
    testing: "Starting the executable in an empty folder",
    compileFailed: `deno compile failed:
{output}
      Fix: Correct what it names and build again.`,
    noAsset: `{path} does not exist
      Fix: Create the file, or correct its name.`,
    noBase: `cannot get denort {version} for {target}, the base of every executable: {reason}
      Fix: One of these:
- build once where dl.deno.land can be reached; Deno keeps what it downloads
- download that archive from Deno's releases and store it as {archive}
- set DENORT_BIN to an unpacked denort of this version and system`,
    smokeEnded: "the executable ended with exit code {code} before it responded",
    smokeSilent: "the executable did not respond within {seconds} seconds",
    smokeRefused: "the executable responded to {path} with {status}",
    factsUsage: "Usage: {name} --fw {words}",
    noApi: `--fw openapi will be missing, since the API cannot be described: {reason}
      Fix: Run deno task openapi, which lists every error, and build again.`,
    smokeUnstartable: "the executable cannot be started here: {reason}",
    smokeOutput: "Its output:",
    smokeFix: `Fix what its output names. If it needs something that this machine lacks, such as a
      database, build with --skip-smoke.`,
    built: "Built {path} ({size}) for {target}.",
    started: "Started in an empty folder: responded to {asked}, the first after {ms} ms.",
    notTested: "Not started: it is built for {target}. Test it there before you deploy it.",
    skipped: "Not started: --skip-smoke.",
    permissions: "Permissions: {flags}",
    dropped: "Omitted, because it has no effect in an executable: {flags}",
    variables: "The start task sets {names}: set them too where the executable runs.",
  },
} as const;
