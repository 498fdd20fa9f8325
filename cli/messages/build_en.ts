import type { ProblemText } from "../problem.ts";

/** What `build` says, in English. */
export const buildEn = {
  badTarget: (target: string, targets: string): string =>
    `Cannot build for "${target}": choose one of ${targets}.`,
  noEntry: (file: string): string =>
    `Cannot build ${file}: the start task of deno.json runs it, and it is not there.`,
  noInclude: (path: string): string => `Cannot include "${path}": there is no such file or folder.`,
  outputIsFolder: (path: string): string =>
    `Cannot write the executable to ${path}: that is a folder. Add a file name to --output.`,
  outputIsHeld: (path: string, folder: string): string =>
    `Cannot write the executable to ${path}: everything in ${folder} goes into it. ` +
    "Choose a path outside with --output.",
  unreadFlag: (word: string): string =>
    `Cannot read "${word}" of the start task in deno.json: only a shell knows what it stands for. ` +
    "Write the value out.",
  separateFlag: (flag: string, value: string): string =>
    `Cannot read "${flag} ${value}" of the start task in deno.json: only behind = is it certain that ` +
    `a word belongs to a flag. Write "${flag}=${value}".`,
  checking: "Checking the generated file and the assets",
  checkingTypes: "Checking types",
  compiling: (file: string, target: string): string => `Compiling ${file} for ${target}`,
  testing: "Starting the executable in an empty folder",
  faults: (count: number): string =>
    `${count} ${count === 1 ? "problem" : "problems"}; nothing was built.`,
  typesWrong: "The types are wrong; nothing was built. Fix them and build again.",
  compileFailed: "deno compile failed; nothing was built:",
  noAsset: (path: string): ProblemText => ({
    message: `${path} is not there`,
    fix: "Create the file, or correct its name.",
  }),
  noBase: (version: string, target: string, reason: string): string =>
    `Cannot get denort ${version} for ${target}, which every executable is made from: ${reason}.`,
  noBaseWays: (archive: string): string =>
    "Ways out:\n" +
    "  - build once where dl.deno.land can be reached; Deno keeps what it downloads\n" +
    `  - download that archive from Deno's releases and keep it as ${archive}\n` +
    "  - set DENORT_BIN to an unpacked denort of this version and system",
  smokeEnded: (code: number): string =>
    `The executable ended with exit code ${code} before it answered; nothing was written.`,
  smokeSilent: (seconds: number): string =>
    `The executable gave no answer within ${seconds} seconds; nothing was written.`,
  smokeRefused: (path: string, status: number): string =>
    `The executable answered ${path} with ${status}; nothing was written.`,
  smokeDiffers: (path: string): string =>
    `The executable answered ${path} with another content than the file's; nothing was written.`,
  smokeUnstartable: (reason: string): string =>
    `The executable cannot be started here: ${reason}; nothing was written.`,
  smokeOutput: "It wrote:",
  smokeFix:
    "Fix what it says. Where it needs what this machine lacks, such as a database, build with " +
    "--skip-smoke.",
  smokeBase: (path: string): string =>
    `DENORT_BIN is set to ${path}: it must be denort of this version, not deno.`,
  built: (path: string, size: string, target: string): string =>
    `Built ${path} (${size}) for ${target}.`,
  started: (ms: number, asked: string, host: string | undefined): string =>
    `Started in an empty folder: answered ${asked}${
      host === undefined ? "" : ` for the host ${host}`
    }, ` +
    `the first after ${ms} ms.`,
  notTested: (target: string): string =>
    `Not started: this machine is no ${target}. Try it there before you trust it.`,
  skipped: "Not started: --skip-smoke.",
  permissions: (flags: string): string => `Permissions: ${flags}`,
  dropped: (flags: string): string => `Left out, since it means nothing in an executable: ${flags}`,
  variables: (names: string): string =>
    `The start task sets ${names}: set it where the executable runs as well.`,
  and: "and",
};
