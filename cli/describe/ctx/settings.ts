import { compareText } from "../../problem.ts";
import type { StaticConfig } from "../../project/settings/config.ts";
import type { VariableRead } from "../../project/sources/variables.ts";

/** A setting that `Config` or `Setup` makes. */
export interface SettingEntry {
  /** The name with dots, such as `observability.metrics`. */
  readonly name: string;
  /** The value, as far as the code shows it; `"…"` if it is known only at run time. */
  readonly value: string;
  readonly file: string;
  readonly line: number;
}

/** An environment variable that the code reads. */
export interface VariableEntry {
  readonly name: string;
  readonly files: readonly string[];
}
/** Settings whose values are not for a text that is committed. */
const secretNames = /^(?:secret|previousSecret|observability\.token)$/;

/** Returns the settings in the order of the code; a group that is set as a whole may hold a secret. */
export function settingEntries({ assignments }: StaticConfig): SettingEntry[] {
  return assignments.map(({ path, value, place: { file, line } }) => {
    const text = value?.getText().replaceAll(/\s+/g, " ") ?? "…";
    const isSecret = secretNames.test(path) || /\btoken\b/.test(text);
    return { name: path, value: isSecret && /["'`]/.test(text) ? "…" : text, file, line };
  });
}

export function variableEntries(reads: readonly VariableRead[]): VariableEntry[] {
  const files = new Map<string, Set<string>>();
  for (const { variable, file } of reads) {
    files.set(variable, (files.get(variable) ?? new Set()).add(file));
  }
  return [...files].map(([name, places]) => ({ name, files: [...places].sort(compareText) }))
    .sort((a, b) => compareText(a.name, b.name));
}
