/**
 * Bundles the modules of the kit's script, `ui/client/*.js`, and of its sheet, `ui/style/*.css`, into the
 * minified files that browsers load, `ui/files/ui.js` and `ui.css`, each with a source map beside it.
 *
 * `deno run -A tools/client_script.ts` writes the files, into another folder where one is named; a test
 * compares them.
 */
import { basename, fromFileUrl, join } from "@std/path";
import { buildSync } from "npm:esbuild@0.25.12";
import ts from "npm:typescript@6.0.3";

const root = fromFileUrl(new URL("../", import.meta.url));

/** A file that browsers load, and the module that it starts with. */
export interface ClientScript {
  /** Where the file is. */
  readonly path: string;
  /** Where its first module is. */
  readonly entry: string;
}

/** The files that browsers load. */
export const clientScripts: readonly ClientScript[] = [
  { path: join(root, "ui/files/ui.js"), entry: join(root, "ui/client/main.js") },
  { path: join(root, "ui/files/ui.parts.js"), entry: join(root, "ui/client/parts/main.js") },
];

/** A script as browsers load it, and what tells their tools the modules it was made of. */
interface JoinedScript {
  /** The minified script; its last line names the map. */
  readonly text: string;
  /** The source map (ECMA-426), with the modules' own text. */
  readonly map: string;
}

/** Bundles and minifies the modules of a script or a sheet. */
function joinScript({ path, entry }: ClientScript): JoinedScript {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    outfile: path,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    banner: path.endsWith(".js") ? { js: "// deno-lint-ignore-file" } : {},
    sourcemap: "linked",
    write: false,
  });
  const [map = "", text = ""] = outputFiles.map((file) => file.text);
  return { text, map: namedMap(map) };
}

/** Names the sources of a map by their place in the framework. */
function namedMap(map: string): string {
  const { sources, sourcesContent, names, mappings } = JSON.parse(map);
  const named = sources.map((path: string) => path.replace("../", "ui/"));
  return JSON.stringify({ version: 3, sources: named, sourcesContent, names, mappings }) + "\n";
}

/** The sheet that browsers load. */
const sheet: ClientScript = {
  path: join(root, "ui/files/ui.css"),
  entry: join(root, "ui/style/main.css"),
};

/** What TypeScript, at its strictest, finds in the modules. */
export function checkScript(): string[] {
  const program = ts.createProgram(clientScripts.map(({ entry }) => entry), {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, " ");
    if (file === undefined || start === undefined) return text;
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    return `${file.fileName.slice(root.length)}:${line + 1}:${character + 1} ${text}`;
  });
}

if (import.meta.main) {
  const [folder] = Deno.args;
  for (const script of [...clientScripts, sheet]) {
    const { text, map } = joinScript(script);
    const path = folder === undefined ? script.path : join(folder, basename(script.path));
    await Deno.writeTextFile(path, text);
    await Deno.writeTextFile(`${path}.map`, map);
  }
}
