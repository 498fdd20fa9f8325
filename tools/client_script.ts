/**
 * Bundles the modules of the kit's script, `ui/client/*.js`, and of its sheet, `ui/style/*.css`, into the
 * minified files that browsers load, `ui/files/ui.js`, its parts and `ui.css`, each with a source map beside it.
 *
 * `deno run -A tools/client_script.ts` writes the files, into another folder where one is named; a test
 * compares them.
 */
import { basename, dirname, fromFileUrl, join } from "@std/path";
import { decode, encode } from "npm:@jridgewell/sourcemap-codec@1.6.0";
import { build, type Plugin } from "npm:esbuild@0.25.12";
import morph from "npm:idiomorph@0.7.4/dist/idiomorph.esm.js" with { type: "text" };
import ts from "npm:typescript@6.0.3";

const root = fromFileUrl(new URL("../", import.meta.url));

export interface ClientScript {
  readonly path: string;
  readonly entry: string;
  /** Whether it runs on the modules of the core, which is on the page already. @default false */
  readonly isPart?: boolean;
}

export const clientScripts: readonly ClientScript[] = [
  ["ui.js", "main.js"],
  ["ui.swap.js", "swap.js"],
  ["ui.live.js", "live/main.js"],
  ["ui.parts.js", "parts/main.js"],
].map(([file = "", entry = ""]) => ({
  path: join(root, "ui/files", file),
  entry: join(root, "ui/client", entry),
  isPart: file !== "ui.js",
}));

/** A script as browsers load it, and what tells their tools the modules it was made of. */
interface JoinedScript {
  readonly text: string;
  /** The source map (ECMA-426), with the modules' own text. */
  readonly map: string;
}

/**
 * Functions of the library as far as anything here needs them. What is left out: `head`, HTML as text, attributes, the
 * focus and the state of controls: `morph.js`, `place.js` and `drafts.js` see to those.
 */
const needed: readonly string[] = [
  `morph(oldNode, newNode, change) {
    const ctx = createMorphContext(oldNode, newNode, change);
    morphChildren(ctx, oldNode, newNode);
    ctx.pantry.remove();
  }`,
  `createMorphContext(target, newNode, change) {
    return {
      target,
      change,
      pantry: createPantry(),
      activeElementAndParents: createActiveElementAndParents(target),
      ...createIdMaps(target, newNode),
    };
  }`,
  // The library makes an element of HTML of what is a drawing.
  `createNode(parent, child, point, ctx) {
    const isHeld = ctx.idMap.has(child);
    const node = isHeld
      ? document.createElementNS(child.namespaceURI, child.localName)
      : document.importNode(child, true);
    parent.insertBefore(node, point);
    if (isHeld) morphNode(node, child, ctx);
    return node;
  }`,
  `removeNode(ctx, node) {
    if (ctx.idMap.has(node)) moveBefore(ctx.pantry, node, null);
    else node.remove();
  }`,
  `morphNode(from, to, ctx) {
    if (ctx.change(from, to)) morphChildren(ctx, from, to);
    return from;
  }`,
  "morphAttributes() {}",
  "ignoreAttribute() {}",
  "saveAndRestoreFocus() {}",
  "withHeadBlocking() {}",
  "handleHeadElement() {}",
  "morphOuterHTML() {}",
  "mergeDefaults() {}",
  "syncInputValue() {}",
  "syncBooleanAttribute() {}",
  "ignoreValueOfActiveElement() {}",
  "parseContent() {}",
  "normalizeElement() {}",
  "normalizeParent() {}",
];

/** Replaces a definition: from its first line to the line that closes it. */
function cut(text: string, start: string, rest: string): string {
  return exchange(text, new RegExp(`^( +)${start}[^]*?\n\\1};?\n`, "m"), `${rest}\n`);
}

function exchange(text: string, from: RegExp | string, to: string): string {
  const result = text.replace(from, () => to);
  if (result === text) throw new Error(`Cannot trim idiomorph: it has no ${from}.`);
  return result;
}

/** Leaves out of the library what would never run. */
function trimLibrary(text: string): string {
  const trimmed = needed.reduce(
    (left, code) => cut(left, `function ${code.split("(")[0]}\\(`, `function ${code}`),
    cut(cut(text, "class SlicedParentNode ", ""), "const defaults = ", "const defaults = 0;"),
  );
  // An id may hold a quotation mark.
  return trimmed.replaceAll('`[id="${id}"]`', '"#" + CSS.escape(id)');
}

const library: Plugin = {
  name: "library",
  setup({ onResolve, onLoad }): void {
    onResolve({ filter: /^npm:idiomorph/ }, ({ path }) => ({ path, namespace: "library" }));
    onLoad({ filter: /./, namespace: "library" }, () => ({
      // An image may be named as a member of the document, and hides it.
      contents: `import { doc as document } from "./core.js";\n${trimLibrary(morph)}`,
      resolveDir: join(root, "ui/client"),
    }));
  },
};

/** Gives a part the exports of `core.js` as they run on the page. */
const core: Plugin = {
  name: "core",
  setup({ onLoad }): void {
    onLoad({ filter: /\/ui\/client\/core\.js$/ }, async ({ path }) => {
      const lists = (await Deno.readTextFile(path)).matchAll(/export \{ ([^}]+) \}/g);
      const dom = await Deno.readTextFile(join(dirname(path), "dom.js"));
      const all = dom.matchAll(/^export (?:const|function) (\w+)/gm);
      const names = [...lists, ...all].map(([, list]) => list);
      return { contents: `export const {${names}} = globalThis[Symbol.for("fw.ui")];` };
    });
  },
};

/** Members of values that no part hands to another, nor to the page. */
const innerNames =
  /^(persistentIds|idMap|pantry|activeElementAndParents|is(Post|Page|Again|Other|Whole|Shown|Seen)|asked|chosen|said|drafts|regions|visit|entry|pressed|kept|ids|back|undo|verb)$/;

async function joinScript({ path, entry, isPart }: ClientScript): Promise<JoinedScript> {
  const licence = path.endsWith("ui.swap.js") ? " -- idiomorph 0.7.4: 0BSD" : "";
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile: path,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    mangleProps: innerNames,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    banner: path.endsWith(".js") ? { js: `// deno-lint-ignore-file${licence}` } : {},
    sourcemap: "linked",
    plugins: isPart === true ? [core, library] : [],
    write: false,
  });
  const [map = "", text = ""] = outputFiles.map((file) => file.text);
  const joined = { text, map: namedMap(map) };
  return path.endsWith(".css") ? squeeze(joined) : joined;
}

/** Strings; then what a sheet can spare: borders between two blocks of one layer, and spaces in values. */
const spare = /"[^"]*"|\}@layer (ui\.\w+)\{|(?<=,) |(?<=--[\w-]+:) (?![;}])| (?=\/ )|(?<= \/) /g;

/** Cuts what the bundler leaves in a sheet: it writes a block for each file, and values of variables as they are. */
function squeeze({ text, map }: JoinedScript): JoinedScript {
  const cuts: { readonly at: number; readonly length: number }[] = [];
  let layer = "";
  const squeezed = text.replace(spare, (found, name: string | undefined, at: number) => {
    if (found.startsWith('"')) return found;
    if (name !== undefined && name !== layer) {
      layer = name;
      return found;
    }
    cuts.push({ at, length: found.length });
    return "";
  });
  const { mappings, ...rest } = JSON.parse(map);
  const [line = [], ...others] = decode(mappings);
  for (const segment of line) {
    const [column] = segment;
    const cut = cuts.map(({ at, length }) => Math.min(Math.max(column - at, 0), length));
    segment[0] -= cut.reduce((sum, each) => sum + each, 0);
  }
  return {
    text: squeezed,
    map: JSON.stringify({ ...rest, mappings: encode([line, ...others]) }) + "\n",
  };
}

function namedMap(map: string): string {
  const { sources, sourcesContent, names, mappings } = JSON.parse(map);
  const named = sources.map((path: string) =>
    path.startsWith("library:") ? path.slice("library:".length) : path.replace("../", "ui/")
  );
  // What is generated and what the library holds is no text of the framework.
  const contents = sourcesContent.map((text: string, at: number) =>
    named[at] === "ui/client/core.js" || named[at].startsWith("npm:") ? null : text
  );
  const own = { version: 3, sources: named, sourcesContent: contents, names, mappings };
  return JSON.stringify(own) + "\n";
}

const sheet: ClientScript = {
  path: join(root, "ui/files/ui.css"),
  entry: join(root, "ui/style/main.css"),
};

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
    const { text, map } = await joinScript(script);
    const path = folder === undefined ? script.path : join(folder, basename(script.path));
    await Deno.writeTextFile(path, text);
    await Deno.writeTextFile(`${path}.map`, map);
  }
  // The bundler's process would keep this one alive.
  Deno.exit();
}
