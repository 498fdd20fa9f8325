import { type Operations, reachOperations } from "../facts/operations.ts";
import { type Generated, runGenerators } from "../gen/generate.ts";
import type { Io } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import type { Place, ProblemText, Severity } from "../problem.ts";
import type { Manifest } from "../project/manifest.ts";
import type { Project } from "../project/project.ts";
import type { PossibleValue, ProductionSettings } from "../project/settings/settings.ts";
import type { SourceCall } from "../project/sources/calls.ts";
import type { StartTask } from "../project/start_task.ts";

export interface AuditFacts {
  readonly project: Project;
  readonly root: string;
  readonly texts: Messages["audit"];
  readonly manifest: Manifest;
  readonly task: StartTask | undefined;
  readonly env: Io["env"];
  readonly settings: ProductionSettings;
  readonly generated: Generated;
  readonly calls: readonly SourceCall[];
  /** The operations; empty if the generator found errors. */
  readonly operations: Operations;
}

export type Check = (facts: AuditFacts) => Findings | Promise<Findings>;

export type Checks = Readonly<Record<string, Check>>;

const watchedMethods = ["check", "flash", "setSigned", "signed"];

/** Collects the facts about a project. @throws {ManifestError} if `deno.json` is not valid JSON. */
export async function gatherFacts(
  project: Project,
  options: { readonly assumed?: Io["env"] } = {},
): Promise<AuditFacts> {
  const { root, messages } = project;
  const env = { ...options.assumed, ...await project.environment() };
  const generated = await runGenerators(project, { write: false });
  const operations = await reachOperations(project);
  return {
    project,
    root,
    texts: messages.audit,
    manifest: await project.manifest(),
    task: await project.startTask(),
    env,
    settings: await project.settings(env),
    generated,
    calls: await project.calls(watchedMethods),
    operations: generated.ok ? operations : { ...operations, list: [] },
  };
}

export interface Found extends ProblemText {
  readonly severity: Exclude<Severity, "error">;
  readonly places: readonly Place[];
}

export type Findings = readonly Found[];

export function found(
  severity: Found["severity"],
  text: ProblemText,
  places: readonly Place[] = [],
): Found {
  return { severity, ...text, places };
}

export function foundAt(
  severity: Found["severity"],
  text: ProblemText,
  places: readonly Place[],
): Findings {
  return places.length === 0 ? [] : [found(severity, text, places)];
}

export function placesOf(values: readonly PossibleValue[]): Place[] {
  return values.flatMap(({ source }) => source.kind === "code" ? [source.place] : []);
}
