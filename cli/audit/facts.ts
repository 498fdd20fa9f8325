/**
 * The facts an audit works with, collected without running the app.
 *
 * @module
 */
import { generate, type GenerateResult } from "../gen/generate.ts";
import type { Io } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import type { Manifest } from "../project/manifest.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/production.ts";
import type { SourceCall } from "../project/sources/calls.ts";
import type { StartTask } from "../project/start_task.ts";
import type { Verdict } from "./verdict.ts";

/** What is known of a project. */
export interface AuditFacts {
  /** The project. */
  readonly project: Project;
  /** Its folder, absolute. */
  readonly root: string;
  /** The catalogue in which problems are worded. */
  readonly messages: Messages;
  /** Its `deno.json`. */
  readonly manifest: Manifest;
  /** What its `start` task says; `undefined` where it runs no file. */
  readonly task: StartTask | undefined;
  /** The variables that production has, as far as they can be seen from here. */
  readonly env: Io["env"];
  /** Its settings in production. */
  readonly settings: ProductionSettings;
  /** Its routes, or what is wrong with them. */
  readonly generated: GenerateResult;
  /** The calls in its sources that tell what it uses. */
  readonly calls: readonly SourceCall[];
}

/** Looks at one thing. */
export type Check = (facts: AuditFacts) => Verdict | Promise<Verdict>;

/** The methods whose calls tell what an application uses. */
const watchedMethods = ["check", "flash", "setSigned", "signed"];

/**
 * Collects the facts about a project.
 *
 * @throws {ManifestError} when `deno.json` is no JSON.
 */
export async function gatherFacts(project: Project): Promise<AuditFacts> {
  const { root, messages } = project;
  return {
    project,
    root,
    messages,
    manifest: await project.manifest(),
    task: await project.startTask(),
    env: await project.environment(),
    settings: await project.settings(),
    generated: await generate(project, { write: false }),
    calls: await project.calls(watchedMethods),
  };
}
