/** The tests of pages and routes. */
import { dirname, join } from "@std/path";
import { reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { statIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { readImportStyle } from "./imports.ts";
import { type Item, renderSample } from "./sample.ts";
import { sampleUrl, type UrlPath } from "./url_path.ts";

/** Writes the test of a route. */
export async function writeTest(
  path: UrlPath,
  { project, io, route, sample }: {
    readonly project: Project;
    readonly io: Io;
    readonly route: Route;
    /** A body that the schema accepts, if it is known. */
    readonly sample?: Readonly<Record<string, string>>;
  },
): Promise<number> {
  const messages = messagesOf(io);
  const file = `${dirname(route.file.path)}/${route.file.base}_test.ts`;
  const { text = "" } = (await project.sources()).read(route.file.path) ?? {};
  // A handler generated here accepts every parameter; other handlers may not.
  const looksUp = sample === undefined &&
    path.segments.some((segment) => segment.kind !== "literal");
  const url = sampleUrl(path.segments);
  const guards = await readGuards(project, path.pattern);
  const hasAccounts = await statIfThere(join(project.root, accountFile)) !== undefined;
  const style = await readImportStyle(project);
  const role = roleOf(guards);
  const isPage = route.file.base === "page";
  const made = renderSample("kit/app/api/items/slug_/route_test.ts", file, {
    names: {
      [url]: url,
      "/api/items/example": url,
      "../../../../lib/account_testing.ts": style(accountFile, file),
      ', { role: "editor" }': role === undefined ? "" : `, { role: ${JSON.stringify(role)} }`,
      "{guards}": guards.join(", "),
    },
    parts: new Set([
      ...guards.length === 0 ? [] : [hasAccounts ? "account" : "guard"],
      ...looksUp ? ["lookup"] : [],
    ]),
    lists: {
      // A case for each method and each action.
      case: {
        models: ["withForm", "withJson", "wantStatus"],
        items: casesOf(route, { text, sample }).map((each) => caseItem(path, { ...each, isPage })),
      },
    },
  });
  await writeFiles(project, [made], { io });
  const hint = looksUp ? `${messages.generateTestSample(url)}\n` : "";
  io.stdout(`${hint}${messages.generateTestHint(file)}\n`);
  return exitCodes.ok;
}

const accountFile = "lib/account_testing.ts";

async function readGuards(project: Project, pattern: string): Promise<readonly string[]> {
  const operations = await reachOperations(project);
  const own = operations.list.filter(({ route }) => route.pattern === pattern);
  return [...new Set(own.flatMap((operation) => protectionOf(operation, operations).guards))];
}

/** Returns the first role that a guard accepts; a role in code is the developer's to write. */
function roleOf(guards: readonly string[]): string | undefined {
  if (guards.includes("requireAdmin")) return "admin";
  const [, role] = guards.map((guard) => /^requireRole\(([^,)…]+)/.exec(guard)).find(Boolean) ?? [];
  return role;
}

interface Case {
  readonly method: string;
  /** The action of a page, which the query names. */
  readonly action?: string;
  readonly status: number;
  readonly body: Readonly<Record<string, string>> | undefined;
}

function casesOf(
  route: Pick<Route, "methods" | "file">,
  { text, sample }: {
    /** A handler with a schema refuses an empty body. */
    readonly text: string;
    readonly sample: Case["body"];
  },
): readonly Case[] {
  const isPage = route.file.base === "page";
  const { actions, names } = route.file;
  // Without a `POST` of its own, a page answers those of its actions alone.
  const hasActionsAlone = isPage && actions.length > 0 && !names.has("POST");
  const ofMethods = route.methods
    .filter((method) => !(hasActionsAlone && method === "POST"))
    .flatMap((method): Case[] => {
      const status = statusOf(method, isPage);
      if (!bindsIn(text, method)) return [{ method, status, body: undefined }];
      const refused = { method, status: 422, body: {} };
      return sample === undefined ? [refused] : [refused, { method, status, body: sample }];
    });
  if (!hasActionsAlone) return ofMethods;
  return [
    ...ofMethods,
    ...actions.map((action): Case => {
      const hasSchema = /\bc\.(bind|tryBind)\(/.test(actionText(text, { action, actions }));
      const [status, body] = hasSchema ? [422, {}] : [303, undefined];
      return { method: "POST", action, status, body };
    }),
  ];
}

function caseItem(
  path: UrlPath,
  { method, action, status, body, isPage }: Case & { readonly isPage: boolean },
): Item {
  const query = action === undefined ? "" : `?/${action}`;
  const name = status === 422 ? "refuses an empty body" : `answers ${status}`;
  const title = `${method} ${path.pattern}${query} ${name}`;
  const model = body === undefined ? "wantStatus" : isPage ? "withForm" : "withJson";
  return {
    models: [model],
    replace: () => [
      ['"GET /api/items/{slug} answers 200"', JSON.stringify(title)],
      ['"POST /api/items/{slug} refuses an empty form"', JSON.stringify(title)],
      ['"POST /api/items/{slug} refuses empty JSON"', JSON.stringify(title)],
      ['"/api/items/example"', JSON.stringify(sampleUrl(path.segments) + query)],
      ["GET", method],
      ["POST", method],
      ["200", String(status)],
      ["422", String(status)],
      ["({})", `(${JSON.stringify(body)})`],
    ],
  };
}

function statusOf(method: string, isPage: boolean): number {
  if (method === "GET") return 200;
  if (isPage) return 303;
  return method === "POST" ? 201 : method === "DELETE" || method === "OPTIONS" ? 204 : 200;
}

function bindsIn(text: string, method: string): boolean {
  const start = text.search(new RegExp(`export (async )?(function|const) ${method}\\b`));
  if (start === -1) return false;
  const end = text.indexOf("\nexport ", start);
  return /\bc\.(bind|tryBind|bindJson)\(/.test(text.slice(start, end === -1 ? undefined : end));
}

function actionText(
  text: string,
  { action, actions }: { readonly action: string; readonly actions: readonly string[] },
): string {
  const start = text.search(/export const Actions\b/);
  if (start === -1) return "";
  const source = text.slice(start);
  const placeOf = (name: string): number =>
    source.search(new RegExp(`^\\s+(?:async\\s+)?["']?${name}["']?\\s*[(:,]`, "m"));
  const at = placeOf(action);
  if (at === -1) return "";
  const ends = actions.map(placeOf).filter((place) => place > at);
  return source.slice(at, Math.min(source.length, ...ends));
}
