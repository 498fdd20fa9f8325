/** Options of `app.export`. */
export interface ExportOptions {
  /**
   * URL of the site, such as `https://example.com/docs`, whose path must be the application's base path: for
   * absolute URLs and the site map. @default none: a page with an absolute URL causes a warning
   */
  readonly baseUrl?: string;
  /** The only pages to export, including everything below them; `/` is the start page. @default all */
  readonly only?: readonly string[];
  /** The paths, including everything below them, that are not exported, such as `/admin`. @default none */
  readonly exclude?: readonly string[];
  /**
   * The paths, including everything below them, that another application on the same host serves, such as
   * `/api`: links to them are not checked. @default none
   */
  readonly elsewhere?: readonly string[];
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

const lists = ["only", "exclude", "elsewhere"] as const;
const known = ["baseUrl", ...lists, "onProgress"];

export type SettledOptions = ExportOptions & Required<Pick<ExportOptions, typeof lists[number]>>;

export function settleOptions(options: ExportOptions): SettledOptions {
  // A misspelt `exclude` would publish the excluded pages.
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot export with "${unknown}": there is no such option; there are ${known.join(", ")}.`,
    );
  }
  const settled = { only: [], exclude: [], elsewhere: [], ...options };
  for (const name of lists) {
    const wrong = settled[name].find((start) => !/^\/(?:.*[^/])?$/.test(start));
    if (wrong === undefined) continue;
    throw new TypeError(
      `Cannot export with ${name} "${wrong}": write a path such as "/admin", without a slash at its end.`,
    );
  }
  return settled;
}
