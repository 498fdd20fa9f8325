/** Returns the candidate closest to what was written, or `undefined` where none is close. */
export function findNearest(text: string, candidates: readonly string[]): string | undefined {
  const written = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(written, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the edit distance: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(Math.min(
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        isSwap ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      ));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? b.length;
}

/** A variable that nothing reads, and the one that was meant. */
export interface MisspeltVariable {
  /** The name that is set. */
  readonly name: string;
  /** The name that the framework reads. */
  readonly nearest: string;
}

const prefix = "FW_";

/** The framework's variable names without the prefix. */
const known: readonly string[] = (
  "ALLOWED_HOSTS BASE_PATH DEV_READY DEV_RELOAD ENV INCIDENTS LANG METRICS OBS_TOKEN " +
  "OBS_TRUSTED ORIGIN REPLICAS REUSE_PORT SECRET SECRET_PREVIOUS THREAD TRUSTED_PROXIES"
).split(" ");

/** The variables without the prefix that are easily written with it. */
const bare: readonly string[] = ["ADDR", "PORT"];

const maxErrors = 2;

/** Finds variables that are one of the framework's with an error in it; others may belong to another tool. */
export function findMisspelt(names: readonly string[]): MisspeltVariable[] {
  return names.flatMap((name) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (rest === "" || known.includes(rest)) return [];
    if (bare.includes(rest)) return [{ name, nearest: rest }];
    const near = findNearest(rest, known);
    // Further apart are names of the application, such as FW_API_TOKEN beside FW_OBS_TOKEN.
    return near === undefined || editDistance(rest.toUpperCase(), near) > maxErrors
      ? []
      : [{ name, nearest: prefix + near }];
  });
}

/**
 * Returns the names of the environment variables that are set, as far as the process may read them, without
 * a prompt. Under `--allow-env=FW_*` Deno lists none but allows reading each by name: then the likeliest
 * misspellings are tried, a missing or doubled character, and two swapped ones.
 */
export function variableNames(): string[] {
  try {
    if (isAllowed()) return Object.keys(Deno.env.toObject());
    // An unused name: if reading it is granted, reading the prefix is granted.
    if (!isAllowed(`${prefix}MISSPELT`)) return [];
    return likelyErrors().filter((name) => Deno.env.has(name));
  } catch {
    // Some names may be denied; a warning is not worth more permissions.
    return [];
  }
}

function isAllowed(variable?: string): boolean {
  const name = variable === undefined ? {} : { variable };
  return Deno.permissions.querySync({ name: "env", ...name }).state === "granted";
}

function likelyErrors(): string[] {
  const names = known.flatMap((word) =>
    [...word].flatMap((sign, at) => {
      const [before, after] = [word.slice(0, at), word.slice(at + 1)];
      const swapped = after === "" ? [] : [before + after.charAt(0) + sign + after.slice(1)];
      return [before + after, before + sign + sign + after, ...swapped];
    })
  );
  const distinct = new Set([...names, ...bare]);
  return [...distinct].filter((name) => !known.includes(name)).map((name) => prefix + name);
}
