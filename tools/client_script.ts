/**
 * Bundles the kit's script, `ui/client/*.js`, and stylesheet, `ui/style/*.css`, into the minified
 * files that browsers load: `ui/files/ui.js`, its parts and `ui.css`, each with a source map.
 *
 * `deno run -A tools/client_script.ts` writes the files, or writes them into a given folder; a test
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
  /** Whether the script uses the core that the page has loaded. @default false */
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

interface JoinedScript {
  readonly text: string;
  /** The source map (ECMA-426), including the text of the modules. */
  readonly map: string;
}

/**
 * Reduced versions of the library's functions, without `head`, HTML strings, attributes, focus and
 * control state, which `morph.js`, `place.js` and `drafts.js` handle.
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
  // The library would turn an SVG element into an HTML element.
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
  `createPantry() {
    const pantry = document.createElement("div");
    pantry.hidden = true;
    document.body.after(pantry);
    return pantry;
  }`,
  `morphNode(from, to, ctx) {
    if (ctx.change(from, to)) morphChildren(ctx, from, to);
    return from;
  }`,
  `moveBefore(parent, element, after) {
    try {
      parent.moveBefore(element, after);
    } catch {
      parent.insertBefore(element, after);
    }
  }`,
];

/** The functions that only the replaced versions called. */
const unused: readonly string[] = [
  ..."morphAttributes ignoreAttribute syncInputValue syncBooleanAttribute".split(" "),
  ..."ignoreValueOfActiveElement saveAndRestoreFocus withHeadBlocking handleHeadElement".split(" "),
  ..."morphOuterHTML mergeDefaults".split(" "),
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

/** Removes the library's code that never runs here. */
function trimLibrary(text: string): string {
  const trimmed = [...needed, ...unused].reduce(
    (left, code) =>
      cut(left, `function ${code.split("(")[0]}\\(`, code.includes("(") ? `function ${code}` : ""),
    cut(text, "const defaults = ", ""),
  );
  return [
    [/ const \{ normalizeElement[^]*?\n {2}\}\)\(\);\n/, ""],
    ["    defaults,\n", ""],
    ["const noOp = () => {};", ""],
    // `morph.js` replaces templates as a whole.
    [/ if \(\s*oldParent instanceof HTMLTemplateElement[^]*?\n {6}\}\n/, ""],
    ["newContent.__idiomorphRoot || newContent", "newContent"],
    // An id may contain a quotation mark.
    [/`\[id="\$\{id\}"\]`/g, '"#" + CSS.escape(id)'],
  ].reduce((left, [from = "", to]) => exchange(left, from, String(to)), trimmed);
}

const library: Plugin = {
  name: "library",
  setup({ onResolve, onLoad }): void {
    onResolve({ filter: /^npm:idiomorph/ }, ({ path }) => ({ path, namespace: "library" }));
    onLoad({ filter: /./, namespace: "library" }, () => ({
      // An image with the name of a member of `document` would hide that member.
      contents: `import { doc as document } from "./core.js";\n${trimLibrary(morph)}`,
      resolveDir: join(root, "ui/client"),
    }));
  },
};

/** Replaces `core.js` in a part by the exports of the script on the page. */
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

/** Members that are used only inside one bundle and may be renamed. */
const innerNames =
  /^(persistentIds|idMap|pantry|activeElementAndParents|is(Post|Page|Again|Other|Whole|Shown|Seen)|asked|chosen|said|drafts|regions|visit|entry|pressed|kept|ids|back|undo|verb|isStaying|isWanted|island|until|answer)$/;

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

/** Matches strings, to skip them, and removable layer borders and spaces. */
const spare = /"[^"]*"|\}@layer (ui\.\w+)\{|(?<=,) |(?<=--[\w-]+:) (?![;}])| (?=\/ )|(?<= \/) /g;

/** Joins the layer blocks that the bundler writes per file, and removes spaces from variables. */
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
  // Omit text that is generated or belongs to the library.
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
