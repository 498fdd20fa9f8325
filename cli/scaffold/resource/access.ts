/** Replaces the guards of the sample: who reads, who writes, and whether authors are recorded. */
import { sampleText } from "../sample.ts";
import type { Resource } from "./resource.ts";

export function isRoleName(role: string): boolean {
  return /^[\w.:-]{1,60}$/.test(role);
}

export function unauditedNames(
  { guard, role, writers, isPublic }: Resource,
): Readonly<Record<string, string>> {
  const own = role === undefined ? "require" : `requireRole(${JSON.stringify(role)})`;
  if (writers !== undefined) {
    return {
      [`  ${userRead};\n`]: isPublic === true ? "" : `  await ${guard}.${own}(c);\n`,
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

const userRead = "const { email, id } = await sessions.require(c)";

const historyComment =
  "  // Sets the author in the history. Names would not do, because two users may share one.\n";

const guardComment =
  `// Only for signed-in users. For a role, write sessions.requireRole("editor")(c) here, and check it
// in app/nav.ts and app/page.ts too.`;

export function roleNames(resource: Resource): Readonly<Record<string, string>> {
  const { guard, role, writers, isPublic, isAudited, names: { url } } = resource;
  const writer = {
    '"librarian"': JSON.stringify(writers ?? ""),
    'await withAccount(app, { role: "librarian" })': signedIn(resource, [role, writers]),
    'await withAccount(app, { email: "bob@example.org" })': signedIn(resource, [role], bob),
    ...resource.hasAccounts ? {} : Object.fromEntries(
      ["../../", "../../../"].map((path) => [
        `import { withAccount } from "${path}lib/account_testing.ts";`,
        'import { withUser } from "@fw/fw/auth/testing";\n' +
        `import { sessions } from "${path}lib/sessions.ts";`,
      ]),
    ),
  };
  if (isPublic === true) {
    return {
      ...writer,
      [guardComment]: isAudited
        ? "// All clients see the rows. Only users with the role change them and see deleted ones."
        : "// All clients see the rows, and only users with the role change them.",
      // The sample is guarded, so its own test expects the sign-in.
      '/1").wantStatus(302)': '/1").wantStatus(200).wantNotContains("/edit")',
      [userRead]: `if (!isWrite) return await next();\n  ${
        userRead.replace("sessions", String(guard))
      }`,
      ...isAudited ? hiddenNames(resource) : {},
    };
  }
  if (role === undefined) return writer;
  const text = JSON.stringify(role);
  const other = `const other = newTestClient(app`;
  return {
    ...writer,
    [guardComment]: "// Only for users with the role, as in app/nav.ts and app/page.ts.",
    "sessions.require(c)": `${guard}.requireRole(${text})(c)`,
    "await sessions.user(c) === undefined": `!(await ${guard}.user(c))?.roles.includes(${text})`,
    "// Others see": "// Users without the role see",
    [`${other})`]: `${other}, ${signedIn(resource, [], bob)})`,
    "get(path).wantStatus(302)": "get(path).wantStatus(403)",
    "wantStatus(401)": "wantStatus(403)",
    'get("/").wantNotContains': `get("/").wantNotContains('"/${url}"').wantNotContains`,
  };
}

/** Shows deleted rows, and the history with the addresses of its authors, to users with the role alone. */
function hiddenNames({ names, guard, writers }: Resource): Readonly<Record<string, string>> {
  const store = `use(c, ${names.many})`;
  const isWriter =
    `const isWriter = (await ${guard}.user(c))?.roles.includes("${writers}") === true;
  `;
  const file = 'bytes } = await use(c, BookLoans).getFile(c.param("id", int())';
  return {
    "const isWrite = ": 'const isWrite = c.url.searchParams.getAll("deleted").some(Boolean) || ',
    'const row = await use(c, BookLoans).get(c.param("id", int()),':
      `${isWriter}const row = await ${store}.get(c.param("id", int()),`,
    "{ deleted: true }": "{ deleted: isWriter }",
    "await use(c, BookLoans).changes(row.id)": `isWriter ? await ${store}.changes(row.id) : []`,
    "const store = use(c, BookLoans);\n  const title": `${isWriter}const store = ${store};
  const title`,
    "(await store.newestChanges(5))": "(isWriter ? await store.newestChanges(5) : [])",
    ...Object.fromEntries(["mime", "name"].map((fact) => [
      `const { hash, ${fact}, ${file}`,
      `// The file of a deleted row is a 404.
  const { id } = await ${store}.get(c.param("id", int()));
  const { hash, ${fact}, bytes } = await ${store}.getFile(id`,
    ])),
  };
}

const bob = 'email: "bob@example.org"';

/** Returns the option of a test client for a user with roles, who is another one with an email. */
function signedIn(
  { guard, hasAccounts }: Resource,
  roles: readonly (string | undefined)[],
  email?: string,
): string {
  const held = roles.filter((each) => each !== undefined);
  const listed = held.map((each) => JSON.stringify(each)).join(", ");
  const given = hasAccounts
    ? [email, held.length === 0 ? undefined : `role: ${JSON.stringify(held.join(" "))}`]
    : [held.length === 0 ? undefined : `roles: [${listed}]`];
  const options = given.filter((each) => each !== undefined).join(", ");
  const call = hasAccounts ? "await withAccount(app" : `withUser(${guard}`;
  return `${call}${options === "" ? "" : `, { ${options} }`})`;
}
