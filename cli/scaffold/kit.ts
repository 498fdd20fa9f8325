import { publicFolder } from "@fw/fw/conventions";
import * as files from "@fw/fw/ui/files";
import { join } from "@std/path";
import { type OwnedOutcome, writeOnce, writeOwned } from "../project/files/owned_file.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, isThere } from "../project/files/write_inside.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { errorAt, type Problem, startOfFile } from "../problem.ts";
import type { Project } from "../project/project.ts";
import type { Edits } from "./edits.ts";
import { addImport, addImports, awaken } from "./imports.ts";
import { wordedLanguages } from "./languages.ts";
import { Stop } from "../stop.ts";
import { createList, renderSample, sampleText } from "./sample.ts";

const kitFiles: readonly (readonly [name: string, body: string, map: string])[] = [
  ["ui.css", files.style, files.styleMap],
  ["ui.js", files.script, files.scriptMap],
  ["ui.live.js", files.liveScript, files.liveScriptMap],
  ["ui.parts.js", files.parts, files.partsMap],
  ["ui.swap.js", files.swapScript, files.swapScriptMap],
];

export const themeName = "ui.theme.css";

/** Writes the font of a new application and its licence; the application owns both. */
export async function writeFace(root: string): Promise<string[]> {
  const folder = join(root, publicFolder);
  await Deno.writeFile(join(folder, "geist.woff2"), Uint8Array.fromBase64(files.face.trim()));
  await Deno.writeTextFile(join(folder, "geist.OFL.txt"), files.faceLicense);
  return ["geist.woff2", "geist.OFL.txt"].map((name) => `${publicFolder}/${name}`);
}

/** The outcome for a file of the kit; the application's own theme is `kept`. */
export interface KitOutcome {
  readonly file: string;
  readonly became: OwnedOutcome | "kept";
}

/** Writes or updates the kit's files. @throws {Stop} if their folder links out of the project. */
export async function writeKit(
  root: string,
  options: { readonly hasPasskeys?: boolean; readonly force?: boolean } = {},
): Promise<KitOutcome[]> {
  const folder = join(root, publicFolder);
  if (!await isInside(root, folder)) throw new Stop(({ uiOutside }) => uiOutside(publicFolder));
  await Deno.mkdir(folder, { recursive: true });
  const became = await writeOnce(join(folder, themeName), files.theme);
  return [
    { file: `${publicFolder}/${themeName}`, became },
    ...await writeOwnKit(folder, options),
  ];
}

/** Finds a file of the kit that another version of fw wrote. */
export async function findStaleKit({ root, messages }: Project): Promise<readonly Problem[]> {
  const outcomes = await writeOwnKit(join(root, publicFolder), { isDry: true });
  const stale = outcomes.find(({ became }) => became === "updated");
  if (stale === undefined) return [];
  const place = { file: stale.file, ...startOfFile };
  return [errorAt(place, "E_STALE", messages.stale(stale.file, "ui"))];
}

async function writeOwnKit(
  folder: string,
  { hasPasskeys = false, force = false, isDry = false }: {
    readonly hasPasskeys?: boolean;
    readonly force?: boolean;
    readonly isDry?: boolean;
  },
): Promise<KitOutcome[]> {
  const outcomes: KitOutcome[] = [];
  const write = async (
    name: string,
    body: string,
    comment = { open: "/*", close: "*/" },
  ): Promise<void> => {
    const options = { body, comment, command: "ui", force, isDry };
    const became = await writeOwned(join(folder, name), options);
    outcomes.push({ file: `${publicFolder}/${name}`, became });
  };
  for (const [name, body, map] of kitFiles) {
    await write(name, body);
    // The first line, which `writeOwned` adds, maps to nothing. JSON has no comments, but readers of source
    // maps skip a first line that starts like this.
    const shifted = map.replace('"mappings":"', '"mappings":";');
    await write(`${name}.map`, shifted, { open: ")]}'", close: "" });
  }
  const passkeysName = "passkeys.js";
  if (hasPasskeys || await isThere(join(folder, passkeysName))) {
    await write(passkeysName, files.passkeys);
  }
  return outcomes;
}

export async function usesKit(root: string): Promise<boolean> {
  const layouts = ["app/layout.ts", "app/layout.tsx"].map((file) =>
    readTextIfThere(join(root, file))
  );
  return (await Promise.all(layouts)).some((text = "") => /["']@fw\/fw\/ui["']/.test(text));
}

/**
 * Adds the kit to a project without it: its files, and its frame in place of the layout of a new
 * project. For a changed layout, prints what to add.
 */
export async function joinKit(edits: Edits): Promise<void> {
  const { root, messages } = edits.project;
  if (await usesKit(root)) return;
  const languages = wordedLanguages(configuredLanguages(await edits.project.settings({})));
  const nav = renderSample("kit/app/nav.ts", "app/nav.ts", { languages });
  const isJoined = !await isThere(join(root, nav.file)) &&
    await edits.change("app/layout.ts", joinLayout);
  edits.follow(async () => {
    const made = (await writeKit(root)).filter(({ became }) => became === "made")
      .map(({ file }) => file);
    return [...made, ...isJoined ? await writeFace(root) : []].map(messages.files.made);
  });
  if (!isJoined) return edits.tell(messages.generateKit("ui.head(c), ui.body(), ui.flashes(c)"));
  edits.add(nav);
  await edits.change(switchFile, joinSwitch);
  // Replace the pages of a new project unless they were edited.
  for (const file of ["app/page.ts", "app/not_found.ts", "app/error.ts"]) {
    const plain = renderSample(`plain/${file}`, file, { languages: wordedLanguages([]) });
    const kit = renderSample(`kit/${file}`, file, { languages });
    await edits.change(file, (text) => text === plain.text ? kit.text : text);
  }
}

export const switchFile = "views/language_switch.ts";

/** Names of the switch in an application without the kit. */
export const plainNames: Readonly<Record<string, string>> = { "ui.menuButton": "h.button" };

/** Replaces a generated switch, with the names of its languages. */
function joinSwitch(text: string): string | undefined {
  const list = /^const names: [^]*?^\};\n/m;
  const [plain = "", kit = ""] = [plainNames, {}].map((names) =>
    renderSample(`kit/${switchFile}`, switchFile, {
      names,
      parts: { kit: names !== plainNames },
      lists: { language: createList(["en"], [[]]) },
    }).text
  );
  // The line width of the project decides where a line breaks.
  const squeeze = (code: string): string =>
    code.replace(list, "").replaceAll(/\s|,(?=\s*[)}])/g, "");
  const own = list.exec(text);
  return own === null || squeeze(text) !== squeeze(plain)
    ? undefined
    : kit.replace(list, () => own[0]);
}

// A static site has no route for the choice.
const switchCall = "!c.isExport && languageSwitch(c),";

export function placeSwitch(layout: string, module: string): string | undefined {
  const places = [/(?=ui\.themeToggle\(\))/, /(?=\n\s*\),\n\s*h\.main\(children\))/];
  const place = places.find((each) => each.test(layout));
  if (place === undefined) return undefined;
  return addImport(layout.replace(place, `${switchCall} `), "languageSwitch", module);
}

function joinLayout(written: string): string | undefined {
  const layout = written.replace(`        ${switchCall}\n`, "");
  const [plain, kit] = ["plain", "kit"].map((each) => sampleText(`${each}/app/layout.ts`));
  const frame = plain?.slice(plain.indexOf("    ),\n    h.body(")) ?? "";
  if (!layout.endsWith(frame)) return undefined;
  const head = layout.slice(0, -frame.length).replace(/^ +api: ".*",.*\n/gm, "");
  const imports = 'import * as ui from "@fw/fw/ui";\nimport { nav } from "./nav.ts";\n';
  const own = kit?.slice(kit.indexOf("      ui.font(")) ?? "";
  const actions = layout === written
    ? own
    : own.replace("[ui.themeToggle", `[${switchCall} ui.themeToggle`);
  // The kit's frame awaits the navigation.
  return awaken(addImports(head, imports) + actions, "Layout");
}
