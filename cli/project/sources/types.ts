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
    readModuleGraph(root, paths),
    runForeign(["types"], { cwd: root }),
  ]);
  if (graph === undefined) return undefined;
  const compilerOptions = optionsOf(manifest);
  const files = { sources, graph, platform: platform.stdout, compilerOptions };
  const host = createHost(root, files);
  const program = ts.createProgram([platformFile, ...paths], compilerOptions, host);
  return { program, host, checker: program.getTypeChecker() };
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

/** Creates the host of a program: the project's files, remote modules in Deno's cache, npm packages. */
function createHost(root: string, { sources, graph, platform, compilerOptions }: {
  readonly sources: Sources;
  readonly graph: ModuleGraph;
  readonly platform: string;
  readonly compilerOptions: ts.CompilerOptions;
}): ts.CompilerHost {
  const base = ts.createCompilerHost(compilerOptions);
  const remote = new Map<string, GraphModule>();
  const trees = foreignTrees(compilerOptions);
  const packages = [...graph.npm.values()];
  return {
    ...base,
    getCurrentDirectory: () => root,
    fileExists: (file) => virtualText(file) !== undefined || base.fileExists(file),
    readFile: (file) => virtualText(file) ?? base.readFile(file),
    getSourceFile,
    resolveModuleNameLiterals: (literals, from) => {
      const resolve = createResolver(from);
      return literals.map(({ text }) => ({ resolvedModule: resolve(text) }));
    },
  };

  function getSourceFile(
    ...[file, target, ...rest]: Parameters<ts.CompilerHost["getSourceFile"]>
  ): ts.SourceFile | undefined {
    // Files of the project have relative names, like their trees.
    const source = file.startsWith("/") ? undefined : sources.read(file);
    if (source !== undefined) return source.tree;
    const text = virtualText(file);
    if (!isForeign(file)) {
      return text === undefined
        ? base.getSourceFile(file, target, ...rest)
        : ts.createSourceFile(file, text, target);
    }
    const read = text ?? base.readFile(file);
    const kept = trees.get(file);
    if (read === undefined || kept?.text === read) return kept;
    const options = typeof target === "object" ? target : { languageVersion: target };
    // Skip comments: they are half of the text and describe no API of the project.
    const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
    const tree = ts.createSourceFile(file, read, { ...options, jsDocParsingMode });
    trees.set(file, tree);
    return tree;
  }

  function virtualText(file: string): string | undefined {
    if (file === platformFile) {
      // The compiler already has the referenced libraries.
      return platform.replace(/^\/\/\/ <reference (?:no-default-)?lib.*$/gm, "") + platformExtras;
    }
    if (file === textFile) return "declare const text: string;\nexport default text;\n";
    const local = remote.get(file)?.local;
    return local === undefined ? undefined : Deno.readTextFileSync(local);
  }

  function createResolver(from: string): (name: string) => ts.ResolvedModuleFull | undefined {
    const owner = packages.find(({ localPath }) => from.startsWith(`${localPath}/`));
    if (owner !== undefined) return (name) => resolveInPackage(name, owner, from);
    const { dependencies = [] } = remote.get(from) ?? graph.module(toFileUrl(from).href) ?? {};
    const urls = new Map(
      dependencies.map((
        { specifier, type, code },
      ) => [specifier, type?.specifier ?? code?.specifier]),
    );
    return (name) => {
      const url = urls.get(name);
      if (url === undefined) return undefined;
      const npm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)@([^/]+)(.*)$/s.exec(url);
      if (npm === null) return resolveModule(graph.module(url));
      const found = packages.find((one) => one.name === npm[1] && one.version === npm[2]);
      return found && resolvePackage(found, npm[3] ?? "");
    };
  }

  function resolveModule(module: GraphModule | undefined): ts.ResolvedModuleFull | undefined {
    if (module?.local === undefined) return undefined;
    const isLocal = module.specifier.startsWith("file:");
    const name = isLocal
      ? pathInProject(root, module.local) ?? module.local
      : `/fw_remote/${module.specifier.replace(/^\w+:\/*/, "").replace(/[?#].*/s, "")}`;
    if (!isLocal) remote.set(name, module);
    // The names in data of the user would become types, which a clone can print.
    const isOwnData = (file: string): boolean =>
      pathInProject(root, Deno.realPathSync(file)) !== undefined;
    if (isLocal && name.endsWith(".json") && !isOwnData(module.local)) return undefined;
    const ending = /(?:\.d\.[cm]?ts|\.[cm]?[jt]sx?|\.json)$/.exec(name)?.[0];
    return ending === undefined
      ? { resolvedFileName: textFile, extension: ts.Extension.Dts }
      : { resolvedFileName: name, extension: ending.includes(".d.") ? ts.Extension.Dts : ending };
  }

  /** Inside a package, relative files resolve on disk, and names through its dependencies. */
  function resolveInPackage(
    specifier: string,
    owner: GraphPackage,
    from: string,
  ): ts.ResolvedModuleFull | undefined {
    if (/^[./]/.test(specifier)) return resolveFile(specifier, from);
    const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(.*)$/s.exec(specifier) ?? [];
    const id = owner.dependencies?.find((each) => each.startsWith(`${name}@`));
    const found = name === owner.name ? owner : graph.npm.get(id ?? "");
    const types = `@types/${name.replace(/^@/, "").replace("/", "__")}`;
    const declared = packages.find((one) => one.name === types);
    return (found && resolvePackage(found, rest)) ?? (declared && resolvePackage(declared, rest));
  }

  function resolvePackage(
    { name, localPath }: GraphPackage,
    rest: string,
  ): ts.ResolvedModuleFull | undefined {
    const inside = `${localPath}/_.ts`;
    // Try the package's "exports" first, then its "main" and "types".
    return resolveFile(name + rest, inside) ?? resolveFile(`.${rest === "" ? "/" : rest}`, inside);
  }

  function resolveFile(specifier: string, from: string): ts.ResolvedModuleFull | undefined {
    return ts.resolveModuleName(specifier, from, compilerOptions, base).resolvedModule;
  }
}
