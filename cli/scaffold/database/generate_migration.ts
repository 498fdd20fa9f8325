import type { CommandArgs } from "../../args.ts";
import { regenerate } from "../../gen/generate.ts";
import { exitCodes, type Io } from "../../io.ts";
import { messagesOf } from "../../messages/catalog.ts";
import { writeFiles } from "../../project/files/write_files.ts";
import { migrationsFolder, numberText, readMigrationFiles } from "../../project/migrations.ts";
import { requireProject } from "../../project/open.ts";
import { Stop, UsageError } from "../../stop.ts";
import { joinDatabase, missingDatabaseFiles } from "../database.ts";

const migrationName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/**
 * Writes `migrations/<number>_<name>.sql` and the list of migrations; the first time also what opens the
 * database.
 *
 * @returns 0; 1 if a file is in the way or the app has problems; 2 for a wrong command line.
 */
export async function generateMigration(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [name = ""] = args.positionals;
  if (!migrationName.test(name) || name.length > 60) {
    throw new UsageError(messages.migrate.badArgument(name));
  }
  const project = await requireProject(io);
  const { files, problems } = await readMigrationFiles(project);
  if (problems.length > 0) throw new Stop(problems);
  const number = numberText(files.length + 1);
  const file = `${migrationsFolder}/${number}_${name}.sql`;
  const added = [
    { file, text: messages.migrate.starter(`${number}_${name}`) },
    ...await missingDatabaseFiles(project),
  ];
  await writeFiles(project, added, { io });
  await joinDatabase(project, { written: added.map((each) => each.file), io });
  await regenerate(project);
  io.stdout(`${messages.migrate.hint(file)}\n`);
  return exitCodes.ok;
}
