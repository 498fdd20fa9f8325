import { escapeLines } from "@fw/fw/addon";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import {
  checkPolicy,
  diffPolicies,
  formatPolicy,
  parsePolicy,
  policyFile,
  readPolicy,
  readPolicyFile,
} from "../describe/policy/policy.ts";
import { exitCodes, type Io } from "../io.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { type Project, requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";

export async function policy(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const { problems } = await project.routes();
  if (problems.length > 0) throw new Stop(problems);
  if (!args.has("check")) return await write(project, io);
  const found = await checkPolicy(project);
  if (found.problems.length > 0) throw new Stop(found.problems);
  io.stdout(`${messages.files.fresh(policyFile)}\n`);
  return exitCodes.ok;
}

async function write(project: Project, io: Io): Promise<number> {
  const { messages } = project;
  const before = await readPolicyFile(project.root);
  const lines = await readPolicy(project);
  const text = formatPolicy(lines);
  const changes = before === undefined ? [] : diffPolicies(
    parsePolicy(before),
    lines,
    messages.describe.policy,
  );
  if (text !== before) await replaceFile(join(project.root, policyFile), text);
  // The file of a clone may contain what a terminal interprets.
  for (const { text } of changes) io.stdout(`${escapeLines(text)}\n`);
  const became = before === undefined ? "made" : text === before ? "fresh" : "updated";
  io.stdout(`${messages.files[became](policyFile)}\n`);
  return exitCodes.ok;
}
