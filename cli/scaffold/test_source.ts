/**
 * The test that `fw generate test` writes.
 *
 * @module
 */
import type { Route } from "../project/routes/table.ts";
import { sampleUrl, type UrlPath } from "./url_path.ts";
import type { TestSignIn } from "./test_sign_in.ts";

export interface TestOptions {
  readonly route: Pick<Route, "methods" | "file">;
  /** The text of the route's file: a handler with a schema refuses an empty body. */
  readonly text: string;
  /** A body that the schema accepts, if it is known. */
  readonly sample?: Readonly<Record<string, string>>;
  /** Whether the handler may look its parameters up and accept only some. */
  readonly looksUp: boolean;
  /** How the test gets past the guards of the route. */
  readonly signIn: TestSignIn;
}

/** Returns a test with one case per method. */
export function testSource(path: UrlPath, options: TestOptions): string {
  const { route, looksUp, signIn } = options;
  const isPage = route.file.base === "page";
  const { actions, names } = route.file;
  // Without a `POST` of its own, a page answers those of its actions alone.
  const hasActionsAlone = isPage && actions.length > 0 && !names.has("POST");
  const methods = route.methods.filter((method) => !(hasActionsAlone && method === "POST"));
  const ofActions = hasActionsAlone
    ? actions.map((action) => actionCase(path, { action, actions, text: options.text, signIn }))
    : [];
  const ofMethods = methods.flatMap((method) => {
    const hasSchema = bindsIn(options.text, method);
    const refused = testCase(path, {
      method,
      status: statusOf(method, { isPage, hasSchema }),
      body: hasSchema ? {} : undefined,
      isPage,
      signIn,
    });
    if (!hasSchema || options.sample === undefined) return [refused];
    const status = statusOf(method, { isPage, hasSchema: false });
    return [refused, testCase(path, { method, status, body: options.sample, isPage, signIn })];
  });
  const cases = [...ofMethods, ...ofActions];
  const url = sampleUrl(path.segments);
  const note = looksUp
    ? `// Put an address in the place of ${url} for which the application has something.\n`
    : "";
  const { account, guards } = signIn;
  const imported = account === undefined
    ? ""
    : `import { withAccount } from ${JSON.stringify(account.module)};\n`;
  const config = account === undefined
    ? ""
    : '// The accounts of the tests are in memory.\nconst config = { variables: { FW_DB: ":memory:" } };\n\n';
  const guarded = account === undefined && guards.length > 0
    ? `// The guard ${
      guards.join(", ")
    } refuses a request without a session: add a sign-in to each request,\n` +
      '// such as withUser(sessions) of "@fw/fw/auth/testing".\n'
    : "";
  return `import { ${importsOf(cases)} } from "@fw/fw/testing";
${imported}
${config}${guarded}${note}${cases.join("\n")}`;
}

/** Returns a test of one action: with a schema it refuses an empty form, without it redirects. */
function actionCase(
  path: UrlPath,
  { action, actions, text, signIn }: {
    readonly action: string;
    readonly actions: readonly string[];
    readonly text: string;
    readonly signIn: TestSignIn;
  },
): string {
  const own = actionText(text, { action, actions });
  const hasSchema = /\bc\.(bind|tryBind)\(/.test(own);
  const status = hasSchema ? 422 : 303;
  const body = hasSchema ? {} : undefined;
  return testCase(path, { method: "POST", action, status, body, isPage: true, signIn });
}

/** Returns the source from an action to the next one. */
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

interface CaseOptions {
  readonly method: string;
  /** The action of a page, which the query names. */
  readonly action?: string;
  readonly status: number;
  /** The body, if the handler has a schema. */
  readonly body: Readonly<Record<string, string>> | undefined;
  readonly isPage: boolean;
  readonly signIn: TestSignIn;
}

function testCase(path: UrlPath, options: CaseOptions): string {
  const { method, action, status, isPage, signIn: { account } } = options;
  const query = action === undefined ? "" : `?/${action}`;
  const sent = JSON.stringify(options.body ?? {});
  const body = options.body === undefined
    ? ""
    : isPage
    ? `, withForm(${sent})`
    : `, withJson(${sent})`;
  const role = account?.role === undefined ? "" : `, { role: ${JSON.stringify(account.role)} }`;
  const [setting, user] = account === undefined
    ? ["", ""]
    : ["{ config }", `, withAccount(app${role})`];
  const name = status === 422
    ? `${method} ${path.pattern}${query} refuses an empty body`
    : `${method} ${path.pattern}${query} answers ${status}`;
  const url = JSON.stringify(sampleUrl(path.segments) + query);
  return `Deno.test(${JSON.stringify(name)}, async () => {
  await using app = await testApp(${setting});
  const response = await testRequest(app, "${method}", ${url}${body}${user});
  response.wantStatus(${status});
});
`;
}

function statusOf(
  method: string,
  options: { readonly isPage: boolean; readonly hasSchema: boolean },
): number {
  if (options.hasSchema) return 422;
  if (method === "GET") return 200;
  if (options.isPage) return 303;
  return method === "POST" ? 201 : method === "DELETE" || method === "OPTIONS" ? 204 : 200;
}

/** Reports whether the handler of a method reads its body with a schema. */
function bindsIn(text: string, method: string): boolean {
  const start = text.search(new RegExp(`export (async )?(function|const) ${method}\\b`));
  if (start === -1) return false;
  const end = text.indexOf("\nexport ", start);
  return /\bc\.(bind|tryBind|bindJson)\(/.test(text.slice(start, end === -1 ? undefined : end));
}

function importsOf(cases: readonly string[]): string {
  const text = cases.join("");
  return ["testApp", "testRequest", "withForm", "withJson"].filter((name) =>
    text.includes(`${name}(`)
  ).join(
    ", ",
  );
}
