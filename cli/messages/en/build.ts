export const buildEn = {
  badTarget: 'Cannot build for "{target}": choose one of {targets}.',
  noEntry: `the start task runs {file}, which does not exist
    Fix: Create the file, or correct the task.`,
  noInclude: `cannot include "{path}": there is no such file or folder
    Fix: Correct the path of --include.`,
  outputIsFolder: `Cannot write the executable to {path}: it is a folder. Add a file name to
    --output.`,
  outputIsHeld: `Cannot write the executable to {path}: {folder} is embedded in it. Choose a path
    outside that folder with --output.`,
  outputLeaves: `cannot write to "{folder}": a link leads it out of the project
    Fix: Remove the link, or name the folder with {flag}.`,
  unreadFlag: `cannot read "{word}" of the start task: only a shell knows its value
    Fix: Write the value out.`,
  separateFlag: `cannot read "{flag} {value}" of the start task: "{value}" could be a file
    Fix: Write "{flag}={value}".`,
  checking: "Checking the generated file and the assets",
  checkingTypes: "Checking types",
  compiling: "Compiling {file} for {target}",
  testing: "Starting the executable in an empty folder",
  faults: "{count} {count:problem|problems}; nothing was built.",
  typesFix: "Correct the type and build again.",
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
  smokeDiffers: "the executable responded to {path} with other content than the file's",
  factsUsage: "Usage: {name} --fw {words}",
  noApi: `--fw openapi will be missing, since the API cannot be described: {reason}
    Fix: Run deno task openapi, which lists every error, and build again.`,
  smokeUnstartable: "the executable cannot be started here: {reason}",
  smokeOutput: "It wrote:",
  smokeFix: "Fix what its output names. If it needs something that this machine lacks, such as a " +
    "database, build with --skip-smoke.",
  smokeBase: "DENORT_BIN is set to {path}: it must be denort of this version, not deno.",
  built: "Built {path} ({size}) for {target}.",
  started:
    `Started in an empty folder: responded to {asked}[[ for the host {host?}]], the first after
    {ms} ms.`,
  notTested: "Not started: it is built for {target}. Test it there before you deploy it.",
  skipped: "Not started: --skip-smoke.",
  permissions: "Permissions: {flags}",
  dropped: "Omitted, because it has no effect in an executable: {flags}",
  variables: "The start task sets {names}: set the same where the executable runs.",
  and: "and",
} as const;
