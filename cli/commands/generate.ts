import type { Command } from "../args.ts";
import { generateDatabase } from "../scaffold/database/generate_database.ts";
import { dryRun } from "../scaffold/dry_run.ts";
import { generateAuth } from "../scaffold/generate_auth.ts";
import { generateIsland, generateMigration, generateServe } from "../scaffold/generate_file.ts";
import { generateJob, generateJobs, generateMail } from "../scaffold/generate_job.ts";
import { generateLanguage } from "../scaffold/generate_language.ts";
import { generateResource } from "../scaffold/generate_resource.ts";
import { generateForUrl } from "../scaffold/pages.ts";
import { runStoppable } from "../stop.ts";

const subjects: Readonly<Record<string, Command>> = {
  auth: generateAuth,
  database: generateDatabase,
  island: generateIsland,
  job: generateJob,
  jobs: generateJobs,
  language: generateLanguage,
  mail: generateMail,
  migration: generateMigration,
  page: generateForUrl("page"),
  resource: generateResource,
  route: generateForUrl("route"),
  serve: generateServe,
  test: generateForUrl("test"),
};

export function generate(subject: string = ""): Command {
  return async (args, io) => {
    const run = subjects[subject] ?? generateForUrl("test");
    if (!args.has("dry-run")) return await run(args, io);
    return await dryRun(io, (at) => runStoppable(`generate ${subject}`, at, () => run(args, at)));
  };
}
