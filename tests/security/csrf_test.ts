import { App, createLogger, type Handler, type Route } from "../../mod.ts";
import { requireCsrf } from "../../runtime/guard/csrf.ts";
import {
  type TestOption,
  testRoute,
  withApp,
  withBody,
  withCookie,
  withForm,
  withHeader,
  withJson,
  withoutCsrf,
} from "../../runtime/testing/mod.ts";
import { testHostile } from "./hostile.ts";

const token = "Zk9vQmFyQmF6UXV4Zk9vQmFyQmF6UXV4Zk9vQmFyQmF";
const names = { cookie: "fw_csrf", field: "_csrf", header: "X-CSRF-Token" };
const cookie = withCookie("fw_csrf", token);
const form = withForm({ _csrf: token });
const urlencoded = (body: string): TestOption =>
  withBody("application/x-www-form-urlencoded", body);
const multipart = (body: string): TestOption =>
  withBody("multipart/form-data; boundary=b", body.replaceAll("\n", "\r\n"));

/** Provides a silent log, because every refusal would be a line. */
const quiet = withApp(new App({ logger: createLogger({ write: () => {} }) }));

interface Outcome {
  readonly status: number;
  readonly hasRun: boolean;
}

const refused: Outcome = { status: 403, hasRun: false };

function send(options: readonly TestOption[], path = "/transfer"): () => Promise<Outcome> {
  return async () => {
    let hasRun = false;
    const handler = (): Response => {
      hasRun = true;
      return new Response("done");
    };
    const POST = requireCsrf(handler, names) as Handler;
    // Otherwise the application's check of every route would hide the function's own.
    const route: Route = { pattern: "/transfer", csrf: false, methods: { POST } };
    const response = await testRoute(route, "POST", path, quiet, withoutCsrf(), ...options);
    return { status: response.status, hasRun };
  };
}

const noCookie: readonly [name: string, options: TestOption[]][] = [
  ["a form token alone", [form]],
  ["a header token alone", [withHeader("x-csrf-token", token)]],
  ["an empty cookie", [withCookie("fw_csrf", ""), form]],
  ["an empty cookie and an empty field", [withCookie("fw_csrf", ""), withForm({ _csrf: "" })]],
  ["an empty cookie and header", [withCookie("fw_csrf", ""), withHeader("x-csrf-token", "")]],
  ["a quoted empty cookie", [withHeader("cookie", 'fw_csrf=""'), form]],
  ["a cookie in different case", [withCookie("FW_CSRF", token), form]],
  ["a cookie with a longer name", [withCookie("fw_csrf2", token), form]],
  ["a cookie with a prefix", [withCookie("__Host-fw_csrf", token), form]],
  ["a cookie hidden in another's value", [withHeader("cookie", `a="; fw_csrf2=${token}`), form]],
  ["a cookie with a control character", [withHeader("cookie", `fw_csrf=\u007f${token}`), form]],
  ["a cookie header of separators", [withHeader("cookie", ";;;=;==;"), form]],
];

/** Cookies that the framework never sets; the form always repeats the value. */
const badCookie: readonly [name: string, value: string][] = [
  ["one character", "x"],
  ["a prefix", token.slice(0, -1)],
  ["a longer text", `${token}A`],
  ["base64 in another alphabet", `${token.slice(0, -1)}+`],
  ["padding", `${token.slice(0, -1)}=`],
  ["a space", `${token.slice(0, 20)} ${token.slice(21)}`],
  ["a lookalike letter", `${token.slice(0, -1)}\u00e9`],
  ["two tokens", `${token},${token}`],
  ["undefined as text", "undefined"],
  ["4,000 characters", "A".repeat(4_000)],
];

/**
 * Two cookies of the same name, as after a sibling host planted one; the first matches the form.
 */
const twoCookies: readonly [name: string, header: string][] = [
  ["of one value", `fw_csrf=${token}; fw_csrf=${token}`],
  ["of two values", `fw_csrf=${token}; fw_csrf=${token.toUpperCase()}`],
  ["with others between", `fw_csrf=${token}; a=1; b=2; fw_csrf=x`],
  ["the second empty", `fw_csrf=${token}; fw_csrf=`],
  ["the second without a space", `fw_csrf=${token};fw_csrf=x`],
  ["the second with spaces", `fw_csrf=${token}; fw_csrf =x`],
  ["the second with a control character", `fw_csrf=${token}; fw_csrf=\u007f`],
  ["the second after 200 others", `fw_csrf=${token}; ${"a=1; ".repeat(200)}fw_csrf=x`],
  ["the second after longer names", `fw_csrf=${token}; xfw_csrf=1; fw_csrf2=1; fw_csrf=x`],
];

const noToken: readonly [name: string, options: TestOption[], path?: string][] = [
  ["nothing", []],
  ["an empty field", [withForm({ _csrf: "" })]],
  ["another field", [withForm({ csrf: token })]],
  ["a field in different case", [withForm({ _CSRF: token })]],
  ["a field with brackets", [withForm({ "_csrf[]": token })]],
  ["a field with a space", [withForm({ " _csrf": token })]],
  ["a field with a NUL", [withForm({ "_csrf\0": token })]],
  ["the query", [], `/transfer?_csrf=${token}`],
  ["the query of a form", [withForm({ a: "1" })], `/transfer?_csrf=${token}`],
  ["an empty form with the token in the query", [urlencoded("")], `/transfer?_csrf=${token}`],
  ["the cookie alone", [withHeader("x-csrf", token)]],
  ["another framework's header", [withHeader("x-xsrf-token", token)]],
  ["a JSON member", [withJson({ _csrf: token })]],
  ["a JSON body's prototype", [withBody("application/json", `{"__proto__":{"_csrf":"${token}"}}`)]],
  ["plain text that resembles a form", [withBody("text/plain", `_csrf=${token}`)]],
  ["a form without a type", [withBody("", `_csrf=${token}`)]],
  ["a type with its prefix", [withBody("application/x-www-form-urlencoded-x", `_csrf=${token}`)]],
  ["a form type in a parameter", [
    withBody("text/plain; a=application/x-www-form-urlencoded", `_csrf=${token}`),
  ]],
  ["two types", [withBody("text/plain, application/x-www-form-urlencoded", `_csrf=${token}`)]],
  ["a file with the field's name", [
    multipart(
      `--b\nContent-Disposition: form-data; name="_csrf"; filename="a"\n\n${token}\n--b--\n`,
    ),
  ]],
  ["a multipart form without parts", [multipart("--b--\n")]],
  ["a part with another name", [
    multipart(`--b\nContent-Disposition: form-data; name="x"\n\n${token}\n--b--\n`),
  ]],
];

const badToken: readonly [name: string, options: TestOption[]][] = [
  ["another token", [withForm({ _csrf: token.replace("Z", "z") })]],
  ["a prefix", [withForm({ _csrf: token.slice(0, -1) })]],
  ["a longer text", [withForm({ _csrf: `${token}A` })]],
  ["a text with a space", [withForm({ _csrf: ` ${token}` })]],
  ["a text with a line break", [withForm({ _csrf: `${token}\r\n` })]],
  ["a text with a NUL", [withForm({ _csrf: `${token}\0` })]],
  ["capitals", [withForm({ _csrf: token.toUpperCase() })]],
  ["quotes", [withForm({ _csrf: `"${token}"` })]],
  ["a percent sign", [withForm({ _csrf: `%${token}` })]],
  ["a token encoded twice", [withForm({ _csrf: encodeURIComponent(`%5a${token.slice(1)}`) })]],
  ["lookalike letters", [withForm({ _csrf: token.replace("y", "\u0443") })]],
  ["a million characters", [withForm({ _csrf: "x".repeat(1_000_000) })]],
  ["the true one second", [urlencoded(`_csrf=x&_csrf=${token}`)]],
  ["a wrong header over a correct field", [form, withHeader("x-csrf-token", "x")]],
  ["two headers in one", [withHeader("x-csrf-token", `${token}, ${token}`)]],
  ["undefined as text", [withForm({ _csrf: "undefined" })]],
  ["true as text", [withHeader("x-csrf-token", "true")]],
  ["in a part", [multipart(`--b\nContent-Disposition: form-data; name="_csrf"\n\nx\n--b--\n`)]],
];

testHostile("hostile forms", [
  ...noCookie.map(([name, options]) => [name, refused, send(options)] as const),
  ...badCookie.map(([name, value]) => {
    const options = [withHeader("cookie", `fw_csrf=${value}`), withForm({ _csrf: value })];
    return [`a malformed cookie: ${name}`, refused, send(options)] as const;
  }),
  ...twoCookies.map(([name, header]) =>
    [`two cookies: ${name}`, refused, send([withHeader("cookie", header), form])] as const
  ),
  ...noToken.map(([name, options, path]) =>
    [`no token: ${name}`, refused, send([cookie, ...options], path)] as const
  ),
  ...badToken.map(([name, options]) =>
    [`a wrong token: ${name}`, refused, send([cookie, ...options])] as const
  ),
]);
