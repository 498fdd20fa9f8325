/** Replaces the guards of the sample: who reads, who writes, and whether authors are recorded. */
import { sampleText } from "../sample.ts";
import type { Resource } from "./resource.ts";

export function isRoleName(role: string): boolean {
  return /^[\w.:-]{1,60}$/.test(role);
}

/** Returns the replacements for a resource without a history. */
export function unauditedNames(
  { guard, role, writers }: Resource,
): Readonly<Record<string, string>> {
  const own = role === undefined ? "require" : `requireRole(${JSON.stringify(role)})`;
  if (writers !== undefined) {
    return {
      "const { email, id } = await sessions.require(c)": `await ${guard}.${own}(c)`,
      [historyComment]: "",
      "await changedBy(email ?? `#${id}`, next)": "await next()",
    };
  }
  const [named = ""] = /^export [^]*/m.exec(sampleText("kit/app/book-loans/middleware.ts")) ?? [];
  return {
    [named]: `export const Middleware = ${guard}.${own};\n`,
    'requireRole("editor")(c)': 'requireRole("editor")',
  };
}

const historyComment =
  "  // Sets the author in the history. Names would not do, because two users may share one.\n";

const guardComment =
  `// Only for signed-in users. For a role, write sessions.requireRole("editor")(c) here, and check it
// in app/nav.ts and app/page.ts too.`;

/** Returns the replacements for a resource that only users with a role see. */
export function roleNames(
  { guard, role, writers, names: { url } }: Resource,
): Readonly<Record<string, string>> {
  const roles = [role, writers].filter((each) => each !== undefined);
  const writer = {
    '"librarian"': JSON.stringify(writers ?? ""),
    'withUser(sessions, { roles: ["librarian"] })': roles.length === 0
      ? `withUser(${guard})`
      : `withUser(${guard}, { roles: [${roles.map((each) => JSON.stringify(each)).join(", ")}] })`,
  };
  if (role === undefined) return writer;
  const text = JSON.stringify(role);
  return {
    ...writer,
    [guardComment]: "// Only for users with the role, as in app/nav.ts and app/page.ts.",
    "sessions.require(c)": `${guard}.requireRole(${text})(c)`,
    "await sessions.user(c) === undefined": `!(await ${guard}.user(c))?.roles.includes(${text})`,
    "// Others see": "// Users without the role see",
    "withUser(sessions)": `withUser(${guard}, { roles: [${text}] })`,
    "const other = newTestClient(app)": `const other = newTestClient(app, withUser(${guard}))`,
    "get(path).wantStatus(302)": "get(path).wantStatus(403)",
    "wantStatus(401)": "wantStatus(403)",
    'get("/").wantNotContains': `get("/").wantNotContains('"/${url}"').wantNotContains`,
  };
}
