/**
 * The steps of `fw check`, in the order in which they run.
 *
 * @module
 */
import { auditProject } from "../audit/checks.ts";
import { gatherFacts } from "../audit/facts.ts";
import { checkGenerated, generate } from "../gen/generate.ts";
import { checkTemplates } from "../gen/templates.ts";
import { errorAt, type Problem, startOfFile } from "../problem.ts";
import { checkTypes, format, lint, type ToolFault } from "../project/process/tools.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";
import { runTests } from "./tests.ts";

/** The names of the steps, in their order. */
export const stepNames = ["gen", "fmt", "lint", "types", "test", "audit"] as const;

export type StepName = typeof stepNames[number];

/** Runs one step. */
export async function runStep(
  name: StepName,
  project: Project,
  options: StepOptions,
): Promise<StepResult> {
  return await steps[name](project, options);
}

type Step = (project: Project, options: StepOptions) => Promise<StepResult>;

const steps: Readonly<Record<StepName, Step>> = {
  gen: checkGen,
  fmt: checkFormat,
  lint: checkLint,
  types: async (project) => ({
    problems: problemsOf(await checkTypes(project.root), { project, code: "E_TYPES" }),
  }),
  test: runTests,
  audit: checkAudit,
};

async function checkGen(project: Project, { fix }: StepOptions): Promise<StepResult> {
  if (fix) {
    const result = await generate(project);
    if (!result.ok) return { problems: result.problems };
    project.refresh();
  } else {
    const { problems } = await checkGenerated(project);
    if (problems.length > 0) return { problems };
  }
  return { problems: await checkTemplates(project) };
}

async function checkFormat(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const faults = await format(project.root, { fix });
  if (fix) project.refresh();
  return { problems: problemsOf(faults, { project, code: "E_FORMAT" }) };
}

async function checkLint(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const faults = await lint(project.root, { fix });
  if (fix) project.refresh();
  return { problems: problemsOf(faults, { project, code: "E_LINT" }) };
}

/** The audit without what the steps before it have checked already. */
async function checkAudit(project: Project): Promise<StepResult> {
  const { problems } = await auditProject(await gatherFacts(project), {
    skip: ["generated", "lint", "types"],
  });
  return { problems };
}

function problemsOf(
  faults: readonly ToolFault[],
  at: { readonly project: Project; readonly code: "E_FORMAT" | "E_LINT" | "E_TYPES" },
): Problem[] {
  const { project: { messages }, code } = at;
  return faults.map(({ message, place }) => {
    const text = { message, fix: messages.check.fixes[code] };
    return place === undefined
      ? { code, severity: "error", ...text }
      : errorAt({ ...startOfFile, ...place }, code, text);
  });
}
