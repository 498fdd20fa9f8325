/**
 * The no-script proof: every link and form of the pages that the tests received leads somewhere
 * without a script.
 *
 * @module
 */
import { fromFileUrl, join } from "@std/path";
import { errorAt, type Place, type Problem, sortProblems } from "../problem.ts";
import { textOfFile } from "../project/files/look.ts";
import { pathInProject } from "../project/sources/graph.ts";
import type { Project } from "../project/project.ts";
import { createTargets, type TargetFinder, type TargetRoute } from "./targets.ts";

/** A page as the test helpers record it. */
interface RecordedPage {
  readonly test: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly base: string;
  readonly routes: readonly TargetRoute[];
  readonly targets: readonly {
    readonly kind: "link" | "form" | "script";
    readonly element: string;
    readonly method: string;
    readonly url?: string;
  }[];
}

/** What the pages of the tests show. */
export interface PagesReport {
  readonly problems: readonly Problem[];
  /** How many pages were looked at. */
  readonly pages: number;
}

/**
 * Checks the pages in a folder of records.
 *
 * @param project The project whose tests recorded them.
 * @param folder The folder, absolute.
 */
export async function checkPages(project: Project, folder: string): Promise<PagesReport> {
  const finders = new Map<string, TargetFinder>();
  const found = new Map<string, Problem>();
  let pages = 0;
  for (const page of readRecords(folder)) {
    pages++;
    const key = JSON.stringify(page.routes);
    const finder = finders.get(key) ?? await createTargets(project, page.routes);
    finders.set(key, finder);
    for (const [id, problem] of problemsOf(page, { project, finder })) {
      // A link of a layout is on every page: its first one is named.
      if (!found.has(id)) found.set(id, problem);
    }
  }
  return { problems: sortProblems([...found.values()]), pages };
}

function readRecords(folder: string): RecordedPage[] {
  const pages = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".json"))
    .flatMap(({ name }): RecordedPage[] => {
      try {
        return [JSON.parse(Deno.readTextFileSync(join(folder, name)))];
      } catch {
        // A test that was killed while it wrote.
        return [];
      }
    });
  // Files have random names: the order must not depend on them.
  const key = ({ test, url, status }: RecordedPage): string => `${url}\n${test}\n${status}`;
  return pages.sort((a, b) => key(a) < key(b) ? -1 : 1);
}

function problemsOf(
  page: RecordedPage,
  { project, finder }: { readonly project: Project; readonly finder: TargetFinder },
): [string, Problem][] {
  const { messages: { check: { links: texts } } } = project;
  const origin = new URL(page.url).origin;
  const test = pathInProject(project.root, fromFileUrl(page.test)) ?? page.test;
  const at = { page: `${page.method} ${page.url.slice(origin.length)}`, test };
  return page.targets.flatMap(({ kind, element, method, url }): [string, Problem][] => {
    if (kind === "script" || url === undefined) {
      const text = texts.scriptOnly(element, at);
      const place = placeOf(page, { finder, project, element });
      return [[element, errorAt(place, "E_NO_SCRIPT", text)]];
    }
    if (!url.startsWith(`${origin}/`)) return [];
    const path = url.slice(origin.length);
    if (page.base !== "" && path !== page.base && !path.startsWith(`${page.base}/`)) return [];
    const inApp = path.slice(page.base.length) || "/";
    const fault = finder.fault({ method, path: inApp });
    if (fault === undefined) return [];
    const message = texts.onPage(element, { ...at, detail: fault.message });
    const place = placeOf(page, { finder, project, element });
    return [[
      `${method} ${inApp} ${fault.message}`,
      errorAt(place, "E_NO_SCRIPT", { ...fault, message }),
    ]];
  });
}

/** Returns the file of the page's route, and the line that writes the element if one can be told. */
function placeOf(
  page: RecordedPage,
  { finder, project, element }: {
    readonly finder: TargetFinder;
    readonly project: Project;
    readonly element: string;
  },
): Place {
  const path = new URL(page.url).pathname.slice(page.base.length) || "/";
  const file = finder.matcher.match(path)?.source;
  if (file === undefined) {
    return { file: pathInProject(project.root, fromFileUrl(page.test)) ?? page.test, line: 1 };
  }
  // What names the element best: its address, its text, its name.
  const [, address, id] =
    [...element.matchAll(/ (?:href|action|formaction)="([^"]+)"| id="([^"]+)"/g)][0] ?? [];
  const text = />([^<]+)$/.exec(element)?.[1];
  const lines = textOfFile(join(project.root, file)).split("\n");
  const [, attribute = ""] = / (href|action|formaction)="/.exec(element) ?? [];
  const both = address === undefined
    ? -1
    : lines.findIndex((line) => line.includes(address) && line.includes(attribute));
  if (both >= 0) return { file, line: both + 1 };
  for (const wanted of [address, id, text]) {
    if (wanted === undefined || wanted.length < 2) continue;
    const at = lines.findIndex((line) => line.includes(wanted));
    if (at >= 0) return { file, line: at + 1 };
  }
  return { file, line: 1 };
}
