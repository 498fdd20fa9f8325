import { generatedFile } from "@fw/fw/conventions";
import { basename, dirname, join, resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { writeAgentFiles } from "../describe/agents/agents.ts";
import { createProject } from "../project/project.ts";
import { writeDatabase } from "../scaffold/database.ts";
import { writeFace, writeKit } from "../scaffold/kit.ts";
import { fillFolder, refuseFolder } from "../scaffold/new_folder.ts";
import { scaffoldProject } from "../scaffold/project.ts";
import { deviceName } from "../scaffold/resource/names.ts";
import { Stop, UsageError } from "../stop.ts";

const projectName = /^[a-z0-9][a-z0-9._-]{0,59}$/;

export async function newProject(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const target = args.positionals[0] ?? "";
  const folder = resolve(io.cwd, target);
  const name = basename(folder);
  if (target === "" || !projectName.test(name) || deviceName.test(name)) {
    throw new UsageError(messages.newBadName(name === "" ? target : name));
  }
  const engine = args.value("db");
  if (engine !== undefined && engine !== "sqlite" && engine !== "postgres") {
    throw new UsageError(messages.newBadEngine(engine));
  }
  const refusal = await refuseFolder(folder);
  if (refusal !== undefined) throw new Stop(messages[refusal](folder));
  const kit = args.has("kit");
  const paths = await fillFolder(folder, async () => {
    const files = scaffoldProject(name, { kit });
    for (const { file, text } of files) {
      await Deno.mkdir(dirname(join(folder, file)), { recursive: true });
      await Deno.writeTextFile(join(folder, file), text);
    }
    const kitFiles = kit
      ? [...(await writeKit(folder)).map(({ file }) => file), ...await writeFace(folder)]
      : [];
    const project = createProject(folder, { messages });
    const database = engine === undefined ? [] : await writeDatabase(project, engine);
    await regenerate(project);
    const agents = args.has("agents") ? ["AGENTS.md", "CLAUDE.md"] : [];
    if (agents.length > 0) await writeAgentFiles(project);
    const own = files.map(({ file }) => file);
    return [...own, generatedFile, ...agents, ...kitFiles, ...database].sort();
  });
  const list = paths.map((path) => `  ${path}\n`).join("");
  io.stdout(
    `${messages.newMade(folder)}\n${list}\n${nextSteps(target, folder, io)}${
      engine === "postgres" ? `${messages.newServer}\n` : ""
    }`,
  );
  return exitCodes.ok;
}

function nextSteps(target: string, folder: string, io: Io): string {
  const messages = messagesOf(io);
  const { bold } = paintFor(io);
  const quoted = /[^\w./\\:@+-]/.test(target) ? `"${target}"` : target;
  const enter = folder === resolve(io.cwd) ? "" : `  ${bold(`cd ${quoted}`)}\n`;
  return `${messages.newNext}\n${enter}  ${bold("deno task dev")}\n${messages.newOpen}\n`;
}
