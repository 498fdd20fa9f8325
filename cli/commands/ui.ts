import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import { requireProject } from "../project/project.ts";
import { brandTheme, type Oklch, parseHex } from "../project/theme.ts";
import { type KitOutcome, themeName, writeKit } from "../scaffold/kit.ts";
import { Stop, UsageError } from "../stop.ts";

export async function ui(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { root, messages } = project;
  const folder = join(root, publicFolder);
  const brand = args.value("brand");
  const color = brand === undefined ? undefined : parseHex(brand);
  if (brand !== undefined && color === undefined) {
    throw new UsageError(messages.uiBrandSyntax(brand));
  }
  const outcomes = await writeKit(root, {
    hasPasskeys: args.has("passkeys"),
    force: args.has("force"),
  });
  for (const each of outcomes) report(each, io);
  if (color !== undefined && !await paintTheme(join(folder, themeName), color)) {
    throw new Stop(messages.uiBrandTheme(`${publicFolder}/${themeName}`));
  }
  if (color !== undefined) io.stdout(`${messages.files.updated(`${publicFolder}/${themeName}`)}\n`);
  if (outcomes[0]?.became === "made") io.stdout(`${messages.uiNext}\n`);
  return exitCodes.ok;
}

async function paintTheme(path: string, color: Oklch): Promise<boolean> {
  const painted = brandTheme(await readTextIfThere(path) ?? "", color);
  if (painted === undefined) return false;
  await replaceFile(path, painted);
  return true;
}

function report({ file, became }: KitOutcome, io: Io): void {
  const messages = messagesOf(io);
  if (became === "edited") io.stderr(`${messages.uiEdited(file)}\n`);
  else io.stdout(`${messages.files[became](file)}\n`);
}
