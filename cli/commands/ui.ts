/**
 * `fw ui`: writes the files of the component kit.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import { script, style, theme } from "@fw/fw/ui/files";
import { join } from "@std/path";
import { readArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { findProject } from "../project/manifest.ts";
import { type OwnedOutcome, writeOwned } from "../project/files/owned_file.ts";
import { isInside } from "../project/files/write_inside.ts";

/** The files that belong to the kit. */
const kitFiles: readonly { readonly name: string; readonly body: string }[] = [
  { name: "ui.css", body: style },
  { name: "ui.js", body: script },
];

/** The file that belongs to the application. */
const themeName = "ui.theme.css";

/**
 * Writes `ui.css` and `ui.js` to `public/`, and `ui.theme.css` where there is none. A file of the kit
 * that was edited is left as it is, with a warning, unless `--force` is given.
 *
 * @param args The arguments after `ui`.
 * @param io The world that the command sees.
 * @returns 0; 1 where there is no project, and where a link of `public/` leads out of it.
 */
export async function ui(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.ui;
  const outcome = readArgs(args, { booleans: ["force"] }, { command: "ui", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const root = findProject(io.cwd);
  if (root === undefined) {
    io.stderr(`${messages.noProject(io.cwd)}\n`);
    return exitCodes.failure;
  }
  const folder = join(root, publicFolder);
  if (!await isInside(root, folder)) {
    io.stderr(`${messages.uiOutside(publicFolder)}\n`);
    return exitCodes.failure;
  }
  const isNew = await writeTheme(folder, io);
  for (const { name, body } of kitFiles) {
    const became = await writeOwned(join(folder, name), {
      body,
      comment: { open: "/*", close: "*/" },
      command: "ui",
      force: outcome.args.has("force"),
    });
    report(`${publicFolder}/${name}`, { became, io });
  }
  if (isNew) io.stdout(`${messages.uiNext}\n`);
  return exitCodes.ok;
}

/** Writes the theme where there is none; gives whether it did. */
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
