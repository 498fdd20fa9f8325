export const migrateEn = {
  badName: `"{name}" is not the name of a migration
    Fix: Name it by four digits, then small letters, digits and _, such as 0001_create_notes.sql.`,
  notFile: `"{name}" is a pipe, a socket or a device
    Fix: Remove it: a migration is a file.`,
  sameNumber: `"{name}" has the number of another migration
    Fix: Rename the one that no database has yet, to {next}.`,
  gap: `"{name}" comes after a gap: number {expected} is missing
    Fix: Rename it to {expected}_…, unless a migration was lost: then restore that one.`,
  fault: {
    name: `the name is not that of a migration
      Fix: Name it by four digits, then small letters, digits and _.`,
    number: `number {expected} is expected in its place
      Fix: Number the migrations without a gap, each once.`,
    empty: `the migration has no statement
      Fix: Write one, or delete the file if it was never applied.`,
    alone: `a file with -- fw: alone has one statement
      Fix: Write the second one as a migration of its own.`,
    transaction: `"{verb}" is not allowed in a migration
      Fix: Remove it: all migrations that are missing run in one transaction.`,
    changed: `the migration was changed after it was applied
      Fix: Restore the file, and write the change as a new migration. A database of development may
      be deleted instead.`,
    missing: `the database has this migration where the project has {other}
      Fix: Restore its file under the name and number that it had.`,
    failed: `{detail}. The database was not changed
      Fix: Correct the statement, then run it again.`,
    "foreign-key": `{detail}. The database was not changed
      Fix: Change or delete those rows in the migration.`,
  },
  none: "There is no migration: write one with `deno task generate migration <name>`.",
  memory: "FW_DB is :memory:, which has nothing to migrate. Name a file: FW_DB=… or --db <file>.",
  unusable: "Cannot use the database {path}: {detail}.",
  staleSchema: `the migrations have changed since this file was written
    Fix: Run deno task migrate, and commit the file.`,
  otherSchema: `the database has another schema than this file
    Fix: Write what was changed by hand as a migration, or run deno task migrate where the file is old.`,
  applied: "Applied {name}.",
  fresh: "{path} is up to date.",
  states: {
    applied: "applied",
    pending: "pending",
    changed: "changed",
    missing: "missing",
    newer: "newer",
  },
  badArgument: `Cannot generate the migration "{name}": write a name of small letters, digits and
    _, such as add_place_to_events.`,
  starter:
    `-- {name}: write the statements here, each with a semicolon at its end. Once a database has this
-- migration, never change it: write the next one.
`,
  task: {
    start: 'Add "data" to --allow-read and --allow-write of the start task: the database is ' +
      "data/app.sqlite.",
    test: "Set FW_DB=:memory: in the test task, so that tests need no database.",
    migrate: 'Add a task "migrate" to deno.json: {command}',
  },
  move: {
    engine: "Name the engine: fw generate database postgres.",
    already: "The application has a database on Postgres already.",
    opened:
      `FW_DB is the address: FW_DB=postgres://user:password@host:5432/name. Another host than this
      machine goes into --allow-net of the start task. Tests make a schema each in FW_TEST_DB.`,
    moved: `Read the migrations, set FW_DB to the address of an empty database, and copy the rows:
      deno run -A {script} data/app.sqlite "$FW_DB". Another host than this machine goes into
      --allow-net of the start task. Tests make a schema each in the database of FW_TEST_DB.`,
    look: "Only SQLite understands this, change it: {place}",
  },
  hint: `Write the statements into {file}, then run \`deno task migrate\`. The application does
    the same when it starts.`,
} as const;
