/** The English texts of `dev`. */
export const devEn = {
  badAddress: (text: string): string =>
    `Cannot listen on "${text}": write an address such as "3000" or "127.0.0.1:3000".`,
  addressTaken: (address: string): string =>
    `Cannot listen on ${address}: another program uses this port. Stop it, or choose another with ` +
    `--addr, such as "fw dev --addr 3001".`,
  addressRefused: (address: string, reason: string): string =>
    `Cannot listen on ${address}: ${reason}. Choose another address with --addr.`,
  noApp: (folder: string): string =>
    `Cannot run "dev" here: ${folder} has no "app" folder. Change into a project's folder, or make ` +
    `one with "fw new <name>".`,
  ready: (url: string, ms: number): string => `Serving ${url} (ready in ${ms} ms)`,
  waiting: (url: string): string => `Serving ${url} (waiting for the fix)`,
  reloaded: (what: string, ms: number): string => `Reloaded ${what} in ${ms} ms`,
  fixed: (what: string, ms: number): string => `Fixed ${what} in ${ms} ms`,
  recovered: (ms: number): string => `The application started again in ${ms} ms`,
  applied: (what: string, ms: number): string => `Applied ${what} in ${ms} ms`,
  more: (first: string, others: number): string =>
    others === 0 ? first : `${first} and ${others} more`,
  crashed: (how: string): string =>
    `The application ended (${how}). It starts again at the next save.`,
  unfollowed: (reason: string): string =>
    `Cannot follow every file: ${reason}. On Linux raise fs.inotify.max_user_watches and ` +
    `fs.inotify.max_user_instances; then start "dev" again, which misses saves until then.`,
  stage: {
    config: "The configuration cannot be read",
    generate: "The routes cannot be generated",
    bundle: "The islands cannot be bundled",
    compile: "The code does not compile",
    boot: "The application does not start",
    crash: "The application ended",
  },
  problemCount: (count: number): string => `${count} problems`,
  stack: "Stack",
  watching: "This page follows your files: save the fix and it goes away.",
  watchingBoot: "This page follows your files: save the fix and it goes away. " +
    "Where the cause lies outside the code, remove it and reload this page: that starts the " +
    "application again.",
  watchingOff: "Save the fix, then reload this page.",
  endedByCode: (code: number): string => `exit code ${code}`,
  endedBySignal: (signal: string): string => `signal ${signal}`,
  endedEarly: (how: string): string => `The process ended before it served: ${how}`,
  endedLate: (how: string): string => `The process ended while it served: ${how}`,
  fixSyntax: "Correct the syntax at the marked place.",
  fixModule: (file: string): string => `Create "${file}", or correct the import.`,
  fixModuleNear: (file: string, near: string): string =>
    `Did you mean "${near}"? Otherwise create "${file}".`,
  fixExport: (name: string, file: string): string =>
    `Export "${name}" from "${file}", or correct the name in the import.`,
  fixDependency: (name: string): string =>
    `Add it with "deno add npm:${name}" or "deno add jsr:${name}", or correct the import.`,
  fixPackage: "Check the package's name and version in the import, and the network.",
  fixConfig: "Correct the configuration file.",
  fixPending: "Something that Setup or a module awaits at the top level never settles; let it end.",
  fixLock:
    "Run `deno install` where the folder can be written to, and keep deno.lock with the project.",
  fixBrokenOff:
    "The project was not read or written to its end: check the permissions of the file, and that " +
    "the disk has free space.",
  fixExit: "Look for a call that ends the process, such as Deno.exit, and remove it.",
  fixThrown: "Correct what throws while the application starts.",
  fixCrash:
    "Catch the error where it is thrown, or await the promise that rejects; then save any file.",
  starting: "The application is starting",
  startingText: (seconds: number): string =>
    `It has not answered for ${seconds} seconds. This page asks again by itself.`,
  startingFix: "When this goes on, look for something in Setup that never ends.",
  gone: "The application ended before it answered this request",
  goneFix: "Send the request again.",
  hostRefused: (host: string): string =>
    `Cannot serve the host "${host}": open this server under localhost or its IP address, or list ` +
    "the name in FW_ALLOWED_HOSTS.",
};
