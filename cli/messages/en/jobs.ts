export const jobsEn = {
  usage: "Cannot tell what to do: use list, retry <id> … or --all, drop <id> … or --all.",
  counts: "{waiting} waiting, {running} running, {dead} dead; the oldest is due for {seconds} s.",
  states: { waiting: "waiting", running: "running", dead: "dead" },
  attempt: "attempt {number}",
  changed: { retry: "{id} runs again.", drop: "{id} was dropped." },
  missing: `No job {id} can be changed: retry takes dead jobs, drop those that do not run. List them
    with \`fw jobs\`.`,
  badName:
    `Cannot generate the {what} "{name}": write a name of small letters, digits and _, such as
    send_digest.`,
  list: "Add {job} to the list of jobs in {file}.",
  workTask: 'Add a task "work" to deno.json, with the flags of start: deno run … work.ts',
  hint: `Enqueue it with \`await enqueue(c, {job}, …)\`. Jobs run beside requests; with FW_JOBS=off
    in the process that serves, \`deno task work\` runs them. Try it: \`deno task test {file}\`.`,
  noSignIn: "The page of the jobs needs a guard: run `deno task generate auth` first.",
  noJobs: "The application has no jobs: run `deno task generate job <name>` first.",
  postgres: `Cannot keep jobs in the database of this application, which is Postgres.
    Write {file} with \`openJobs\` and \`const jobs = []\` for pg-boss or Redis, as "Engines" of
    docs/jobs.md shows, and call \`openJobs\` in \`Setup\`.`,
  pageHint: 'Users with the role "admin" see the jobs at /jobs: `deno run … scripts/set_role.ts`.',
  preview: "In development {file} is shown at /_fw/dev/mail/{name}. Send it with `mail(c, …)`.",
  mailEdited: "Add it to the previews of provideMail in lib/mail.ts: {name}: {view}Preview",
} as const;
