import type ts from "npm:typescript@6.0.3";
import { compareText } from "../../problem.ts";
import type { Reach } from "../../facts/reach.ts";
import type { Sources } from "../../project/sources/sources.ts";

/** A provided value: `provide(app, Key, value)`. */
export interface ProvidedEntry {
  /** The name of the key, for `use(c, Key)`. */
  readonly key: string;
  /** The type of the value, as the key declares it; absent if it cannot be read. */
  readonly type?: string;
  readonly file: string;
}

/** Finds the provided values, sorted by key. */
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
          const entry = entryOf(key, { file, reach, ts });
          found.set(entry.key, entry);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source.tree);
  }
  return [...found.values()].sort((a, b) => compareText(a.key, b.key));
}

function entryOf(
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
