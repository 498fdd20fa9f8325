/**
 * The types of a project, through one program of the TypeScript compiler. The program uses the syntax
 * trees of {@linkcode Sources}, so a node found by its syntax can be passed to the checker.
 */
import { generatedFile } from "@fw/fw/conventions";
import { fromFileUrl, join, SEPARATOR, toFileUrl } from "@std/path";
import ts from "npm:typescript@6.0.3";
import { conventionsUrl } from "../framework_url.ts";
import type { Manifest } from "../manifest.ts";
import { runForeign } from "../process/foreign.ts";
import {
  type GraphModule,
  type GraphPackage,
  type ModuleGraph,
  pathInProject,
  readModuleGraph,
} from "./graph.ts";
import type { Sources } from "./sources.ts";

export interface ProjectTypes {
  readonly program: ts.Program;
  readonly host: ts.CompilerHost;
  readonly checker: ts.TypeChecker;
}

const platformFile = "/fw_platform.d.ts";

/** Declarations that `deno types` leaves out. Exports of Node's built-in modules are `any`. */
const platformExtras = `
declare module "node:*";
declare function setTimeout(run: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id?: number): void;
declare function setInterval(run: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearInterval(id?: number): void;
`;

/** The declaration of text imports: `import text from "./a.sql" with { type: "text" }`. */
const textFile = "/fw_text.d.ts";

/** Creates the program of a project's own sources; `undefined` if the imports cannot be read. */
export async function readTypes(
  root: string,
  { sources, manifest }: { readonly sources: Sources; readonly manifest: Manifest },
): Promise<ProjectTypes | undefined> {
  const paths = [...sources.list(), generatedFile].filter((path) => sources.read(path));
  const [graph, platform] = await Promise.all([
    readGraphOf(root, paths),
    runForeign(["types"], { cwd: root }),
  ]);
  if (graph === undefined) return undefined;
  const compilerOptions = optionsOf(manifest);
  const files = { sources, graph, platform: platform.stdout, compilerOptions };
  const { host } = new ProgramFiles(root, files);
  const program = ts.createProgram([platformFile, ...paths], compilerOptions, host);
  return { program, host, checker: program.getTypeChecker() };
}

/** Reads the graph of many files through a module that imports them all. */
export async function readGraphOf(
  root: string,
  paths: readonly string[],
): Promise<ModuleGraph | undefined> {
  const entry = await Deno.makeTempFile({ prefix: "fw-graph-", suffix: ".js" });
  try {
    const urls = paths.map((path) => toFileUrl(join(root, path)).href);
    const lines = urls.map((url) => `import ${JSON.stringify(url)};\n`);
    await Deno.writeTextFile(entry, lines.join(""));
    return await readModuleGraph(root, toFileUrl(entry).href);
  } finally {
    await Deno.remove(entry);
  }
}

function optionsOf(manifest: Manifest): ts.CompilerOptions {
  const own: Readonly<Record<string, unknown>> = { ...Object(manifest["compilerOptions"]) };
  const jsxImportSource = String(own["jsxImportSource"] ?? "@fw/fw");
  return {
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: false,
    exactOptionalPropertyTypes: true,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource,
    lib: ["lib.esnext.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    noUncheckedIndexedAccess: own["noUncheckedIndexedAccess"] === true,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ESNext,
    types: [],
  };
}

/** The folder with the layers of `@fw/fw`; `undefined` if they are remote modules. */
const frameworkFolder = conventionsUrl?.startsWith("file:") === true
  ? join(fromFileUrl(conventionsUrl), "..", "..")
  : undefined;

export function isPlatformFile(file: string): boolean {
  return file === platformFile || /\/typescript\/(?:[^/]+\/)?lib\/lib\.[\w.]+\.d\.ts$/.test(file);
}

function isForeign(file: string): boolean {
  if (isPlatformFile(file)) return true;
  if (file.startsWith("/fw_remote/")) return /\/@fw\/fw\//.test(file);
  return frameworkFolder !== undefined && file.startsWith(`${frameworkFolder}${SEPARATOR}`);
}

/**
 * The trees of files outside the project, with the options of their program, on which binding
 * depends. Programs with the same options share the trees, because parsing and binding these files
 * takes most of the time.
 */
let foreign: { readonly options: string; readonly trees: Map<string, ts.SourceFile> } | undefined;

function foreignTrees(compilerOptions: ts.CompilerOptions): Map<string, ts.SourceFile> {
  const options = JSON.stringify(compilerOptions);
  if (foreign?.options !== options) foreign = { options, trees: new Map() };
  return foreign.trees;
}

interface FilesOptions {
  readonly sources: Sources;
  readonly graph: ModuleGraph;
  readonly platform: string;
  readonly compilerOptions: ts.CompilerOptions;
}

/** The files of a program: those of the project, remote modules from Deno's cache, and npm packages. */
class ProgramFiles {
  readonly host: ts.CompilerHost;
  readonly #root: string;
  readonly #options: FilesOptions;
  readonly #base: ts.CompilerHost;
  readonly #remote = new Map<string, GraphModule>();
  readonly #trees: Map<string, ts.SourceFile>;
  readonly #packages: readonly GraphPackage[];
  /** The package of each importing file, cached because each import needs it. */
  readonly #owners = new Map<string, GraphPackage | undefined>();

  constructor(root: string, options: FilesOptions) {
    const base = ts.createCompilerHost(options.compilerOptions);
    this.#root = root;
    this.#options = options;
    this.#base = base;
    this.#trees = foreignTrees(options.compilerOptions);
    this.#packages = [...options.graph.npm.values()];
    this.host = {
      ...base,
      getCurrentDirectory: () => root,
      fileExists: (file) => this.#virtualText(file) !== undefined || base.fileExists(file),
      readFile: (file) => this.#virtualText(file) ?? base.readFile(file),
      getSourceFile: (...args) => this.#sourceFile(...args),
      resolveModuleNameLiterals: (literals, from) =>
        literals.map(({ text }) => ({ resolvedModule: this.#resolve(text, from) })),
    };
  }

  #sourceFile(
    ...[file, target, ...rest]: Parameters<ts.CompilerHost["getSourceFile"]>
  ): ts.SourceFile | undefined {
    // Files of the project have relative names, like their trees.
    const source = file.startsWith("/") ? undefined : this.#options.sources.read(file);
    if (source !== undefined) return source.tree;
    const text = this.#virtualText(file);
    if (!isForeign(file)) {
      return text === undefined
        ? this.#base.getSourceFile(file, target, ...rest)
        : ts.createSourceFile(file, text, target);
    }
    const read = text ?? this.#base.readFile(file);
    const kept = this.#trees.get(file);
    if (read === undefined || kept?.text === read) return kept;
    const options = typeof target === "object" ? target : { languageVersion: target };
    // Skip comments: they are half of the text and describe no API of the project.
    const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
    const tree = ts.createSourceFile(file, read, { ...options, jsDocParsingMode });
    this.#trees.set(file, tree);
    return tree;
  }

  #virtualText(file: string): string | undefined {
    if (file === platformFile) {
      // The compiler already has the referenced libraries.
      const { platform } = this.#options;
      return platform.replace(/^\/\/\/ <reference (?:no-default-)?lib.*$/gm, "") + platformExtras;
    }
    if (file === textFile) return "declare const text: string;\nexport default text;\n";
    const local = this.#remote.get(file)?.file;
    return local === undefined ? undefined : Deno.readTextFileSync(local);
  }

  #resolve(specifier: string, from: string): ts.ResolvedModuleFull | undefined {
    const { graph } = this.#options;
    const owner = this.#ownerOf(from);
    if (owner !== undefined) return this.#resolveInPackage(specifier, owner, from);
    const module = this.#remote.get(from) ?? graph.module(toFileUrl(from).href);
    const url = module?.resolved.get(specifier);
    if (url === undefined) return undefined;
    const npm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)@([^/]+)(.*)$/.exec(url);
    if (npm === null) return this.#toResolved(graph.module(url));
    const [, name, version, rest = ""] = npm;
    const found = this.#packages.find((one) => one.name === name && one.version === version);
    return found && this.#resolvePackage(found, rest);
  }

  #ownerOf(file: string): GraphPackage | undefined {
    if (this.#owners.has(file)) return this.#owners.get(file);
    const owner = this.#packages.find(({ folder }) =>
      file.startsWith(folder) && file.charAt(folder.length) === "/"
    );
    this.#owners.set(file, owner);
    return owner;
  }

  #toResolved(module: GraphModule | undefined): ts.ResolvedModuleFull | undefined {
    if (module?.file === undefined) return undefined;
    const isLocal = module.specifier.startsWith("file:");
    const name = isLocal
      ? pathInProject(this.#root, module.file) ?? module.file
      : `/fw_remote/${module.specifier.replace(/^\w+:\/*/, "").replace(/[?#].*$/, "")}`;
    if (!isLocal) this.#remote.set(name, module);
    // The names in data of the user would become types, which a clone can print.
    const isOwnData = (file: string): boolean =>
      pathInProject(this.#root, Deno.realPathSync(file)) !== undefined;
    if (isLocal && name.endsWith(".json") && !isOwnData(module.file)) return undefined;
    const ending = /(?:\.d\.[cm]?ts|\.[cm]?[jt]sx?|\.json)$/.exec(name)?.[0];
    return ending === undefined
      ? { resolvedFileName: textFile, extension: ts.Extension.Dts }
      : { resolvedFileName: name, extension: ending.includes(".d.") ? ts.Extension.Dts : ending };
  }

  /** Inside a package, relative files resolve on disk, and names through its dependencies. */
  #resolveInPackage(
    specifier: string,
    owner: GraphPackage,
    from: string,
  ): ts.ResolvedModuleFull | undefined {
    if (/^[./]/.test(specifier)) return this.#resolveFile(specifier, from);
    const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) ?? [];
    const id = owner.dependencies.find((each) => each.startsWith(`${name}@`));
    const found = name === owner.name ? owner : this.#options.graph.npm.get(id ?? "");
    const types = `@types/${name.replace(/^@/, "").replace("/", "__")}`;
    const declared = this.#packages.find((one) => one.name === types);
    return (found && this.#resolvePackage(found, rest)) ??
      (declared && this.#resolvePackage(declared, rest));
  }

  #resolvePackage({ name, folder }: GraphPackage, rest: string): ts.ResolvedModuleFull | undefined {
    const inside = `${folder}/_.ts`;
    // Try the package's "exports" first, then its "main" and "types".
    return this.#resolveFile(name + rest, inside) ??
      this.#resolveFile(`.${rest === "" ? "/" : rest}`, inside);
  }

  #resolveFile(specifier: string, from: string): ts.ResolvedModuleFull | undefined {
    const { compilerOptions } = this.#options;
    return ts.resolveModuleName(specifier, from, compilerOptions, this.#base).resolvedModule;
  }
}
