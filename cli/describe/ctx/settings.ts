import { compareText } from "../../problem.ts";
import type { StaticConfig } from "../../project/settings/config.ts";
import type { StaticValue } from "../../project/settings/value.ts";
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

/** Settings whose values are not for a string that is committed. */
const secretNames: ReadonlySet<string> = new Set([
  "secret",
  "previousSecret",
  "observability.token",
]);

export function settingEntries({ assignments }: StaticConfig): SettingEntry[] {
  return assignments.map(({ path, value, place: { file, line } }) => ({
    name: path,
    value: secretNames.has(path) && value.kind === "literal" ? "…" : textOf(value),
    file,
    line,
  }));
}

function textOf(value: StaticValue): string {
  switch (value.kind) {
    case "literal":
      return value.value === undefined ? "undefined" : JSON.stringify(value.value);
    case "off":
      return "off";
    case "variable":
      return `$${value.name}`;
    case "list":
      return `[${value.items.map(textOf).join(", ")}]`;
    case "group":
      return `{${
        [...value.members].map(([name, member]) => `${name}: ${textOf(member)}`).join(", ")
      }}`;
    case "unknown":
      return "…";
  }
}

/** Returns the variables, sorted by name. */
export function variableEntries(reads: readonly VariableRead[]): VariableEntry[] {
  const files = new Map<string, Set<string>>();
  for (const { variable, file } of reads) {
    files.set(variable, (files.get(variable) ?? new Set()).add(file));
  }
  return [...files].map(([name, places]) => ({ name, files: [...places].sort(compareText) }))
    .sort((a, b) => compareText(a.name, b.name));
}
