/** What files export to each other: a value that nobody takes is dead, or needs no export. */

/** The files whose exports count. */
export interface ExportSources {
  /** The files of the packages, by path. */
  readonly packages: ReadonlyMap<string, string>;
  /** What else may use them, such as benches; tests keep nothing alive. */
  readonly others: ReadonlyMap<string, string>;
  /** The tests, for which a file may export what it uses itself. */
  readonly tests: ReadonlyMap<string, string>;
}

// A name with a hole is text that a generator writes.
const declared =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let) ([\w$]+)(?![\w${])/gm;
const word = /[A-Za-z_$][\w$]*/g;

/**
 * Lists exported functions, classes and values that no file takes, as `path name`. Types are passed over:
 * the signature of a function that is exported needs them.
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

/** In how many texts each word stands. */
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
