import type { StaticListing } from "../serve/static/files.ts";
import type { DiskFile } from "../serve/static/directory.ts";
import { fileOf, findReserved, TakenNames } from "./name.ts";
import type { SettledOptions } from "./options.ts";
import { type ExportTarget, isBelow } from "./plan.ts";
import { type ExportProblem, exportProblem } from "./report.ts";

/** A static file to copy. */
export interface ExportAsset {
  /** Its canonical path. */
  readonly path: string;
  /** Where it lies. */
  readonly source: DiskFile;
}

/** What the files of a site are named by. */
export interface SiteFilesOptions {
  /** The options of the export. */
  readonly options: Pick<SettledOptions, "layout" | "exclude">;
  /** Collects the errors. */
  readonly errors: ExportProblem[];
  /** Collects the warnings. */
  readonly warnings: ExportProblem[];
}

/** The files of a site by name: no two paths share one. */
export class SiteFiles {
  /** The paths to ask for. */
  readonly targets: Map<string, ExportTarget> = new Map();
  /** The static files to copy. */
  readonly assets: Map<string, ExportAsset> = new Map();
  readonly #names: TakenNames = new TakenNames();
  readonly #options: SiteFilesOptions;

  /** Begins without files. */
  constructor(options: SiteFilesOptions) {
    this.#options = options;
  }

  /** How many files there are. */
  get size(): number {
    return this.targets.size + this.assets.size;
  }

  /** Claims a name for a path; returns `undefined` when it was free, else the path that has it. */
  take(file: string, path: string): string | undefined {
    return this.#names.take(file, path);
  }

  /** Returns the path of a file. */
  pathOf(file: string): string | undefined {
    return this.#names.pathOf(file);
  }

  /**
   * Names the files of paths.
   *
   * @returns Those that have one.
   */
  addTargets(targets: readonly ExportTarget[]): (readonly [string, ExportTarget])[] {
    const { layout } = this.#options.options;
    const added: (readonly [string, ExportTarget])[] = [];
    for (const target of targets) {
      const { path, key, pattern, isPage } = target;
      const named = fileOf(key, { isPage, layout });
      if ("file" in named) {
        // A literal route is the developer's own word.
        const taken = pattern?.includes("{") === true ? findReserved(named.file) : undefined;
        if (taken !== undefined) this.#refuse("reserved_name", { path, detail: taken });
        else if (this.#claim(named.file, path)) added.push([named.file, target]);
      } else this.#refuse("bad_name", { path, detail: named.bad });
    }
    for (const [file, target] of added) this.targets.set(file, target);
    return added;
  }

  /**
   * Names the copies of static files.
   *
   * @param listing The static files, where there are any.
   * @param notUsed The exclusions that no route is below.
   */
  addAssets(listing: StaticListing | undefined, notUsed: readonly string[]): void {
    const { exclude, layout } = this.#options.options;
    const unused = new Set(notUsed);
    for (const [key, source] of listing?.files ?? []) {
      const named = fileOf(key, { isPage: false, layout });
      // A literal route takes precedence over a file, as it does on the server.
      const target = "file" in named ? this.targets.get(named.file) : undefined;
      if (target?.key === key && target.pattern === key) continue;
      const excluded = exclude.filter((start) => isBelow(key, [start]));
      for (const start of excluded) unused.delete(start);
      if (excluded.length > 0) continue;
      if ("file" in named) {
        if (this.#claim(named.file, key)) this.assets.set(named.file, { path: key, source });
      } else this.#refuse("bad_name", { path: key, detail: named.bad });
    }
    for (const setting of listing?.unlisted ?? []) this.#warn("unlisted", setting);
    for (const start of unused) this.#warn("unused_exclude", start);
  }

  #claim(file: string, path: string): boolean {
    const other = this.#names.take(file, path);
    if (other === undefined) return true;
    this.#refuse("collision", { path, detail: other });
    return false;
  }

  #refuse(code: ExportProblem["code"], about: { path: string; detail: string }): void {
    const { path, detail } = about;
    this.#options.errors.push(exportProblem(code, { subject: path, detail }));
  }

  #warn(code: ExportProblem["code"], subject: string): void {
    this.#options.warnings.push(exportProblem(code, { subject, detail: "" }));
  }
}
