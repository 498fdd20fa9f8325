/**
 * Finds the packages that an executable holds, from its module graph.
 *
 * @module
 */
import { dirname, fromFileUrl, join, toFileUrl } from "@std/path";
import { listIfThere, readTextIfThere } from "../../project/files/look.ts";
import { memberOf, objectOf, parseJson, textOf } from "../../project/json.ts";
import type { Project } from "../../project/project.ts";
import {
  type GraphModule,
  type ModuleGraph,
  pathInProject,
  readModuleGraph,
} from "../../project/sources/graph.ts";
import { findLicenseFile, maxLicenseFileSize } from "./license_file.ts";
import { type LockHash, type LockHashes, readLock } from "./lock.ts";

/** Where a package comes from. */
export type Registry = "npm" | "jsr" | "url" | "file";

/** A package in an executable. */
export interface Component {
  /** Unique in the executable, such as `npm:preact@10.29.8`. */
  readonly ref: string;
  readonly registry: Registry;
  readonly name: string;
  /** `undefined` for a module without one, such as a single file at a URL. */
  readonly version: string | undefined;
  /** The digest of the lock file. */
  readonly hash: LockHash | undefined;
  /** As the package states it; `undefined` if that is not known offline. */
  readonly license: string | undefined;
  /** The text of its license file; `undefined` if it has none here. */
  readonly licenseText: string | undefined;
}

/** The packages of an executable and what each imports. */
export interface Components {
  /** Sorted by `ref`. */
  readonly list: readonly Component[];
  /** The refs that each ref imports; the application is `""`. */
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Finds the packages of the application and of its islands.
 *
 * @param project The project.
 * @param entries The entry file and the sources of the islands, relative to the project.
 * @param options `registry`: where JSR packages come from. @default https://jsr.io
 */
export async function findComponents(
  project: Project,
  entries: readonly string[],
  options: { readonly registry?: string } = {},
): Promise<Components> {
  const registry = registryOf(options.registry);
  const { root } = project;
  const lock = await readLock(root);
  const found = new Map<string, Component>();
  const edges = new Map<string, Set<string>>([["", new Set()]]);
  for (const entry of entries) {
    const graph = await readModuleGraph(root, entry);
    if (graph === undefined) continue;
    const modules = graph.closure([toFileUrl(join(root, entry)).href]);
    const owners = new Map<string, string>();
    for (const module of modules) {
      const component = await componentOf(module, { root, graph, lock, registry });
      if (component !== undefined) found.set(component.ref, component);
      owners.set(module.specifier, component?.ref ?? "");
    }
    for (const module of modules) {
      const owner = owners.get(module.specifier) ?? "";
      for (const url of module.imports) {
        const target = owners.get(graph.module(url)?.specifier ?? "");
        if (target !== undefined && target !== owner && target !== "") link(owner, target);
      }
    }
    for (const ref of [...found.keys()]) await addNpm(ref, graph);
  }
  const list = [...found.values()].sort((a, b) => a.ref < b.ref ? -1 : 1);
  return { list, edges };

  function link(from: string, to: string): void {
    const targets = edges.get(from) ?? new Set();
    targets.add(to);
    edges.set(from, targets);
  }

  /** Adds what an npm package depends on: its modules are not in the graph. */
  async function addNpm(ref: string, graph: ModuleGraph): Promise<void> {
    const id = ref.replace(/^npm:/, "");
    for (const dependency of graph.npm.get(id)?.dependencies ?? []) {
      const component = await npmComponent(dependency, { graph, lock });
      if (component === undefined) continue;
      link(ref, component.ref);
      if (found.has(component.ref)) continue;
      found.set(component.ref, component);
      await addNpm(component.ref, graph);
    }
  }
}

interface Known {
  readonly root: string;
  readonly graph: ModuleGraph;
  readonly lock: LockHashes;
  /** The address of the registry of JSR packages, with a slash at its end. */
  readonly registry: string;
}

/** Returns the address of a registry with a slash at its end. */
export function registryOf(text = "https://jsr.io"): string {
  return text.endsWith("/") ? text : `${text}/`;
}

/** Returns the package of a module; `undefined` for a module of the application. */
async function componentOf(module: GraphModule, known: Known): Promise<Component | undefined> {
  const { specifier, npmPackage, file } = module;
  if (npmPackage !== undefined) return await npmComponent(npmPackage, known);
  if (specifier.startsWith("file:")) return await fileComponent(fromFileUrl(specifier), known);
  // A module of another host may have such a path too: it is no package of the registry.
  const path = specifier.startsWith(known.registry) ? specifier.slice(known.registry.length) : "";
  const [, name, version] = /^(@[\w-]+\/[\w-]+)\/(\d+\.\d+\.\d+[\w.+-]*)\//.exec(path) ?? [];
  if (name !== undefined && version !== undefined) {
    return {
      ref: `jsr:${name}@${version}`,
      registry: "jsr",
      name,
      version,
      hash: known.lock.jsr(`${name}@${version}`),
      license: undefined,
      licenseText: undefined,
    };
  }
  if (!/^https?:/.test(specifier) || file === undefined) return undefined;
  return {
    ref: specifier,
    registry: "url",
    name: specifier,
    version: undefined,
    hash: known.lock.remote(specifier),
    license: undefined,
    licenseText: undefined,
  };
}

async function npmComponent(
  id: string,
  { graph, lock }: Pick<Known, "graph" | "lock">,
): Promise<Component | undefined> {
  const found = graph.npm.get(id);
  if (found === undefined) return undefined;
  const { name, version, folder } = found;
  return {
    // Peers make several ids of one package, which is in the executable once.
    ref: `npm:${name}@${version}`,
    registry: "npm",
    name,
    version,
    hash: lock.npm(`${name}@${version}`),
    license: folder === "" ? undefined : await readLicense(join(folder, "package.json")),
    licenseText: folder === "" ? undefined : await readLicenseText(folder),
  };
}

/** Returns the package of a file outside the project, such as a linked checkout. */
async function fileComponent(file: string, { root }: Known): Promise<Component | undefined> {
  if (pathInProject(root, file) !== undefined) return undefined;
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = objectOf(parseJson(await readTextIfThere(join(folder, "deno.json")) ?? "")) ??
      {};
    const { name, version } = manifest;
    if (typeof name !== "string") continue;
    return {
      ref: `file:${name}`,
      registry: "file",
      name,
      version: typeof version === "string" ? version : undefined,
      hash: undefined,
      license: textOf(manifest["license"]) || undefined,
      licenseText: await readLicenseText(folder),
    };
  }
  return undefined;
}

async function readLicense(path: string): Promise<string | undefined> {
  const { license, licenses } = objectOf(parseJson(await readTextIfThere(path) ?? "")) ?? {};
  // The plural and the object are old forms.
  const all: readonly unknown[] = Array.isArray(licenses) ? licenses : [license];
  const names = all.map((each) => textOf(each) ?? textOf(memberOf(each, "type")))
    .filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? undefined : names.join(" OR ");
}

async function readLicenseText(folder: string): Promise<string | undefined> {
  const files = (await listIfThere(folder)).filter(({ isFile }) => isFile);
  const file = findLicenseFile(files.map(({ name }) => name));
  if (file === undefined) return undefined;
  return (await readTextIfThere(join(folder, file)))?.slice(0, maxLicenseFileSize);
}
