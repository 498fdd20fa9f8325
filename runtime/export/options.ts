/** Options of `app.export`. */
export interface ExportOptions {
  /**
   * URL of the site, such as `https://example.com/docs`, whose path must be the application's base path: for
   * absolute URLs and the site map. @default none: a page with an absolute URL causes a warning
   */
  readonly baseUrl?: string;
  /**
   * The only paths to export, including everything below them; `/` is the start page. Linked files and the
   * static files are exported as well. @default all
   */
  readonly only?: readonly string[];
  /** The paths, including everything below them, that are not exported, such as `/admin`. @default none */
  readonly exclude?: readonly string[];
  /**
   * The paths, including everything below them, that another application on the same host serves, such as
   * `/api`: links to them are not checked. @default none
   */
  readonly elsewhere?: readonly string[];
  /** Maximum number of pages. @default 100000 */
  readonly maxPages?: number;
  /** The time limit of one page, in milliseconds. @default 60000 */
  readonly timeoutMs?: number;
  /** Aborts the export between two pages. @default none */
  readonly signal?: AbortSignal;
  /** Called after each page and file. @default none */
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The progress of an export. */
export interface ExportProgress {
  /** Number of finished pages and files. */
  readonly done: number;
  /** Total number, as far as is known. */
  readonly total: number;
  /** Path of the last finished page or file. */
  readonly path: string;
}

export type SettledOptions =
  & ExportOptions
  & Required<Omit<ExportOptions, "baseUrl" | "signal" | "onProgress">>;

export function settleOptions(options: ExportOptions): SettledOptions {
  const defaults = {
    only: [],
    exclude: [],
    elsewhere: [],
    maxPages: 100_000,
    timeoutMs: 60_000,
  } as const;
  const settled: SettledOptions = { ...defaults, ...options };
  const known = ["baseUrl", ...Object.keys(defaults), "signal", "onProgress"];
  // A misspelt `exclude` would publish the excluded pages.
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot export with "${unknown}": there is no such option; there are ${known.join(", ")}.`,
    );
  }
  for (const name of ["maxPages", "timeoutMs"] as const) {
    const value = settled[name];
    if (value >= 1 && (name === "timeoutMs" || Number.isInteger(value))) continue;
    throw new RangeError(`Cannot export with ${name} "${value}": use a number from 1 up.`);
  }
  for (const name of ["only", "exclude", "elsewhere"] as const) {
    const wrong = settled[name].find((start) => !/^\/(?:.*[^/])?$/.test(start));
    if (wrong === undefined) continue;
    throw new TypeError(
      `Cannot export with ${name} "${wrong}": write a path such as "/admin", without a slash at its end.`,
    );
  }
  return settled;
}
