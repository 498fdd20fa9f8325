import { generatedFile, publicFolder } from "@fw/fw/conventions";
import { basename, dirname, join, relative } from "@std/path";
import { checkGenerated } from "../gen/generate.ts";
import type { Io } from "../io.ts";
import { bundleIslands, bundleLines } from "../islands/bundles.ts";
import { errorAt, hasErrors, type Problem } from "../problem.ts";
import { statIfThere } from "../project/files/look.ts";
import { makeOutputFolder, replaceFile } from "../project/files/write_inside.ts";
import { type CheckTypes, toolProblems } from "../project/process/tools.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/settings.ts";
import { executableFlags, leastFlags, type StartTask } from "../project/start_task.ts";
import { checkAssets } from "./assets.ts";
import type { Compile, CompileJob, CompileOutcome } from "./compile.ts";
import { type BuildOutcome, compileProblem, smokeProblem } from "./report.ts";
import { type Facts, factsProgram, type GatherFacts } from "./facts.ts";
import { planSmokeTest, type Smoke } from "./smoke.ts";

export interface BuildSteps {
  readonly check: CheckTypes;
  readonly compile: Compile;
  readonly gather: GatherFacts;
  readonly smoke: Smoke;
}

export interface BuildPlan extends BuildSteps {
  readonly project: Project;
  readonly io: Io;
  readonly target: string;
  readonly output: string;
  /** Additional files and folders to embed, absolute. */
  readonly includes: readonly string[];
  readonly isSmoked: boolean;
  /** Receives a line for each step and each written file. */
  readonly onStep: (text: string) => void;
}

export async function buildExecutable(plan: BuildPlan): Promise<BuildOutcome> {
  const { project, io, output, target, onStep } = plan;
  const { root, messages } = project;
  const task: StartTask = await project.startTask() ??
    { file: generatedFile, env: {}, flags: leastFlags, args: [], unread: [], detached: [] };
  const { build: texts } = messages;
  const faults = [
    ...task.unread.map((word) => texts.unreadFlag(word)),
    ...task.detached.map((each) => texts.detachedList(each, each.replace(" ", "="))),
  ];
  if (faults.length > 0) {
    return { problems: faults.map((text) => errorAt({ file: "deno.json" }, "E_START_TASK", text)) };
  }
  const checked = await checkProject(plan, task);
  if (hasErrors(checked.problems)) return checked;
  onStep(texts.compiling(task.file, target));
  // The signal is read only now: before this point a stop has nothing to clean up.
  const { signal } = io;
  await makeOutputFolder(output);
  // Built in another folder under the same name: the old executable stays until the new one passed its
  // test, and Deno keys the storage of an executable by its name.
  const folder = await Deno.makeTempDir({ dir: dirname(output), prefix: ".fw-build-" });
  try {
    const made = join(folder, basename(output));
    const isHere = target === Deno.build.target;
    const { flags, dropped } = executableFlags(task.flags);
    const hasPublic = (await statIfThere(join(root, publicFolder)))?.isDirectory;
    const job: CompileJob = {
      root,
      entry: task.file,
      output: made,
      target: isHere ? undefined : target,
      includes: [
        ...(hasPublic ? [publicFolder] : []),
        ...plan.includes.map((path) => relative(root, path)),
      ],
      preload: factsFile,
      flags,
      args: task.args,
    };
    const { facts, warnings } = await plan.gather(project, target);
    const compiled = await compileWithFacts(plan, job, facts);
    if (signal.aborted) return { problems: [] };
    if (compiled.kind !== "compiled") {
      return { problems: [await compileProblem(compiled, { messages, target, root })] };
    }
    const isTested = plan.isSmoked && isHere;
    if (isTested) onStep(texts.testing);
    const tested = isTested
      ? await plan.smoke({
        ...await planSmokeTest(project, checked.settings, task.flags),
        executable: made,
        signal,
        env: { ...task.env, FW_ENV: "prod", FW_DEV_READY: "", NO_COLOR: "1" },
      })
      : undefined;
    if (signal.aborted) return { problems: [] };
    if (tested?.kind === "failed") return { problems: [smokeProblem(tested, messages)] };
    await Deno.rename(made, output);
    const { size: sizeBytes } = await Deno.stat(output);
    const variables = Object.keys(task.env);
    const built = { sizeBytes, permissions: flags, dropped, variables, tested };
    return { problems: [...checked.problems, ...warnings], built };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function checkProject(plan: BuildPlan, task: StartTask): Promise<{
  readonly problems: readonly Problem[];
  readonly settings: ProductionSettings;
}> {
  const { project, io, onStep } = plan;
  const { root, messages: { build: texts } } = project;
  onStep(texts.checking);
  const settings = await project.settings({ ...io.env, ...task.env });
  const found = [...await checkGenerated(project)];
  const steps: (() => Promise<readonly Problem[]>)[] = [
    async () => {
      const bundles = await bundleIslands(project);
      for (const line of bundleLines(bundles, project.messages)) onStep(line);
      return bundles.problems;
    },
    () => checkAssets(project, settings),
    async () => {
      onStep(texts.checkingTypes);
      return toolProblems(await plan.check(root, task.file), "E_TYPES", project.messages);
    },
  ];
  for (const step of steps) {
    if (hasErrors(found)) break;
    found.push(...await step());
  }
  return { problems: found, settings };
}

/** The module that prints the facts, in a folder that git ignores; removed after the build. */
const factsFile = ".fw/build/facts.ts";

/** Compiles with a facts module, which clients cannot request: it is not a static file. */
async function compileWithFacts(
  plan: BuildPlan,
  job: CompileJob,
  facts: Facts,
): Promise<CompileOutcome> {
  const { project: { root, messages: { build: texts } }, io } = plan;
  const file = join(root, factsFile);
  await Deno.mkdir(dirname(file), { recursive: true });
  const usage = texts.factsUsage(basename(job.output), Object.keys(facts).join("|"));
  await replaceFile(file, factsProgram(facts, usage));
  try {
    return await plan.compile(job, { signal: io.signal });
  } finally {
    // Otherwise the formatter and the compiler would treat it as a source file.
    await Deno.remove(file).catch(() => {});
  }
}
