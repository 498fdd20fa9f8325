/**
 * `fw ui`: writes the files of the component kit.
 */
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { acceptArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { isInside } from "../project/files/write_inside.ts";
import { requireProject } from "../project/open.ts";
import { type KitOutcome, writeKit } from "../scaffold/kit.ts";

/**
 * Writes `ui.css`, `ui.js` and its source map to `public/`, and `ui.theme.css` if it does not exist.
 * With `--passkeys`, or if it exists already, also writes `passkeys.js`. An edited file of the kit is kept, with a warning, unless `--force` is given.
 *
 * @returns 0; 1 if there is no project, or if a link in `public/` leads out of it.
 */
export async function ui(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.ui;
  const outcome = acceptArgs(args, { booleans: ["force", "passkeys"] }, {
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
  const outcomes = await writeKit(root, {
    isWanted: (option) => outcome.args.has(option),
    force: outcome.args.has("force"),
  });
  for (const each of outcomes) report(each, io);
  if (outcomes[0]?.became === "made") io.stdout(`${messages.uiNext}\n`);
  return exitCodes.ok;
}

function report({ file, became }: KitOutcome, io: Io): void {
  const messages = messagesOf(io);
  if (became === "edited") io.stderr(`${messages.uiEdited(file)}\n`);
  else if (became === "kept") io.stdout(`${messages.uiKept(file)}\n`);
  else if (became === "made") io.stdout(`${messages.uiMade(file)}\n`);
  else if (became === "updated") io.stdout(`${messages.uiUpdated(file)}\n`);
  else io.stdout(`${messages.uiFresh(file)}\n`);
}
