import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { readTextIfThere } from "../project/files/look.ts";
import { contrastFaults } from "../project/theme.ts";
import { type AuditFacts, type Findings, found } from "./facts.ts";

const themeFile = `${publicFolder}/ui.theme.css`;

export async function checkContrast({ root, texts }: AuditFacts): Promise<Findings> {
  const css = await readTextIfThere(join(root, themeFile));
  if (css === undefined) return [];
  return contrastFaults(css).map(({ block, front, ground, ratio, least }) => {
    const lines = css.slice(0, css.indexOf(`${block} {`)).split("\n").length;
    const ratioText = (Math.floor(ratio * 100) / 100).toFixed(2);
    return found(
      "warning",
      texts.contrastLow(`--${front}`, `--${ground}`, ratioText, String(least)),
      [{ file: themeFile, line: lines }],
    );
  });
}
