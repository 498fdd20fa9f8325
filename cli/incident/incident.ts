import { listIfThere, readTextIfThere, statIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { knownTexts } from "../project/settings/settings.ts";
import {
  escapeLines,
  type Incident,
  leftOutText,
  maxIncidentBytes,
  parseIncident,
  parseIncidentName,
} from "@fw/fw/addon";
import { join, resolve } from "@std/path";

const defaultFolder = ".fw/incidents";

/** Returns the given folder, else the configured one if it can be read, else the default. */
export async function findIncidentFolder(
  project: Project,
  options: { readonly from?: string | undefined } = {},
): Promise<string> {
  const { from } = options;
  if (from !== undefined) return resolve(project.root, from);
  const known = knownTexts(await project.settings(), "observability.incidents");
  return resolve(project.root, known.find((text) => text !== "") ?? defaultFolder);
}

/** Reads the incidents of a folder, newest first. */
export async function readIncidents(folder: string): Promise<Incident[]> {
  const files = (await listIfThere(folder)).flatMap(({ name, isFile }) => {
    const parsed = isFile ? parseIncidentName(name) : undefined;
    return parsed === undefined ? [] : [{ path: join(folder, name), timeMs: parsed.timeMs }];
  });
  const incidents: Incident[] = [];
  for (const { path } of files.sort((a, b) => b.timeMs - a.timeMs)) {
    if (((await statIfThere(path))?.size ?? Infinity) > maxIncidentBytes) continue;
    const incident = parseIncident(await readTextIfThere(path) ?? "");
    if (incident !== undefined) incidents.push(incident);
  }
  return incidents;
}

/** Returns the test, in which all client data is a quoted string or a one-line comment. */
export function incidentTest(incident: Incident): string {
  const { method, path, basePath, status, requestId, time } = incident;
  const settings = basePath === undefined ? "" : `{ config: { basePath: ${quote(basePath)} } }`;
  const options = [...headerOptions(incident), ...bodyOptions(incident)];
  const names = ["testApp", "testRequest", ...namesIn(options)];
  const args = [quote(method), quote(path), ...options].join(", ");
  return `import { ${names.join(", ")} } from "@fw/fw/testing";

${comments(incident)}Deno.test(${
    quote(
      `${method} ${
        path.replace(/\?.*/s, "")
      } does not answer ${status} (incident ${requestId}, ${time})`,
    )
  }, async () => {
  await using app = await testApp(${settings});
  const response = await testRequest(app, ${args});
${
    signedInHint(incident)
  }  // This fails with the error until the fault is fixed. Then replace the rest with the expected
  // response, such as response.wantStatus(200).
  if (response.status >= 500) response.wantStatus(200);
  throw new Error(
    \`Got \${response.status} in place of ${status}. Fix: add the rows and the user that the request needs. If the fault is fixed, replace this line with response.wantStatus(\${response.status}).\`,
  );
});
`;
}

function signedInHint({ leftOut }: Incident): string {
  if (!leftOut.includes("header cookie") && !leftOut.includes("header authorization")) return "";
  return `  // Cookies and tokens are never kept: sign a user in above if the route needs one, such as
  // with withUser(…) of @fw/fw/auth/testing. Without a user, the request would not reach the error.
`;
}

function comments({ leftOut, error }: Incident): string {
  // No stack trace: the test is committed, and a stack names local folders.
  const lines = [...leftOut.map((text) => `Left out: ${text}`), ...error.split("\n", 1)];
  // No line break, which would end the comment, and nothing that a terminal or an editor interprets.
  const safe = lines.map((line) => escapeLines(line).replace(/[\t\r\n\u2028\u2029]/g, " "));
  return safe.map((line) => `// ${line}`.trimEnd() + "\n").join("");
}

function quote(text: string): string {
  return escapeLines(JSON.stringify(text));
}

function headerOptions({ headers, body }: Incident): string[] {
  return Object.entries(headers)
    // The body sets its own.
    .filter(([name]) => name !== "content-type" || body === undefined)
    .map(([name, value]) => `withHeader(${quote(name)}, ${quote(value)})`);
}

function bodyOptions({ body, headers }: Incident): string[] {
  if (body === undefined) return [];
  if (body.kind === "text") return [`withBody(${quote(body.type)}, ${quote(body.text)})`];
  const isMultipart = headers["content-type"]?.startsWith("multipart/") === true;
  // Omitted values become a placeholder.
  const list = body.fields.map(({ name, value = leftOutText }) =>
    `[${quote(name)}, ${quote(value)}]`
  );
  const pairs = `[${list.join(", ")}] as [string, string][]`;
  return isMultipart
    ? [`withForm((() => {
      const form = new FormData();
      for (const [name, value] of ${pairs}) form.append(name, value);
      return form;
    })())`]
    : [`withForm(new URLSearchParams(${pairs}))`];
}

function namesIn(options: readonly string[]): string[] {
  return ["withBody", "withForm", "withHeader"].filter((name) =>
    options.some((option) => option.startsWith(`${name}(`))
  );
}
