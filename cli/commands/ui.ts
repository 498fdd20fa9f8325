/**
 * `fw ui`: writes the files of the component kit.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import {
  chatScript,
  chatScriptMap,
  passkeys,
  script,
  scriptMap,
  style,
  theme,
} from "@fw/fw/ui/files";
import { join } from "@std/path";
import { readArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { type OwnedOutcome, writeOwned } from "../project/files/owned_file.ts";
import { isInside, isThere } from "../project/files/write_inside.ts";
import { requireProject } from "../project/open.ts";

interface KitFile {
  readonly name: string;
  readonly body: string;
  /** The comment syntax of the first line. @default that of scripts and styles */
  readonly comment?: { readonly open: string; readonly close: string };
  /** The file whose presence adds this one. @default the file itself */
  readonly beside?: string;
  /** The option that adds the file to a project; files without one are always written. */
  readonly option?: string;
}

const kitFiles: readonly KitFile[] = [
  { name: "ui.css", body: style },
  { name: "ui.js", body: script },
  mapFile({ name: "ui.js", map: scriptMap }),
  { name: "ui.chat.js", body: chatScript, option: "chat" },
  { ...mapFile({ name: "ui.chat.js", map: chatScriptMap }), option: "chat" },
  { name: "passkeys.js", body: passkeys, option: "passkeys" },
];

/** Describes the source map of a script. */
function mapFile({ name, map }: { readonly name: string; readonly map: string }): KitFile {
  return {
    name: `${name}.map`,
    // The script's first line, which `writeOwned` adds, maps to nothing.
    body: map.replace('"mappings":"', '"mappings":";'),
    // JSON has no comments, but readers of source maps skip a first line that starts like this.
    comment: { open: ")]}'", close: "" },
    beside: name,
  };
}

/** The file that belongs to the application. */
const themeName = "ui.theme.css";

/**
 * Writes `ui.css`, `ui.js` and its source map to `public/`, and `ui.theme.css` if it does not exist.
 * With `--chat` and `--passkeys`, or if they exist already, also writes `ui.chat.js` with its map and
 * `passkeys.js`. An edited file of the kit is kept, with a warning, unless `--force` is given.
 *
 * @param args The arguments after `ui`.
 * @param io The environment of the command.
 * @returns 0; 1 if there is no project, or if a link in `public/` leads out of it.
 */
export async function ui(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.ui;
  const outcome = readArgs(args, { booleans: ["force", "chat", "passkeys"] }, {
    command: "ui",
    help,
    messages,
    io,
  });
  if (!outcome.ok) return outcome.code;
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const { root } = project;
  const folder = join(root, publicFolder);
  if (!await isInside(root, folder)) {
    io.stderr(`${messages.uiOutside(publicFolder)}\n`);
    return exitCodes.failure;
  }
  const isNew = await writeTheme(folder, io);
  for (const { name, body, option, comment, beside = name } of kitFiles) {
    const isWanted = option === undefined || outcome.args.has(option) ||
      await isThere(join(folder, beside));
    if (!isWanted) continue;
    const became = await writeOwned(join(folder, name), {
      body,
      comment: comment ?? { open: "/*", close: "*/" },
      command: "ui",
      force: outcome.args.has("force"),
    });
    report(`${publicFolder}/${name}`, { became, io });
  }
  if (isNew) io.stdout(`${messages.uiNext}\n`);
  return exitCodes.ok;
}

/** Writes the theme if it does not exist; returns whether it did. */
async function writeTheme(folder: string, io: Io): Promise<boolean> {
  await Deno.mkdir(folder, { recursive: true });
  const file = `${publicFolder}/${themeName}`;
  const messages = messagesOf(io);
  try {
    await Deno.writeTextFile(join(folder, themeName), theme, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    io.stdout(`${messages.uiKept(file)}\n`);
    return false;
  }
  io.stdout(`${messages.uiMade(file)}\n`);
  return true;
}

function report(
  file: string,
  { became, io }: { readonly became: OwnedOutcome; readonly io: Io },
): void {
  const messages = messagesOf(io);
  if (became === "edited") io.stderr(`${messages.uiEdited(file)}\n`);
  else if (became === "made") io.stdout(`${messages.uiMade(file)}\n`);
  else if (became === "updated") io.stdout(`${messages.uiUpdated(file)}\n`);
  else io.stdout(`${messages.uiFresh(file)}\n`);
}
