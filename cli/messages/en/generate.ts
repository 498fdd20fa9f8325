export const generateEn = {
  jobs: {
    usage:
      "Unknown action: use list, run <name> [<value>], retry <id> … or --all, drop <id> … or --all.",
    counts: "{waiting} waiting, {running} running, {dead} dead",
    oldest: "; the oldest has been due for {seconds} s",
    states: { waiting: "waiting", running: "running", dead: "dead" },
    attempt: "attempt {number}",
    changed: {
      run: "{id} is in the queue.",
      retry: "{id} will run again.",
      drop: "{id} was dropped.",
    },
    missing:
      `Cannot change job {id}: run needs a job that is not in the queue, retry a dead or delayed one, drop one that is not running.`,
    list: "Add {job} to the list of jobs in {file}.",
    workTask: 'Add a task "work" to deno.json, with the flags of start: deno run … work.ts',
    hint: `Enqueue it with \`await enqueue(c, {job}, …)\`, or put it on the schedule of
      jobs/mod.ts: \`daily("07:00", {job}, …)\`. The server runs jobs too; with FW_JOBS=off, only \`deno task work\` runs them. Try it: \`deno task test {file}\`.`,
    noJobs: "The application has no jobs: run `deno task generate job <name>` first.",
    pageHint: 'Users with the role "{role}" see the jobs at /jobs.',
    preview: "In development {file} is shown at /_fw/dev/mail/{name}. Send it with `mail(c, …)`.",
    mailEdited: "Add it to the previews of provideMail in lib/mail.ts: {name}: {view}Preview",
  },
  language: {
    tag: `Cannot generate the language "{tag}": use a language tag, such as fr or pt-PT.`,
    already: "The application already has the language {tag}; nothing was written.",
    left:
      `Texts to translate: {count}. In the catalogs they end in "// translate": remove the marks, which
      \`deno task check\` counts.`,
  },
  migrate: {
    badName: `"{name}" is not the name of a migration
      Fix: Use four digits, then lower-case letters, digits and _, such as 0001_create_notes.sql.`,
    notFile: `"{name}" is a pipe, a socket or a device
      Fix: Remove it: a migration is a file.`,
    sameNumber: `"{name}" has the number of another migration
      Fix: Rename the one that no database has applied yet to {next}.`,
    unlisted: `gen does not write this list, which lacks {names}
      Fix: Add what is missing by hand, or replace the file's first line with: {head}`,
    gap: `"{name}" comes after a gap: number {expected} is missing
      Fix: Rename it to {expected}_…, unless a migration was lost: then restore that one.`,
    fault: {
      name: `this is not a valid migration name
        Fix: Use four digits, then lower-case letters, digits and _.`,
      number: `this should be number {expected}
        Fix: Number the migrations consecutively.`,
      empty: `the migration has no statement
        Fix: Write one, or delete the file if it was never applied.`,
      alone: `a file with -- fw: alone may have only one statement
        Fix: Move the second one to another migration.`,
      transaction: `"{verb}" is not allowed in a migration
        Fix: Remove it: all pending migrations run in one transaction.`,
      changed: `the migration was changed after it was applied
        Fix: Restore the file, and write the change as a new migration. In development you may
        delete the database instead.`,
      missing: `the database has this migration where the project has {other}
        Fix: Restore its file under its old name and number.`,
      failed: `{detail}. The database was not changed
        Fix: Correct the statement, or first change the rows that it refuses in the same file.`,
      "foreign-key": `{detail}. The database was not changed
        Fix: Change or delete those rows in the migration.`,
    },
    none: "There are no migrations: write one with `deno task generate migration <name>`.",
    memory: "FW_DB is :memory:, which has nothing to migrate. Name a file: FW_DB=… or --db <file>.",
    unusable: `Cannot use the database {path}: {detail}.
      Fix: Check FW_DB, which names the database, the permissions of its file, or that its server runs.`,
    otherSchema: `the schema of the database differs from this file
      Fix: Write changes made by hand as a migration, or run deno task migrate if the file is old.`,
    applied: "Applied {name}.",
    states: {
      applied: "applied",
      pending: "pending",
      changed: "changed",
      missing: "missing",
      newer: "newer",
    },
    starter: `-- Write the statements here, each ending with a semicolon.
-- Once a database has this migration, never change it: write the next one.
`,
    task: "Change the task {task} of deno.json yourself: it needs {added}.",
    move: {
      engine: "Name the engine: fw generate database postgres.",
      already: "The application already uses Postgres.",
      opened: `Set FW_DB to the database: FW_DB=postgres://user:password@host:5432/name. Add a host
        other than 127.0.0.1 to --allow-net of start and test. Each test creates a schema in
        FW_TEST_DB.`,
      moved: `Read the migrations: a column of your own tables that keeps a Date is now a bigint and
        must be timestamptz. Set FW_DB to the address of an empty database, and copy the rows: deno
        run -A {script} data/app.sqlite "$FW_DB". Add a host other than 127.0.0.1 to --allow-net of
        start and test. Each test creates a schema in the database of FW_TEST_DB.`,
      look: 'Only SQLite understands this; change it (jobs: "Engines" of docs/jobs.md): {place}',
    },
    hint: `Write the statements into {file}, then run \`deno task migrate\`. The application also
      applies migrations when it starts.`,
  },
  resource: {
    name: {
      syntax: `Cannot generate the resource "{name}": use lower-case letters, digits, "-" and "_",
        such as book-loans.`,
      reserved: `Cannot generate the resource "{name}": the system, SQLite or fw uses this name.`,
      singular:
        `Cannot generate the resource "{name}": its singular is not known. Write the plural, such as
        events, or pass the singular with --singular, as in \`deno task generate resource people --singular person\`.`,
    },
    field: {
      uploads: `Cannot generate the resource from {fields}: add a field that is neither an image nor
        a file, such as title:text,required.`,
      many: "A generated resource may have up to {max} fields; add further ones by hand.",
      syntax: `Cannot read the field "{field}": write name:type, such as {field}:text. Types:
        {types}.`,
      name: `Cannot use the field name "{field}": start with a lower-case letter, followed by
        letters, digits and single _, such as first_name.`,
      reserved: `Cannot use the field name "{field}": rows, forms or all objects already have it.
        Choose another one, such as {field}_value.`,
      twice: `The column "{field}" occurs twice, ignoring case. Rename a field.`,
      type: `The field "{field}" has the unknown type "{type}".[[ Did you mean {field}:{guess?}?]]
        Types: {types}.`,
      rule: `The field "{field}" cannot have the rule "{rule}". Its rules, each once: {allowed}.`,
      typeAsRule:
        'The field "{field}" cannot have the rule "{rule}", which is a type: write {field}:{typed}.',
      param: `The field "{field}" cannot have the rule "{rule}" in this form: write, for example,
        {example}.`,
    },
    seed: "Cannot seed {count} rows: write a whole number from 1 to {most}, such as --seed 50.",
    nothing: 'There is nothing to undo: no migration creates the table "{table}".',
    differs:
      `Cannot undo: {file} differs from what this command writes. Give the fields and flags with which you generated it, or remove the files by hand.`,
    noUndoInside:
      `--undo does not remove rows inside a form: use \`git restore .\` before a commit, or
      \`git revert\` after it.`,
    referred: `Cannot undo: other rows refer to these. Undo them first, with --undo, or with git if
      they are inside a form: {tables}`,
    removed: "Removed {file}.",
    kept: "Kept {file}, which was changed: remove it by hand.",
    keptMigration:
      `Kept {file}, which databases may have applied: keep it too, and undo its statements
      in a new migration, such as one with drop table.`,
    seeded: "Add the example rows: {command}",
    contradiction: `No value passes all the rules of the field "{field}": look for a min above its
      max, or an email or url with few characters.`,
    guard: `The application has a sign-in: pass --guard for signed-in users, or --public.`,
    role:
      `Cannot guard by the role "{role}": pass one, of letters, digits, "_", "-", "." and ":", such as
      --{flag}=editor.`,
    writers: "--writers={role} is for an application with a sign-in: pass --guard or --public too.",
    publicGuard: "--public is for all clients, --guard for signed-in users: pass one of them.",
    publicAudit:
      "--audit records who changed a row, which is unknown with --public: pass --guard, or --writers=editor.",
    noSignIn: `{what} needs a sign-in: run \`deno task generate auth\` first, with --passwords,
      --passkeys or --provider <name>.`,
    folder: `{folder} already exists; nothing was written. Choose another name.`,
    route: "{file} already handles {url}; nothing was written. Choose another name.",
    foreign: `{file} was not written by \`generate\`, so nothing was written. Make it match
      docs/database.md, or move it away.`,
    table: '{file} already creates the table "{table}"; nothing was written. Choose another name.',
    reference: `Cannot refer to "{table}": no migration creates that table with a text column.
      Generate that resource first.[[ Did you mean "{nearest?}"?]]`,
    ownTable: `Cannot refer to "{table}" from the table itself: generate it without that field, then
      add the column in a migration and the field by hand.`,
    inside: `--inside needs the field of a generated resource whose rows contain these, such as
      invoice:ref=invoices/cascade.`,
    insideAlone:
      `--inside does not go with {what}: the rows belong to the form of another resource, which
      has its guard, its API and its history, and they have no uploads. Leave it out, or generate the
      rows without --inside, with pages of their own.`,
    insideShown: "All who see a row of {url} see these rows too, also in its API.",
    insideCsv: "The export and the import of {url} leave these rows out.",
    children: "Show the rows on {page}, as the last argument of ui.detailPage: {code}",
    shown: `The forms show the column "{title}" of each row of "{table}" to all clients, such as the
      names of users. To keep them from strangers, pass --guard.`,
    shownRole:
      `The list and the forms show the column "{title}" of each row of "{table}" to users without
      its role. To keep it from them, pass --guard={role}.`,
  },
} as const;
