import type { Problem } from "../problem.ts";
import type { Project } from "../project/project.ts";

/** Adds the compiler's fix to type errors that have one: "Change spelling to 'title'". */
export async function addCodeFixes(
  problems: readonly Problem[],
  project: Project,
): Promise<readonly Problem[]> {
  const types = problems.length === 0 ? undefined : await project.types();
  if (types === undefined) return problems;
  const { ts } = await project.sources();
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
    const tree = place && types.tree(place.file);
    if (place?.line === undefined || tree === undefined || Number.isNaN(code)) return problem;
    const line = tree.getLineStarts()[place.line - 1] ?? 0;
    const start = line + (place.column ?? 1) - 1;
    const end = service.getSemanticDiagnostics(place.file).find((each) => each.start === start)
      ?.length ?? 0;
    const [fix] = service.getCodeFixesAtPosition(
      place.file,
      start,
      start + end,
      [code],
      {},
      {},
    );
    return fix === undefined ? problem : { ...problem, fix: `${fix.description}.` };
  });
}
