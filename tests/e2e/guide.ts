/** The code blocks of a guide. */
import { join } from "@std/path";
import { root } from "../../tools/workspace.ts";

export interface GuideBlock {
  readonly language: string;
  readonly text: string;
}

export async function readBlocks(path: string): Promise<GuideBlock[]> {
  const text = await Deno.readTextFile(join(root, path));
  return [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)]
    .map(([, language = "", block = ""]) => ({ language, text: block }));
}

/** Returns the first block of a language that contains a text. */
export async function readBlock(
  path: string,
  wanted: { readonly language: string; readonly holds?: string },
): Promise<string> {
  const { language, holds = "" } = wanted;
  const block = (await readBlocks(path))
    .find((each) => each.language === language && each.text.includes(holds));
  if (block === undefined) throw new Error(`${path} has no ${language} block with "${holds}"`);
  return block.text;
}
