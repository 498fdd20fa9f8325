/**
 * Finds where the application sets what a message is about.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { readTextOrEmpty } from "../files/look.ts";

/** The file whose `Config` and `Setup` change settings. */
const setupFile = `${appFolder}/setup.ts`;

/**
 * Finds the line of `app/setup.ts` that sets the setting a message names. The settings are checked
 * after `Config` has run, so no call leads there.
 *
 * @param root The project, absolute.
 * @param message A message of the framework, such as `TypeError: Cannot set config.cors.origin: …`.
 * @returns The place of the setting's name, or `undefined` where the file does not hold it.
 */
export function findSettingPlace(
  root: string,
  message: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined {
  const path = /\bconfig\.([A-Za-z_$][\w$.]*\w)/.exec(message)?.[1];
  if (path === undefined || !/^(?:\w+: )?Cannot /.test(message)) return undefined;
  const lines = readTextOrEmpty(join(root, setupFile)).split(/\r?\n/);
  // The inner name first; a group that is set as a whole may hold it on a line of its own.
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
