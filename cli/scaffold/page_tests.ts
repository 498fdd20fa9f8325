/** The tests of pages and routes. */
import { dirname, join } from "@std/path";
import { type Operation, reachOperations } from "../facts/operations.ts";
import { protectionOf } from "../facts/protection.ts";
import { exitCodes, type Io } from "../io.ts";
import { statIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { openEdits } from "./edits.ts";
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
  const { messages } = project;
  const file = `${dirname(route.file.path)}/${route.file.base}_test.ts`;
  // A handler generated here accepts every parameter; other handlers may not.
  const looksUp = sample === undefined &&
    path.segments.some((segment) => segment.kind !== "literal");
  const url = sampleUrl(path.segments);
  const operations = await reachOperations(project);
  const own = operations.list.filter((each) => each.route.pattern === path.pattern);
  const guards = [
    ...new Set(own.flatMap((operation) => protectionOf(operation, operations).guards)),
  ];
  const hasAccounts = await statIfThere(join(project.root, accountFile)) !== undefined;
  const edits = await openEdits(project);
  const role = roleOf(guards);
  const isPage = route.file.base === "page";
  const made = renderSample("kit/app/api/items/slug_/route_test.ts", file, {
    names: {
      [url]: url,
      "testRequest, withForm }": "testRequest, withForm, withJson }",
      "/api/items/example": url,
      "../../../../lib/account_testing.ts": edits.style(accountFile, file),
      ', { role: "editor" }': role === undefined ? "" : `, { role: ${JSON.stringify(role)} }`,
      "{guards}": guards.join(", "),
    },
    parts: {
      account: guards.length > 0 && hasAccounts,
      guard: guards.length > 0 && !hasAccounts,
      lookup: looksUp,
    },
    lists: {
      // A case for each method and each action.
      case: {
        models: ["withForm", "wantStatus"],
        items: own.flatMap((operation) => casesOf(operation, { isPage, sample }))
          .map((each) => caseItem(path, { ...each, isPage })),
      },
    },
  });
  edits.put(made);
  await edits.write(io);
  const hint = looksUp ? `${messages.generateTestSample(url)}\n` : "";
  io.stdout(`${hint}${messages.generateTestHint(file)}\n`);
  return exitCodes.ok;
}

const accountFile = "lib/account_testing.ts";

/** Returns the first role that a guard accepts; a role in code is the developer's to write. */
function roleOf(guards: readonly string[]): string | undefined {
  if (guards.includes("requireAdmin")) return "admin";
  const [, role] = guards.map((guard) => /^requireRole\(([^,)…]+)/.exec(guard)).find(Boolean) ?? [];
  return role;
}

interface Case extends Pick<Operation, "method" | "action"> {
  readonly status: number;
  readonly body: Readonly<Record<string, string>> | undefined;
}

/** Returns the cases of an operation: one with a schema refuses an empty body. */
function casesOf(
  { method, action, handler }: Operation,
  { isPage, sample }: { readonly isPage: boolean; readonly sample: Case["body"] },
): readonly Case[] {
  const answered = { method, action, status: statusOf(method, isPage), body: sample };
  const hasSchema = /\bc\.(?:bind|tryBind|bindJson)\(/.test(handler?.node.getText() ?? "");
  if (!hasSchema) return [{ ...answered, body: undefined }];
  const refused = { ...answered, status: 422, body: {} };
  return sample === undefined ? [refused] : [refused, answered];
}

function caseItem(
  path: UrlPath,
  { method, action, status, body, isPage }: Case & { readonly isPage: boolean },
): Item {
  const query = action === undefined ? "" : `?/${action}`;
  const name = status === 422 ? "refuses an empty body" : `answers ${status}`;
  const title = `${method} ${path.pattern}${query} ${name}`;
  return {
    models: [body === undefined ? "wantStatus" : "withForm"],
    replace: () => [
      ['"GET /api/items/{slug} answers 200"', JSON.stringify(title)],
      ['"POST /api/items/{slug} refuses an empty form"', JSON.stringify(title)],
      ["withForm", isPage ? "withForm" : "withJson"],
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
