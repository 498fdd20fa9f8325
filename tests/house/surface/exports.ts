/** Unused exports: a value that no other file imports is dead or needs no export. */

/** The files whose exports are checked. */
export interface ExportSources {
  /** The files of the packages, by path. */
  readonly packages: ReadonlyMap<string, string>;
  /** Other users of the exports, such as benches; tests do not count. */
  readonly others: ReadonlyMap<string, string>;
  /** The tests, for which a file may export a value it uses itself. */
  readonly tests: ReadonlyMap<string, string>;
}

// A name with a hole is part of generated code.
const declared =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)(?![\w${])/gm;
const word = /[A-Za-z_$][\w$]*/g;

/**
 * Lists exported functions, classes and values that no file imports, as `path name`. Types are
 * skipped, because the signatures of exported functions need them.
 *
 * @param published The names that applications may take.
 */
export function findUnusedExports(
  { packages, others, tests }: ExportSources,
  published: ReadonlySet<string>,
): string[] {
  const uses = countFiles([...packages.values(), ...others.values()]);
  const testUses = countFiles([...tests.values()]);
  return [...packages].flatMap(([path, source]) =>
    [...source.matchAll(declared)]
      .map(([, name = ""]) => name)
      .filter((name) => {
        if (published.has(name) || (uses.get(name) ?? 0) > 1) return false;
        return !testUses.has(name) || countWord(source, name) === 1;
      })
      .map((name) => `${path} ${name}`)
  );
}

/** Returns the number of texts that contain each word. */
function countFiles(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const found of new Set(text.match(word))) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return counts;
}

function countWord(text: string, wanted: string): number {
  return (text.match(word) ?? []).filter((found) => found === wanted).length;
}
