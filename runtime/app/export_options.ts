/** Options of `app.export`. */
export interface ExportOptions {
  /**
   * Where the site will be served, such as `https://example.com` or `https://example.com/docs`, whose
   * path must be the application's base path: for absolute URLs and the site map.
   *
   * @default none: pages that hold an absolute URL are told
   */
  readonly baseUrl?: string;
  /**
   * Where `/about` goes: `about/index.html`, which every host serves, or `about.html`, which spares the
   * redirect to `/about/` on hosts that leave the extension out.
   *
   * @default "folder"
   */
  readonly layout?: "folder" | "file";
  /** The paths, with all that is below them, that are not exported, such as `/admin`. @default none */
  readonly exclude?: readonly string[];
  /**
   * The paths, with all that is below them, that something else answers on the same host, such as
   * `/api`: links to them are not checked.
   *
   * @default none
   */
  readonly elsewhere?: readonly string[];
  /** How many pages are rendered at once. @default 8 */
  readonly concurrency?: number;
  /** How many pages there may be. @default 100000 */
  readonly maxPages?: number;
  /** How long one page may take, in milliseconds. @default 60000 */
  readonly timeoutMs?: number;
  /**
   * Whether to write into a folder that holds files which no export wrote. They are overwritten where
   * the site has a file of that name, and never removed.
   *
   * @default false
   */
  readonly force?: boolean;
  /** Stops the export between two pages. @default none */
  readonly signal?: AbortSignal;
  /** Called after each page and file. @default none */
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** How far an export is. */
export interface ExportProgress {
  /** How many pages and files are done. */
  readonly done: number;
  /** How many there are, as far as is known. */
  readonly total: number;
  /** What was done last: a path of the site. */
  readonly path: string;
}
