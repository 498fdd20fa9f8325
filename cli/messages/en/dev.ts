export const devEn = {
  badAddress: `Cannot listen on "{text}": use an address such as "3000", "127.0.0.1:3000" or
    "[::1]:3000".`,
  badPort: 'Cannot listen on "{text}": the port is out of range. Use one from 0 to 65535.',
  addressMissing: `Cannot listen on "{text}": this machine has no such address. Choose another
    with --addr, such as "fw dev --addr 3000".`,
  addressTaken: `Cannot listen on {address}: another program uses this port. Stop it, or choose
    another with --addr, such as "fw dev --addr 3001".`,
  addressRefused: "Cannot listen on {address}: {reason}. Choose another address with --addr.",
  noApp: `Cannot run "dev" here: {folder} has no "app" folder. Change to a project's folder, or
    create one with "fw new <name>".`,
  ready: "Serving {url} (ready in {ms} ms)",
  waiting: "Serving {url} (waiting for the fix)",
  reloaded: "Reloaded {what} in {ms} ms",
  fixed: "Fixed {what} in {ms} ms",
  recovered: "The application restarted in {ms} ms",
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
  watching: "Save the fix, and this page reloads itself.",
  watchingBoot: "Save the fix, and this page reloads itself. " +
    "If the cause is outside the code, remove it and reload this page: that restarts the " +
    "application.",
  watchingOff: "Save the fix, then reload this page.",
  endedByCode: "exit code {code}",
  endedBySignal: "signal {signal}",
  endedEarly: "The process ended before it served requests: {how}",
  endedLate: "The process ended while serving requests: {how}",
  fixSyntax: "Correct the syntax at the marked place.",
  fixModule: 'Create "{file}", or correct the import.',
  fixModuleNear: 'Did you mean "{near}"? Otherwise create "{file}".',
  fixExport: 'Export "{name}" from "{file}", or correct the name in the import.',
  fixDependency: `Add it with "deno add npm:{name}" or "deno add jsr:{name}", or correct the
    import.`,
  fixPackage: "Check the name and version of the package in the import, and the network.",
  fixConfig: "Correct the configuration file.",
  fixPending:
    "Find a promise that never settles among those that Setup or a module awaits at top level.",
  fixLock: "Run `deno install` where the folder is writable, and keep deno.lock with the project.",
  fixBrokenOff:
    "A file could not be read or written: check its permissions and the free disk space.",
  fixExit: "Find the call that ends the process, such as Deno.exit, and remove it.",
  fixVariables: `Set {names} as the message says, in the environment, or in .env for \`deno task
    dev\`.`,
  fixThrown: "Correct the code that throws while the application starts.",
  fixCrash:
    "Catch the error where it is thrown, or await the promise that rejects. Then save any file.",
  starting: "The application is starting",
  startingText: "It has not responded for {seconds} seconds. This page tries again by itself.",
  startingFix: "If this continues, find something in Setup that never finishes.",
  gone: "The application ended before it responded to this request",
  goneFix: "Send the request again.",
  hostRefused: `Cannot serve the host "{host}": open this server as localhost or by its IP
    address, or add the name to FW_ALLOWED_HOSTS.`,
} as const;
