/**
 * `fw generate migration`: writes the next migration of the database.
 */
import type { CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { writeAll } from "../project/files/write_all.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../project/migrations.ts";
import { requireProject } from "../project/open.ts";
import { joinDatabase, missingDatabaseFiles } from "./database.ts";
import { misfitOf } from "./flags.ts";

const migrationName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/**
 * Writes `migrations/<number>_<name>.sql` and the list of migrations; the first time also what opens the
 * database.
 *
 * @returns 0; 1 if a file is in the way or the app has problems; 2 for a wrong command line.
 */
export async function generateMigration(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [, name, extra] = args.positionals;
  const misfit = misfitOf("migration", args);
  const refusal = misfit !== undefined
    ? messages.generateFlagMisfit(misfit, "migration")
    : extra !== undefined
    ? messages.extraArgument(extra)
    : name === undefined
    ? messages.missingArgument("generate migration", messages.migrate.argument)
    : migrationName.test(name) && name.length <= 60
    ? undefined
    : messages.migrate.badArgument(name);
  if (refusal !== undefined || name === undefined) {
    io.stderr(`${refusal}\n${messages.seeHelp("fw generate migration --help")}\n`);
    return exitCodes.usage;
  }
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const { files, problems } = await readMigrationFiles(project);
  if (problems.length > 0) {
    printProblems(problems, io);
    return exitCodes.failure;
  }
  const number = numberText(files.length + 1);
  const file = `${migrationsFolder}/${number}_${name}.sql`;
  const added = [
    { file, text: messages.migrate.starter(`${number}_${name}`) },
    ...await missingDatabaseFiles(project),
  ];
  const written = await writeAll(project.root, added);
  if (!written.ok) {
    const say = messages.generateRefused[written.cause];
    io.stderr(`${say(written.file)}\n`);
    return exitCodes.failure;
  }
  for (const each of added) io.stdout(`${messages.generateMade(each.file)}\n`);
  await joinDatabase(project, { written: added.map((each) => each.file), io });
  project.refresh();
  const result = await runGenerators(project);
  if (!result.ok) {
    printProblems(result.problems, io);
    return exitCodes.failure;
  }
  io.stdout(`${messages.migrate.hint(file)}\n`);
  return exitCodes.ok;
}
