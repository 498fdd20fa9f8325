import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { readTextIfThere } from "../project/files/look.ts";
import { contrastFaults } from "../project/theme.ts";
import { type AuditFacts, found, type Verdict } from "./facts.ts";

const themeFile = `${publicFolder}/ui.theme.css`;

/** Checks that people with low vision can read the application's theme, light and dark. */
export async function checkContrast({ root, messages }: AuditFacts): Promise<Verdict> {
  const { audit: texts } = messages;
  const css = await readTextIfThere(join(root, themeFile));
  if (css === undefined) return texts.contrastNone;
  const findings = contrastFaults(css).map(({ block, front, ground, ratio, least }) => {
    const lines = css.slice(0, css.indexOf(`${block} {`)).split("\n").length;
    const ratioText = (Math.floor(ratio * 100) / 100).toFixed(2);
    return found(
      "warning",
      texts.contrastLow(`--${front}`, `--${ground}`, ratioText, String(least)),
      {
        places: [{ file: themeFile, line: lines }],
      },
    );
  });
  return findings.length === 0 ? texts.contrastRead : findings;
}
