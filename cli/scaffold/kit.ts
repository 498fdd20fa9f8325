import { publicFolder } from "@fw/fw/conventions";
import {
  face,
  faceLicense,
  liveScript,
  liveScriptMap,
  parts,
  partsMap,
  passkeys,
  script,
  scriptMap,
  style,
  styleMap,
  swapScript,
  swapScriptMap,
  theme,
} from "@fw/fw/ui/files";
import { join } from "@std/path";
import { type OwnedOutcome, writeOnce, writeOwned } from "../project/files/owned_file.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, isThere } from "../project/files/write_inside.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import type { Edits } from "./edits.ts";
import { endOfImports } from "./imports.ts";
import { wordedLanguages } from "./languages.ts";
import { Stop } from "../stop.ts";
import { renderSample, sampleText } from "./sample.ts";

const kitFiles: readonly (readonly [name: string, body: string, map: string])[] = [
  ["ui.css", style, styleMap],
  ["ui.js", script, scriptMap],
  ["ui.live.js", liveScript, liveScriptMap],
  ["ui.parts.js", parts, partsMap],
  ["ui.swap.js", swapScript, swapScriptMap],
];

export const themeName = "ui.theme.css";

/** Writes the face of a new application and its licence; both belong to the application. */
export async function writeFace(root: string): Promise<string[]> {
  const folder = join(root, publicFolder);
  await Deno.writeFile(join(folder, "geist.woff2"), Uint8Array.fromBase64(face.trim()));
  await Deno.writeTextFile(join(folder, "geist.OFL.txt"), faceLicense);
  return ["geist.woff2", "geist.OFL.txt"].map((name) => `${publicFolder}/${name}`);
}

/** The state of a file of the kit; an own theme is `kept`. */
export interface KitOutcome {
  readonly file: string;
  readonly became: OwnedOutcome | "kept";
}

/** Writes or updates the files of the kit. @throws {Stop} if a link leads their folder out of the project. */
export async function writeKit(
  root: string,
  { hasPasskeys = false, force = false }: {
    readonly hasPasskeys?: boolean;
    readonly force?: boolean;
  } = {},
): Promise<KitOutcome[]> {
  const folder = join(root, publicFolder);
  if (!await isInside(root, folder)) throw new Stop(({ uiOutside }) => uiOutside(publicFolder));
  await Deno.mkdir(folder, { recursive: true });
  const outcomes: KitOutcome[] = [
    {
      file: `${publicFolder}/${themeName}`,
      became: await writeOnce(join(folder, themeName), theme),
    },
  ];
  const write = async (
    name: string,
    body: string,
    comment = { open: "/*", close: "*/" },
  ): Promise<void> => {
    const became = await writeOwned(join(folder, name), { body, comment, command: "ui", force });
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
  if (hasPasskeys || await isThere(join(folder, passkeysName))) await write(passkeysName, passkeys);
  return outcomes;
}

export async function usesKit(root: string): Promise<boolean> {
  const layouts = ["app/layout.ts", "app/layout.tsx"].map((file) =>
    readTextIfThere(join(root, file))
  );
  return (await Promise.all(layouts)).some((text) => text?.includes('"@fw/fw/ui"') === true);
}

/**
 * Puts the kit into a project whose layout does not use it: its files, and the frame of a new project with
 * the kit in the place of a new one without. Of another layout the developer knows better.
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
  // The pages of a new project, unless they were edited.
  for (const file of ["app/page.ts", "app/not_found.ts", "app/error.ts"]) {
    const [plain = "", kit = ""] = ["plain", "kit"].map((each) =>
      renderSample(`${each}/${file}`, file, { languages: wordedLanguages([]) }).text
    );
    await edits.change(file, (text) => text === plain ? kit : text);
  }
}

/** Returns the layout of a new project with the frame of the kit; `undefined` for another layout. */
function joinLayout(layout: string): string | undefined {
  const [plain, kit] = ["plain", "kit"].map((each) => sampleText(`${each}/app/layout.ts`));
  const frame = plain?.slice(plain.indexOf("    ),\n    h.body(")) ?? "";
  if (!layout.endsWith(frame)) return undefined;
  // The frame waits for the navigation.
  const head = layout.slice(0, -frame.length).replace(/^ +api: ".*",\n/gm, "")
    .replace(
      /^export function Layout\((.*)\): Node \{$/m,
      "export async function Layout($1): Promise<Node> {",
    );
  const at = endOfImports(head);
  const imports = 'import * as ui from "@fw/fw/ui";\nimport { nav } from "./nav.ts";\n';
  return head.slice(0, at) + imports + head.slice(at) + kit?.slice(kit.indexOf("      ui.font("));
}
