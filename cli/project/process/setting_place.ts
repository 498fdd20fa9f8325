import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { textOfFile } from "../files/look.ts";

const setupFile = `${appFolder}/setup.ts`;

/**
 * Finds the line of `app/setup.ts` that sets the setting named in a message.
 *
 * @returns The place of the setting's name, or `undefined` if the file does not contain it.
 */
export function findSettingPlace(
  root: string,
  message: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined {
  const path = /\bconfig\.([A-Za-z_$][\w$.]*\w)/.exec(message)?.[1];
  if (path === undefined || !/^(?:\w+: )?Cannot /.test(message)) return undefined;
  const lines = textOfFile(join(root, setupFile)).split(/\r?\n/);
  // The inner name first: a group that is set as a whole may contain it on a separate line.
  for (const name of path.split(".").reverse()) {
    const word = new RegExp(`(?<![\\w$"'\`])${name.replaceAll("$", "\\$")}(?=\\s*(?:[=:.,})]|$))`);
    const line = lines.findIndex((text) =>
      !/^\s*(?:\/\/|\*|\/\*|import\b)/.test(text) && word.test(text)
    );
    if (line === -1) continue;
    return { file: setupFile, line: line + 1, column: (lines[line] ?? "").search(word) + 1 };
  }
  return undefined;
}
