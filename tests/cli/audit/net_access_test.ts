import { assertStringIncludes } from "@std/assert";
import { checks } from "../../../cli/audit/checks.ts";
import { type Files, inProject, page } from "../support.ts";
import { type AuditRow, factsOf, testRows } from "./rows.ts";

function project(flags: string, variables = ""): Files {
  const start = `${variables} deno run ${flags} fw_gen.ts`.trim();
  return { "deno.json": JSON.stringify({ tasks: { start } }) };
}

const mail = { FW_MAIL_URL: "https://mail.example/send" };

testRows("net-access", checks["net-access"], [
  ["no start task", "ok", mail],
  ["no service", "ok", { FW_ORIGIN: "https://club.example", ...project("--allow-net=127.0.0.1") }],
  [
    "a mail service missing from the flags",
    "warning FW_MAIL_URL is at mail.example:443, which the start task may not reach at deno.json",
    { ...mail, ...project("--allow-net=0.0.0.0,127.0.0.1") },
  ],
  [
    "a provider, and a variable of the task",
    [
      "warning FW_MAIL_URL is at mail.example:443 at deno.json",
      "warning FW_OIDC_ISSUER is at id.example:8080",
    ],
    { ...mail, ...project("-N=127.0.0.1", "FW_OIDC_ISSUER=http://id.example:8080/realm") },
  ],
  ["a host with the same end", "warning FW_MAIL_URL at deno.json", {
    ...mail,
    ...project("--allow-net=il.example,*.ail.example"),
  }],
  ["another port", "warning FW_MAIL_URL at deno.json", {
    ...mail,
    ...project("--allow-net=mail.example:8443"),
  }],
  ["no flag at all", "warning FW_MAIL_URL at deno.json", { ...mail, ...project("") }],
  ["a value that is not a URL", "ok", { FW_MAIL_URL: "mail", ...project("") }],
  ...[
    ..."-A --allow-net -N --permission-set -P=web --allow-net=mail.example".split(" "),
    "--allow-net=MAIL.example:443",
    "--allow-net=127.0.0.1 -N=mail.example:443",
    "--allow-net=*.example",
  ].map((flags): AuditRow => [`granted by ${flags}`, "ok", { ...mail, ...project(flags) }]),
  ["an IPv6 host", "ok", { FW_MAIL_URL: "http://[::1]:25/", ...project("--allow-net=[::1]:25") }],
]);

Deno.test("audit: net-access: the fix is the flag with the host added", () =>
  inProject({ ...project("--allow-net=0.0.0.0,127.0.0.1"), "app/page.ts": page }, async (root) => {
    const [finding] = await checks["net-access"](await factsOf(root, mail));
    assertStringIncludes(
      finding?.fix ?? "",
      "Use --allow-net=0.0.0.0,127.0.0.1,mail.example:443 in the start task.",
    );
  }));
