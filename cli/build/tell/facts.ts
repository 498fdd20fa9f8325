/**
 * Gathers what an executable tells of itself.
 *
 * @module
 */
import { islandsFolder, version } from "@fw/fw/conventions";
import { basename, join } from "@std/path";
import { describeApi } from "../../describe/openapi/describe.ts";
import { formatPolicy } from "../../describe/policy/file.ts";
import { readPolicy } from "../../describe/policy/lines.ts";
import type { Problem } from "../../problem.ts";
import { listIfThere } from "../../project/files/look.ts";
import { runGit } from "../../project/process/git.ts";
import type { Project } from "../../project/project.ts";
import { routeList } from "../../project/routes/list.ts";
import { describeRoute } from "../../project/routes/routes.ts";
import { findComponents } from "./components.ts";
import { addJsrLicenses } from "./jsr_licenses.ts";
import type { Facts } from "./program.ts";
import { type AppName, formatLicenses, formatSbom } from "./sbom.ts";

/** Gathers the facts. Tests pass their own. */
export type GatherFacts = (
  project: Project,
  options: GatherOptions,
) => Promise<Facts>;

export interface GatherOptions {
  /** The entry file of the executable. */
  readonly entry: string;
  /** The system that the executable is for. */
  readonly target: string;
  /** The registry of JSR packages, which is asked for their licenses. @default none */
  readonly registry?: string;
  /** Receives a line that says of which packages the license is unknown. */
  readonly onStep?: (text: string) => void;
  /** Receives a warning for each fact that is missing. */
  readonly onWarning: (warning: Problem) => void;
}

/**
 * Gathers the facts of a project: its routes, its policy and its API as the code has them, its version, and
 * the packages in it with their licenses.
 *
 * @param project The project, which has been checked.
 * @param options What the executable is for, and who hears of missing facts.
 */
export async function gatherBinaryFacts(
  project: Project,
  options: GatherOptions,
): Promise<Facts> {
  const { root, messages } = project;
  const app = await readName(project);
  const { routes } = await project.routes();
  const found = await findComponents(project, [options.entry, ...await islandSources(root)]);
  const { registry } = options;
  const components = registry === undefined
    ? found
    : await addJsrLicenses(found, { root, registry });
  const unknown = components.list.filter(({ license, licenseText }) =>
    license === undefined && licenseText === undefined
  ).map(({ ref }) => ref);
  if (unknown.length > 0) options.onStep?.(messages.build.licensesUnknown(unknown.join(", ")));
  const openapi = await apiText(project, options);
  return {
    routes: routeList(routes.map(describeRoute), { messages }),
    policy: formatPolicy(await readPolicy(project)),
    ...(openapi === undefined ? {} : { openapi }),
    version: await versionText(app, { root, target: options.target }),
    licenses: formatLicenses(components, messages.build.licenseUnknown),
    sbom: formatSbom(app, components),
  };
}

/** Returns the API document; `undefined` without an API, or with one that cannot be described. */
async function apiText(
  project: Project,
  { onWarning }: GatherOptions,
): Promise<string | undefined> {
  const { routes } = await project.routes();
  if (!routes.some(({ file }) => file.base === "route")) return undefined;
  const { document, problems } = await describeApi(project);
  if (document !== undefined) return `${JSON.stringify(document, null, 2)}\n`;
  const { build: texts } = project.messages;
  // The first error names the place; `fw openapi` lists them all.
  const [{ message, place } = { message: "", place: undefined }] = problems;
  onWarning({
    code: "no_api_document",
    severity: "warning",
    ...(place === undefined ? {} : { place }),
    ...texts.noApi(message),
  });
  return undefined;
}

/** Returns the name and the version of `deno.json`; the folder's name without one. */
async function readName({ root, manifest }: Project): Promise<AppName> {
  const { name, version } = await manifest();
  return {
    name: typeof name === "string" ? name : basename(root),
    version: typeof version === "string" ? version : undefined,
  };
}

/** The packages of an island are in its bundle, which the executable serves. */
async function islandSources(root: string): Promise<string[]> {
  return (await listIfThere(join(root, islandsFolder)))
    .filter(({ name, isFile }) => isFile && /\.tsx?$/.test(name) && !/_test\.tsx?$/.test(name))
    .map(({ name }) => `${islandsFolder}/${name}`).sort();
}

async function versionText(
  { name, version: own }: AppName,
  { root, target }: { readonly root: string; readonly target: string },
): Promise<string> {
  const commit = await commitOf(root);
  const lines = [
    `${name}${own === undefined ? "" : ` ${own}`}`,
    `fw ${version}`,
    `deno ${Deno.version.deno}`,
    `v8 ${Deno.version.v8}`,
    `target ${target}`,
    ...(commit === undefined ? [] : [`commit ${commit}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the commit, with `+` when files differ from it; `undefined` without a repository or git. */
async function commitOf(root: string): Promise<string | undefined> {
  const head = await runGit(root, ["rev-parse", "HEAD"]);
  if (head?.code !== 0) return undefined;
  // Inside a submodule git would read a configuration that is not this repository's.
  const flags = ["--porcelain", "--ignore-submodules=dirty"];
  const status = await runGit(root, ["status", ...flags, "--", "."]);
  const isClean = status?.code === 0 && status.stdout.trim() === "";
  return isClean ? head.stdout.trim() : `${head.stdout.trim()}+`;
}
