import { assertEquals } from "@std/assert";
import { p } from "../../../html/mod.ts";
import { App, type Ctx, notFound, Off, type Settings } from "../../../mod.ts";
import { allowFormActions } from "../../../runtime/addon.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";

const id = ["https://id.example"];
const pay = ["https://pay.example", "https://id.example"];

const rows: readonly [
  name: string,
  security: NonNullable<Settings["security"]>,
  act: (c: Ctx) => void,
  want: string | undefined,
][] = [
  ["nothing", {}, () => {}, "form-action 'self'"],
  ["an origin", {}, (c) => allowFormActions(c, id), "form-action 'self' https://id.example"],
  [
    "the same list twice",
    {},
    (c) => [id, id].forEach((origins) => allowFormActions(c, origins)),
    "form-action 'self' https://id.example",
  ],
  [
    "two lists",
    {},
    (c) => [id, pay].forEach((origins) => allowFormActions(c, origins)),
    "form-action 'self' https://id.example https://pay.example",
  ],
  [
    "an origin to custom sources",
    { cspExtra: { "form-action": ["https://forms.example"] } },
    (c) => allowFormActions(c, id),
    "form-action 'self' https://forms.example https://id.example",
  ],
  [
    "an origin to a policy that forbids forms",
    { csp: "default-src 'self'; form-action 'none'" },
    (c) => allowFormActions(c, id),
    "form-action 'none'",
  ],
  ["no form-action", { csp: "default-src 'self'" }, (c) => allowFormActions(c, id), undefined],
];

for (const [name, security, act, want] of rows) {
  for (const kind of ["page", "response", "error page"]) {
    Deno.test(`allowFormActions adds ${name}: ${kind}`, async () => {
      const app = new App({ security, logRequest: Off });
      app.route({
        pattern: "/",
        kind: "page",
        page: (c) => {
          act(c);
          if (kind === "page") return p("hello");
          if (kind === "error page") return notFound();
          return new Response("<p>hello", { headers: { "content-type": "text/html" } });
        },
      });
      const response = await testRequest(app, "GET", "/");
      const policy = response.header("content-security-policy") ?? "";
      assertEquals(/form-action [^;]*/.exec(policy)?.[0], want);
    });
  }
}
