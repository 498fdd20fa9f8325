/** The subjects of `generate` that write a fixed file or two. */
import { islandsFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { readMigrationFiles } from "../project/migrations.ts";
import { type Project, requireProject } from "../project/project.ts";
import { configuredBodyBytes, defaultNumber } from "../project/settings/settings.ts";
import { reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import { addDatabase, addMigration, joinDatabase } from "./database.ts";
import { readEngine } from "./database/engine.ts";
import { openEdits } from "./edits.ts";
import { createList, renderSample, sampleText } from "./sample.ts";
import { Stop, UsageError } from "../stop.ts";

const serveFiles = [
  "serve.ts",
  "Dockerfile",
  "deploy/compose.yaml",
  "deploy/Caddyfile",
  "deploy/nginx.conf",
];

export async function generateServe(_: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const edits = await openEdits(project);
  const auth = (await edits.read("lib/auth.ts"))?.matchAll(/"(FW_\w+)"/g) ?? [];
  const variables = ["FW_MAIL_FROM", ...Array.from(auth, ([, name = ""]) => name)];
  const rendering = {
    names: { "size 2m;": `size ${await largestBodyMebibytes(project)}m;` },
    // On Postgres the database is also where the processes share sessions and limits.
    parts: { postgres: await readEngine(project.root) === "postgres" },
    lists: {
      variable: createList(["FW_MAIL_FROM"], variables.map((name) => [["FW_MAIL_FROM", name]])),
    },
  };
  edits.add(...serveFiles.map((file) => renderSample(`plain/${file}`, file, rendering)));
  const ignored = ".dockerignore";
  if (await edits.read(ignored) === undefined) {
    edits.put({ file: ignored, text: `/.git/\n${sampleText("plain/gitignore")}` });
  }
  await edits.write(io);
  io.stdout(`${project.messages.generateServeHint}\n`);
  return exitCodes.ok;
}

/** Returns the proxy's body limit, slightly above the application's, which refuses by itself. */
async function largestBodyMebibytes(project: Project): Promise<number> {
  const configured = configuredBodyBytes(await project.settings({}));
  const maxBodyBytes = configured ?? defaultNumber("maxBodyBytes");
  const operations = await reachOperations(project);
  const sizes = operations.list.flatMap((operation) => {
    const { allowedBytes } = protectionOf(operation, operations, { maxBodyBytes });
    return typeof allowedBytes === "number" ? allowedBytes : [];
  });
  return Math.ceil(Math.max(maxBodyBytes, ...sizes) / 1_048_576) + 1;
}

const islandName = /^[a-z][a-z0-9_-]{0,59}$/;

export async function generateIsland(args: CommandArgs, io: Io): Promise<number> {
  const [name = ""] = args.positionals;
  if (!islandName.test(name)) {
    throw new UsageError(({ generateName }) => generateName("island", name, "counter"));
  }
  const project = await requireProject(io);
  const file = `${islandsFolder}/${name}.ts`;
  const edits = await openEdits(project);
  edits.put({ file, text: sampleText("plain/lib/counter_island.ts") });
  edits.tell(project.messages.generateIslandHint(`/${islandsFolder}/${name}.js`));
  return await edits.finish(io);
}

const migrationName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

export async function generateMigration(args: CommandArgs, io: Io): Promise<number> {
  const [name = ""] = args.positionals;
  if (!migrationName.test(name) || name.length > 60) {
    const example = "add_place_to_events";
    throw new UsageError(({ generateName }) => generateName("migration", name, example));
  }
  const project = await requireProject(io);
  const { messages: { migrate: texts } } = project;
  const { problems } = await readMigrationFiles(project);
  if (problems.length > 0) throw new Stop(problems);
  const edits = await openEdits(project);
  const file = await addMigration(edits, name, texts.starter);
  await addDatabase(edits);
  await joinDatabase(edits);
  edits.tell(texts.hint(file));
  return await edits.finish(io);
}
