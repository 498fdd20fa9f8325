/** Exports small applications into scratch folders. */
import {
  type AppParts,
  type Ctx,
  ExportError,
  type ExportOptions,
  type ExportReport,
  type Node,
  type Route,
  type Settings,
} from "../../../mod.ts";
import { dirname, join } from "@std/path";
import * as h from "../../../html/mod.ts";
import { newSite, type Site } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";

export interface ExportedApp {
  readonly routes?: readonly Route[];
  /** Files of the public folder, by name. @default no folder */
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: Settings;
  readonly parts?: AppParts;
  readonly options?: ExportOptions;
}

export interface Outcome {
  readonly report: ExportReport;
  readonly message: string | undefined;
  readonly site: Site;
  read(file: string): string;
}

export class Scratch {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get dist(): string {
    return join(this.root, "dist");
  }

  async export(app: ExportedApp): Promise<Outcome> {
    const { routes = [], files, config = {}, parts = {}, options = {} } = app;
    const publicFolder = join(this.root, "public");
    if (files !== undefined) {
      await Deno.remove(publicFolder, { recursive: true }).catch(() => {});
      this.write(files, "public");
    }
    const settings = files === undefined ? config : { public: publicFolder, ...config };
    const site = newSite(routes, { config: settings, parts });
    const read = (file: string): string => Deno.readTextFileSync(join(this.dist, file));
    try {
      const report = await site.app.export(this.dist, options);
      return { report, message: undefined, site, read };
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      return { report: error.report, message: error.message, site, read };
    }
  }

  write(files: Readonly<Record<string, string>>, folder = ""): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.root, folder, name);
      Deno.mkdirSync(dirname(path), { recursive: true });
      Deno.writeTextFileSync(path, text);
    }
  }

  /** Lists the files below a folder, sorted, with `/`, without the export's own list. */
  list(folder = "dist"): string[] {
    const found: string[] = [];
    const open = [""];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of Deno.readDirSync(join(this.root, folder, at))) {
        const name = at === "" ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory) open.push(name);
        else if (!own.has(name)) found.push(name);
      }
    }
    return found.sort();
  }
}

const own: ReadonlySet<string> = new Set([".fw_export.json", ".nojekyll", "_headers", "404.html"]);

export async function inScratch(run: (scratch: Scratch) => Promise<void>): Promise<void> {
  await using root = await newFolder({ prefix: "fw-export-" });
  await run(new Scratch(root.path));
}

export async function exportOnce(
  app: ExportedApp,
  look: (outcome: Outcome, scratch: Scratch) => void | Promise<void>,
): Promise<void> {
  await inScratch(async (scratch) => await look(await scratch.export(app), scratch));
}

export function page(pattern: string, ...content: readonly (Node | string)[]): Route {
  return { pattern, page: () => h.main(content) };
}

export function paramPage(pattern: string, paths: Route["paths"]): Route {
  return {
    pattern,
    page: (c: Ctx) => h.p(JSON.stringify([c.url.pathname])),
    ...(paths === undefined ? {} : { paths }),
    source: "app/page.ts",
  };
}

export function fileRoute(pattern: string, text = "text", type = "text/plain"): Route {
  const GET = (): Response => new Response(text, { headers: { "content-type": type } });
  return { pattern, methods: { GET }, source: "app/route.ts" };
}

export function link(href: string): Node {
  return h.a(h.href(href), "x");
}
