import { resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { buildExecutable, type BuildSteps } from "../build/build.ts";
import { chooseOutput, compileApp, refuseOutput } from "../build/compile.ts";
import { gatherBuildFacts } from "../build/facts.ts";
import { smokeTest } from "../build/smoke.ts";
import { printBuild } from "../build/report.ts";
import { exitCodes, type Io } from "../io.ts";
import { outputFolder, refuseOutputLink } from "../project/files/write_inside.ts";
import { requireApp } from "../project/project.ts";
import { checkTypes } from "../project/process/tools.ts";

const ownSteps: BuildSteps = {
  // The smoke test runs the project's own code.
  check: (root, file, options) => checkTypes(root, file, { ...options, isOwn: true }),
  compile: compileApp,
  gather: gatherBuildFacts,
  smoke: smokeTest,
};

export async function build(
  args: CommandArgs,
  io: Io,
  steps: BuildSteps = ownSteps,
): Promise<number> {
  const project = await requireApp("build", io);
  const target = args.value("target") ?? Deno.build.target;
  const output = await chooseOutput(project, {
    output: args.value("output"),
    cwd: io.cwd,
    target,
  });
  const includes = args.values("include").map((path) => resolve(io.cwd, path));
  if (args.value("output") === undefined) {
    await refuseOutputLink(project, { folder: outputFolder, flag: "--output" });
  } else await refuseOutput(project, output);
  const isSmoked = !args.has("skip-smoke");
  const onStep = (text: string): void => io.stdout(`${text}\n`);
  const plan = { ...steps, io, project, target, output, includes, isSmoked, onStep };
  const made = await buildExecutable(plan);
  const isOk = made.built !== undefined;
  printBuild(made, { io, output, target, isSmoked });
  return isOk ? exitCodes.ok : exitCodes.failure;
}
