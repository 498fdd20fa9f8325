/** The entries of the map that are read file by file: provided values, types, settings and variables. */
import type ts from "npm:typescript@6.0.3";
import type { Operations } from "../../facts/operations.ts";
import type { Reach } from "../../facts/reach.ts";
import { compareText } from "../../problem.ts";
import type { StaticConfig } from "../../project/settings/config.ts";
import { positionOf } from "../../project/sources/module_names.ts";
import type { Sources } from "../../project/sources/sources.ts";
import type { VariableRead } from "../../project/sources/variables.ts";
import type { InputShape, OutputShape } from "./shapes.ts";

export interface ProvidedEntry {
  readonly key: string;
  /** The type of the value, as the key declares it; absent if it cannot be read. */
  readonly type?: string;
  readonly file: string;
}

export function findProvided(sources: Sources, reach: Reach): ProvidedEntry[] {
  const { ts } = sources;
  const found = new Map<string, ProvidedEntry>();
  for (const file of sources.list()) {
    const source = sources.read(file);
    if (source === undefined || !/\bprovide\s*\(/.test(source.text)) continue;
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) && ts.isIdentifier(node.expression) &&
        reach.isFramework(file, node.expression.text, { as: "provide" })
      ) {
        const [, key] = node.arguments;
        if (key !== undefined) {
          const entry = readEntry(key, { file, reach, ts });
          found.set(entry.key, entry);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source.tree);
  }
  return [...found.values()].sort((a, b) => compareText(a.key, b.key));
}

function readEntry(
  key: ts.Expression,
  { file, reach, ts: parser }: {
    readonly file: string;
    readonly reach: Reach;
    readonly ts: typeof ts;
  },
): ProvidedEntry {
  const name = key.getText();
  const declared = parser.isIdentifier(key) ? reach.local(file, name) : undefined;
  if (declared === undefined) return { key: name, file };
  const { node } = declared;
  const made = parser.isVariableDeclaration(node) ? node.initializer : undefined;
  const type = made !== undefined && parser.isCallExpression(made)
    ? made.typeArguments?.[0]?.getText()
    : undefined;
  return { key: name, ...(type === undefined ? {} : { type }), file: declared.file };
}

export interface TypeEntry {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export function typesNamed(
  entries: readonly {
    readonly input: readonly InputShape[];
    readonly output: readonly OutputShape[];
  }[],
  { reach, list }: Operations,
): TypeEntry[] {
  const found = new Map<string, TypeEntry>();
  entries.forEach(({ input, output }, index) => {
    const file = list[index]?.handler?.file;
    if (file === undefined) return;
    const texts = [...input, ...output].map(({ type }) => type).join(" ");
    for (const [name] of texts.matchAll(/\b[A-Z]\w*/g)) {
      const declaration = reach.local(file, name);
      if (declaration === undefined) continue;
      const { node } = declaration;
      const tree = node.getSourceFile();
      const { line } = positionOf(tree, node);
      const entry = { name, file: declaration.file, line, text: withoutComments(node, tree) };
      found.set(`${name}\n${entry.file}`, entry);
    }
  });
  return [...found.values()].sort((a, b) =>
    compareText(a.name, b.name) || compareText(a.file, b.file)
  );
}

function withoutComments(node: ts.Node, tree: ts.SourceFile): string {
  return node.getText(tree)
    .replaceAll(/\/\*[^]*?\*\/|^[ \t]*\/\/.*$/gm, "")
    .replaceAll(/\s+/g, " ").replace(/^export /, "").trim();
}

export interface SettingEntry {
  readonly name: string;
  /** The value, as far as the code shows it; `"…"` if it is known only at run time. */
  readonly value: string;
  readonly file: string;
  readonly line: number;
}

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
