/**
 * Everything that an audit knows of a project, gathered without running its code.
 *
 * @module
 */
import { join } from "@std/path";
import { parseEnv } from "node:util";
import type { Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { createGenerator, type GenerateResult } from "../gen/generator.ts";
import { readTextIfThere } from "../project/files/if_there.ts";
import { readManifest } from "../project/manifest.ts";
import { findCalls, type SourceCall } from "../project/sources/calls.ts";
import { parseStartTask, startCommandOf, type StartTask } from "../project/start_task.ts";
import { type ProductionSettings, readProductionSettings } from "../project/settings/production.ts";
import type { Finding } from "./finding.ts";

/** What is known of a project. */
export interface ProjectFacts {
  /** Its folder, absolute. */
  readonly root: string;
  /** The catalogue in which findings are worded. */
  readonly messages: Messages;
  /** Its `deno.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
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
export type AuditCheck = (facts: ProjectFacts) => readonly Finding[] | Promise<readonly Finding[]>;

/** The methods whose calls tell what an application uses. */
const watchedMethods = ["check", "flash", "setSigned", "signed"];

/**
 * Gathers what is known of a project. The variables are those of this process, then those of the
 * `start` task and of the files that it names by `--env-file`.
 *
 * @param root The project's folder, absolute.
 * @param io The environment and the language.
 * @throws {ManifestError} when `deno.json` is no JSON.
 */
export async function gatherFacts(root: string, io: Io): Promise<ProjectFacts> {
  const messages = messagesOf(io);
  const manifest = await readManifest(root);
  const task = parseStartTask(startCommandOf(manifest) ?? "");
  const env = { ...await readEnvFiles(root, task), ...io.env, ...task?.env };
  const [settings, generated, calls] = await Promise.all([
    readProductionSettings(root, env),
    createGenerator(root, { messages, write: false }).generate(),
    findCalls(root, watchedMethods),
  ]);
  return { root, messages, manifest, task, env, settings, generated, calls };
}

async function readEnvFiles(root: string, task: StartTask | undefined): Promise<Io["env"]> {
  const all: Record<string, string | undefined> = {};
  for (const flag of task?.flags ?? []) {
    const match = /^--env-file(?:=(.+))?$/.exec(flag);
    if (match === null) continue;
    const text = await readTextIfThere(join(root, match[1] ?? ".env"));
    // The first file that names a variable decides.
    if (text !== undefined) Object.assign(all, { ...parseEnv(text), ...all });
  }
  return all;
}
