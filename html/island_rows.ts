/** What a view rendered: the HTML, and the items of its lists, those of inner lists first. */
export interface Listed {
  readonly html: string;
  readonly lists: readonly (readonly string[])[];
}

/**
 * Finds the rows that changed, if all that differs is one list of rows with ids: to parse a long list
 * takes longer than all else. Rows were added, removed or changed, and not several of those at once.
 *
 * @returns The rows with the places where they go, as parts of a response have them; `undefined` where the whole has to be compared.
 */
export function narrow(before: Listed | undefined, after: Listed): readonly string[] | undefined {
  // Lists at the top are the last.
  for (const at of [-1, -2, -3]) {
    const [old, next] = [before?.lists.at(at), after.lists.at(at)];
    if (!old || !next) break;
    const [was, is] = [old.join(""), next.join("")];
    if (after.html.replace(is, () => was) === before?.html) return rowsOf(old, next);
  }
  return undefined;
}

/** More rows than this are compared with all the others at once. */
const mostRows = 32;

function rowsOf(old: readonly string[], next: readonly string[]): readonly string[] | undefined {
  const fewer = old.length - next.length;
  const differs = next.findIndex((row, at) => row !== old[at]);
  const first = differs < 0 ? next.length : differs;
  const alike = next.findLastIndex((row, at) => row !== old[at + fewer]) + 1;
  const end = Math.max(alike, first, first - fewer);
  const gone = old.slice(first, end + fewer).map(idOf);
  const come = next.slice(first, end);
  const ids = come.map(idOf);
  // The row before what came, and the one after it.
  const [prior, later] = [idOf(next[first - 1]), idOf(next[end])];
  const isSame = gone.join(" ") === ids.join(" ");
  if ([...gone, ...ids].includes("") || gone.length + ids.length > mostRows) return undefined;
  if (ids.length === 0) return gone.map((id) => `<i id="${id}" data-fw-place="remove"></i>`);
  if (!isSame && (gone.length > 0 || prior + later === "")) return undefined;
  return come.map((row, at) => {
    const place = isSame ? "morph" : later ? `before ${later}` : `after ${ids[at - 1] ?? prior}`;
    return row.replace(/^<[\w-]+/, `$& data-fw-place="${place}"`);
  });
}

/** Returns the id of a row; nothing for one without, or with one that has to be escaped. */
function idOf(row = ""): string {
  return /^<[^>]* id="([\w.:-]+)"/.exec(row)?.[1] ?? "";
}
