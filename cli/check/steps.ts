import { randomToken } from "@fw/fw/addon";
import { auditProject } from "../audit/checks.ts";
import { gatherFacts } from "../audit/facts.ts";
import { join } from "@std/path";
import { checkAssets } from "../build/assets.ts";
import { checkPolicy, policyFile, readPolicyFile } from "../describe/policy/policy.ts";
import { runGenerators } from "../gen/generate.ts";
import { hasErrors, type Problem } from "../problem.ts";
import {
  checkTypes,
  format,
  hasLintPlugins,
  lint,
  toolProblems,
} from "../project/process/tools.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { findStaleSchema } from "../project/migrations.ts";
import type { Project } from "../project/project.ts";
import { findStaleKit, writeKit } from "../scaffold/kit.ts";
import { bundleIslands, keepsOwnIgnoreFile } from "../islands/bundles.ts";
import { checkMessages } from "./messages.ts";
import { checkPages } from "./pages.ts";
import { runTests, type StepOptions, type StepResult } from "./tests.ts";
import { describeApi } from "../describe/openapi/describe.ts";
import {
  documentFile,
  formatDocument,
  readDocumentFile,
  staleDocumentProblem,
} from "../describe/openapi/document.ts";

export const stepNames = [
  "gen",
  "fmt",
  "lint",
  "types",
  "assets",
  "messages",
  "test",
  "pages",
  "audit",
  "openapi",
  "policy",
] as const;

export type StepName = typeof stepNames[number];

type Step = (project: Project, options: StepOptions) => Promise<StepResult>;

export const steps: Readonly<Record<StepName, Step>> = {
  gen: checkGen,

  fmt: async (project, { fix, signal }) => {
    const faults = await format(project.root, { fix, signal });
    if (fix) project.refresh();
    return { problems: toolProblems(faults, "E_FORMAT", project.messages) };
  },

  lint: async (project, { fix, signal, isOwn }) => {
    const faults = await lint(project.root, { fix, signal, isOwn });
    if (fix) project.refresh();
    const problems = toolProblems(faults, "E_LINT", project.messages);
    if (isOwn || !hasLintPlugins(await project.manifest())) return { problems };
    const left = { code: "E_LINT", severity: "warning" } as const;
    return { problems: [...problems, { ...left, ...project.messages.audit.lintPlugins() }] };
  },

  types: async (project, { signal, isOwn }) => {
    const faults = await checkTypes(project.root, undefined, { signal, isOwn });
    const problems = toolProblems(faults, "E_TYPES", project.messages);
    return { problems: signal.aborted ? problems : await addCodeFixes(problems, project) };
  },

  assets: async (project) => ({ problems: await checkAssets(project, await project.settings()) }),

  messages: async (project) => ({ problems: await checkMessages(project) }),
  test: runTests,

  pages: async (project, { pages: folder }) => {
    const { problems, pages } = await checkPages(project, folder);
    const { pagesNote, pagesUnseen } = project.messages.check;
    return { problems, note: pages === 0 ? pagesUnseen : pagesNote(pages) };
  },

  audit: async (project) => {
    // A developer's machine has no production keys: `audit` requires them before a release.
    const facts = await gatherFacts(project, { assumed: { FW_SECRET: randomToken() } });
    const { problems } = await auditProject(facts, { skip: ["generated", "lint", "types"] });
    return { problems };
  },

  openapi: checkDocument,

  policy: async (project) => {
    const note = project.messages.check.noFile(policyFile);
    if (await readPolicyFile(project.root) === undefined) return { problems: [], note };
    const { problems } = await checkPolicy(project);
    return { problems };
  },
};

async function checkGen(project: Project, options: StepOptions): Promise<StepResult> {
  const { problems } = await runGenerators(project, { write: options.fix });
  if (hasErrors(problems)) return { problems };
  if (options.fix) project.refresh();
  const bundles = options.bundles ?? await updateBundles(project, options);
  const kit = await findStaleKit(project);
  const isKitFixed = options.fix && kit.length > 0;
  if (isKitFixed) await writeKit(project.root);
  return {
    problems: [
      // These warnings are for a developer who is writing a migration; a check fails on them.
      ...problems.filter(({ code }) => code !== "E_STALE"),
      ...bundles,
      ...isKitFixed ? [] : kit,
      ...await findStaleSchema(project),
    ],
  };
}

/** Updates stale bundles. Without `fix`, it only compares bundles that may be in git. */
export async function updateBundles(
  project: Project,
  { fix }: Pick<StepOptions, "fix">,
): Promise<readonly Problem[]> {
  // Bundles in the development server's form pass the check too.
  const { problems } = await bundleIslands(project, { write: false });
  if (!hasErrors(problems)) return [];
  if (!fix && await keepsOwnIgnoreFile(project.root)) return problems;
  const report = await bundleIslands(project);
  project.refresh();
  return report.problems;
}

/** Adds the compiler's fix to type errors that have one: "Change spelling to 'title'". */
async function addCodeFixes(
  problems: readonly Problem[],
  project: Project,
): Promise<readonly Problem[]> {
  const types = problems.length === 0 ? undefined : await project.types();
  if (types === undefined) return problems;
  const { default: ts } = await import("npm:typescript@6.0.3");
  const { program, host } = types;
  const textOf = (file: string): string | undefined =>
    program.getSourceFile(file)?.text ?? host.readFile(file);
  const { writeFile: _, ...reading } = host;
  const service = ts.createLanguageService({
    ...reading,
    getCompilationSettings: () => program.getCompilerOptions(),
    getScriptFileNames: () => [...program.getRootFileNames()],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => ts.ScriptSnapshot.fromString(textOf(file) ?? ""),
  });
  return problems.map((problem) => {
    const { place, message } = problem;
    const code = Number(/^TS(\d+): /.exec(message)?.[1]);
    const tree = place && program.getSourceFile(place.file);
    if (place?.line === undefined || tree === undefined || Number.isNaN(code)) return problem;
    const start = (tree.getLineStarts()[place.line - 1] ?? 0) + (place.column ?? 1) - 1;
    const fault = service.getSemanticDiagnostics(place.file).find((each) => each.start === start);
    const end = start + (fault?.length ?? 0);
    const [fix] = service.getCodeFixesAtPosition(place.file, start, end, [code], {}, {});
    return fix === undefined ? problem : { ...problem, fix: `${fix.description}.` };
  });
}

export async function checkDocument(project: Project, { fix }: StepOptions): Promise<StepResult> {
  const { root, messages } = project;
  const path = join(root, documentFile);
  const present = await readDocumentFile(path);
  if (present === undefined) return { problems: [], note: messages.check.noFile(documentFile) };
  const { document, problems } = await describeApi(project);
  const text = document === undefined ? present : formatDocument(document);
  if (text === present) return { problems };
  if (!fix) {
    return { problems: [...problems, staleDocumentProblem(documentFile, messages)] };
  }
  await replaceFile(path, text);
  return { problems };
}
