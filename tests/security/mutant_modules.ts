/**
 * Loads modules of the framework with a change: the changed one and whatever loads it are copies in
 * memory, all others are the framework's own.
 *
 * @module
 */
import { toFileUrl } from "@std/path";
import { stripTypeScriptTypes } from "node:module";
import { type Module as Linked, SourceTextModule, SyntheticModule } from "node:vm";
import { root } from "../../tools/workspace.ts";

/** One change to a source: the text must occur in it exactly once. */
export type Edit = readonly [find: string, replace: string];

/** The changes to one module. */
export interface Change {
  /** The file, relative to the root. */
  readonly path: string;
  readonly edits: readonly Edit[];
}

/**
 * Loads a module which is changed, or which loads the changed one, directly or not.
 *
 * @param entry The module, relative to the root. @default change.path
 * @returns What the module exports.
 * @throws {Error} when a text to find is not there exactly once, or the entry does not load the module.
 */
export async function loadMutant<M>(change: Change, entry: string = change.path): Promise<M> {
  const copies = makeCopies(change, urlOf(entry));
  const copy = copies.get(urlOf(entry));
  if (copy === undefined) {
    throw new Error(`Cannot change "${change.path}": "${entry}" does not load it`);
  }
  await copy.link((specifier, { identifier }, { attributes: { type } }) => {
    const url = resolve(specifier, identifier);
    return copies.get(url) ?? shareModule(url, type);
  });
  await copy.evaluate();
  return copy.namespace as M;
}

/** Copies of the changed module and of all by which it is loaded, by URL. */
function makeCopies(change: Change, entry: string): Map<string, SourceTextModule> {
  const known = listModules(entry);
  const changed = urlOf(change.path);
  const urls = new Set([changed]);
  for (const url of urls) {
    for (const each of known) if (readModule(each).loads.includes(url)) urls.add(each);
  }
  return new Map([...urls].map((url) => {
    const code = url === changed ? changeCode(change) : readModule(url).code;
    const initializeImportMeta = (meta: ImportMeta): void => {
      meta.url = url;
    };
    return [url, new SourceTextModule(code, { identifier: url, initializeImportMeta })];
  }));
}

function changeCode({ path, edits }: Change): string {
  let { source } = readModule(urlOf(path));
  for (const [find, replace] of edits) {
    const count = source.split(find).length - 1;
    if (count !== 1) throw new Error(`Cannot change "${path}": ${count} times ${find}`);
    source = source.replace(find, () => replace);
  }
  return stripTypeScriptTypes(source);
}

/** The module and all that it loads, directly or not. */
function listModules(entry: string): string[] {
  const found = new Set([entry]);
  for (const url of found) for (const load of readModule(url).loads) found.add(load);
  return [...found];
}

/** A module of the framework. */
interface Module {
  /** Its TypeScript. */
  readonly source: string;
  /** Its JavaScript. */
  readonly code: string;
  /** The modules of the framework that it loads at once. */
  readonly loads: readonly string[];
}

/** What was read, by URL. */
const modules = new Map<string, Module>();

function readModule(url: string): Module {
  const known = modules.get(url);
  if (known !== undefined) return known;
  const source = Deno.readTextFileSync(new URL(url));
  const code = stripTypeScriptTypes(source);
  const loads = [...code.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+\.ts)";$/gm)]
    .map(([, specifier = ""]) => resolve(specifier, url));
  const module = { source, code, loads };
  modules.set(url, module);
  return module;
}

/** The modules that are no copies, as copies load them, by URL or specifier. */
const shared = new Map<string, Promise<Linked>>();

function shareModule(url: string, type: string | undefined): Promise<Linked> {
  const made = shared.get(url) ?? makeShared(url, type);
  shared.set(url, made);
  return made;
}

/** @param type What is loaded when it is no module, `text`. */
async function makeShared(url: string, type: string | undefined): Promise<Linked> {
  const own = await import(url, type === undefined ? {} : { with: { type } });
  return new SyntheticModule(Object.keys(own), function (): void {
    for (const [name, value] of Object.entries(own)) this.setExport(name, value);
  });
}

function urlOf(path: string): string {
  return toFileUrl(`${root}/${path}`).href;
}

function resolve(specifier: string, from: string): string {
  return specifier.startsWith(".") ? new URL(specifier, from).href : specifier;
}
