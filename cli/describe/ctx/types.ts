import type ts from "npm:typescript@6.0.3";
import { compareText } from "../../problem.ts";
import type { Operations } from "../../facts/operations.ts";
import type { InputShape, OutputShape } from "./shapes.ts";

export interface TypeEntry {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** The declaration as written, without comments. */
  readonly text: string;
}

/** Returns the declarations of the names in the inputs and outputs of operations, sorted by name. */
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
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
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
