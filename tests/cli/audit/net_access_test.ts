import { assertStringIncludes } from "@std/assert";
import { checkNetAccess } from "../../../cli/audit/permissions.ts";
import { type Files, inProject, page } from "../support.ts";
import { type AuditRow, factsOf, testRows } from "./rows.ts";

/** A project whose start task has these flags, after these variables. */
function project(flags: string, variables = ""): Files {
  const start = `${variables} deno run ${flags} fw_gen.ts`.trim();
  return { "deno.json": JSON.stringify({ tasks: { start } }) };
}

const mail = { FW_MAIL_URL: "https://mail.example/send" };

const rows: readonly AuditRow[] = [
  { name: "net-access: no start task", check: checkNetAccess, env: mail, want: ["ok"] },
  {
    name: "net-access: no variable that names a service",
    check: checkNetAccess,
    files: project("--allow-net=127.0.0.1"),
    env: { FW_ORIGIN: "https://club.example" },
    want: ["ok"],
  },
  {
    name: "net-access: a mail service that the flags do not grant",
    check: checkNetAccess,
    files: project("--allow-net=0.0.0.0,127.0.0.1"),
    env: mail,
    want: ["warning FW_MAIL_URL is at mail.example:443, which the start task may not reach"],
    at: "deno.json",
  },
  {
    name: "net-access: a provider, and a variable of the task itself",
    check: checkNetAccess,
    files: project("-N=127.0.0.1", "FW_OIDC_ISSUER=http://id.example:8080/realm"),
    env: mail,
    want: [
      "warning FW_MAIL_URL is at mail.example:443",
      "warning FW_OIDC_ISSUER is at id.example:8080",
    ],
    at: "deno.json",
  },
  {
    name: "net-access: another port",
    check: checkNetAccess,
    files: project("--allow-net=mail.example:8443"),
    env: mail,
    want: ["warning FW_MAIL_URL"],
    at: "deno.json",
  },
  {
    name: "net-access: no flag at all",
    check: checkNetAccess,
    files: project(""),
    env: mail,
    want: ["warning FW_MAIL_URL"],
    at: "deno.json",
  },
  {
    name: "net-access: a value that is no URL",
    check: checkNetAccess,
    files: project(""),
    env: { FW_MAIL_URL: "mail" },
    want: ["ok"],
  },
  ...[
    "-A",
    "--allow-net",
    "-N",
    "--permission-set",
    "-P=web",
    "--allow-net=mail.example",
    "--allow-net=MAIL.example:443",
    "--allow-net=127.0.0.1 -N=mail.example:443",
    "--allow-net=*.example",
  ].map((flags): AuditRow => ({
    name: `net-access: granted by ${flags}`,
    check: checkNetAccess,
    files: project(flags),
    env: mail,
    want: ["ok"],
  })),
  {
    name: "net-access: an address of IPv6",
    check: checkNetAccess,
    files: project("--allow-net=[::1]:25"),
    env: { FW_MAIL_URL: "http://[::1]:25/" },
    want: ["ok"],
  },
];
testRows(rows);

Deno.test("audit: net-access: the fix is the flag with the host added", async () => {
  const files = { ...project("--allow-net=0.0.0.0,127.0.0.1"), "app/page.ts": page };
  await inProject(files, async (root) => {
    const [finding] = await checkNetAccess(await factsOf(root, mail));
    assertStringIncludes(
      finding?.fix ?? "",
      "Use --allow-net=0.0.0.0,127.0.0.1,mail.example:443 in the start task.",
    );
  });
});
