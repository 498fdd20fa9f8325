import type { HeaderPair } from "../base/headers.ts";
import { Off, type SecuritySettings } from "../base/config/settings.ts";
import {
  type DefaultHeaders,
  type DefaultHeaderSets,
  guardHeaders,
  privateControl,
} from "../request/stage.ts";
import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { contexts } from "../request/request_ctx.ts";

const none: DefaultHeaders = {
  empty: [],
  redirect: [],
  data: [],
  document: [],
  file: [],
  page: [],
  csp: undefined,
};

/** Compiles the headers: all on documents, elsewhere those that browsers honour (OWASP); HSTS over HTTPS. */
export function compileSecureHeaders(security: SecuritySettings): DefaultHeaderSets {
  const csp = compileCsp(security);
  const transport = header(security, "strictTransportSecurity");
  const http = listHeaders(security, csp, []);
  const https = transport.length === 0 ? http : listHeaders(security, csp, transport);
  const sets = security.delegated === true ? { http: none, https: none } : { http, https };
  return { ...sets, guarded: guardHeaders(sets) };
}

function listHeaders(
  security: SecuritySettings,
  csp: Csp | undefined,
  transport: readonly HeaderPair[],
): DefaultHeaders {
  const type = header(security, "contentTypeOptions");
  const referrer = header(security, "referrerPolicy");
  const opener = header(security, "crossOriginOpenerPolicy");
  const frame = header(security, "frameOptions");
  const permissions = header(security, "permissionsPolicy");
  const shown = [...frame, ...type, ...referrer, ...permissions, ...opener, ...transport];
  const withPolicy = (policy: string | undefined): readonly HeaderPair[] =>
    policy === undefined ? shown : [["content-security-policy", policy], ...shown];
  return {
    empty: transport,
    // Browsers apply both to the redirect too: without them the next page would lose its opener.
    redirect: [...referrer, ...opener, ...transport],
    data: [...type, ...transport],
    document: withPolicy(csp?.document),
    file: withPolicy(csp?.file),
    // Its policy contains a nonce, which a shared cache would send to all visitors.
    page: csp === undefined ? shown : [...shown, ["cache-control", privateControl]],
    csp: csp?.page,
  };
}

const referrerPolicies =
  /^(?:no-referrer|no-referrer-when-downgrade|same-origin|origin|strict-origin|origin-when-cross-origin|strict-origin-when-cross-origin|unsafe-url)$/;

const openerPolicies =
  /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups|unsafe-none)$/;

type Rule = readonly [name: string, fallback: string, accepts: RegExp, fix: string];

const rules = {
  frameOptions: [
    "x-frame-options",
    "DENY",
    /^(?:DENY|SAMEORIGIN)$/,
    'write "DENY" or "SAMEORIGIN"; other sites go into cspExtra["frame-ancestors"]',
  ],
  contentTypeOptions: ["x-content-type-options", "nosniff", /^nosniff$/, 'write "nosniff"'],
  referrerPolicy: [
    "referrer-policy",
    "strict-origin-when-cross-origin",
    referrerPolicies,
    `write one of ${namesOf(referrerPolicies)}`,
  ],
  permissionsPolicy: [
    "permissions-policy",
    "camera=(), geolocation=(), microphone=()",
    /^[a-z-]+=[\x20-\x7e]+$/,
    'write a policy such as "camera=(), geolocation=(self)"',
  ],
  crossOriginOpenerPolicy: [
    "cross-origin-opener-policy",
    "same-origin",
    openerPolicies,
    `write one of ${namesOf(openerPolicies)}`,
  ],
  strictTransportSecurity: [
    "strict-transport-security",
    // One year. Excludes subdomains, because the application does not know whether all of them support HTTPS.
    "max-age=31536000",
    /^max-age=\d+(?:; *includeSubDomains)?(?:; *preload)?$/i,
    'write seconds, such as "max-age=31536000; includeSubDomains"',
  ],
} satisfies Readonly<Record<string, Rule>>;

function namesOf({ source }: RegExp): string {
  return source.slice("^(?:".length, -")$".length).replaceAll("|", ", ");
}

function header(security: SecuritySettings, setting: keyof typeof rules): readonly HeaderPair[] {
  const [name, fallback, accepts, fix]: Rule = rules[setting];
  const value = security[setting];
  if (value === Off) return [];
  if (value === undefined) return [[name, fallback]];
  const parts = setting === "referrerPolicy" ? String(value).split(/, */) : [String(value)];
  if (typeof value === "string" && parts.every((part) => accepts.test(part))) {
    return [[name, value]];
  }
  throw new TypeError(
    `Cannot set config.security.${setting} to "${value}": ${fix}, or Off to leave the header out.`,
  );
}

/** The policies of an application (Content Security Policy, level 3). */
interface Csp {
  readonly page: (nonce: string, formActions?: readonly string[]) => string;
  readonly file: string;
  readonly document: string;
}

const placeholder = "{nonce}";

type Directives = Map<string, readonly string[]>;

/**
 * Returns the default policy of HTML: scripts and styles come from the site itself or carry the nonce, and
 * framing, a foreign base and forms to other sites are blocked. Style attributes are allowed, since an
 * attacker who can inject one can inject text as well, and charts and meters are drawn with them.
 */
function defaultDirectives(frameAncestors: string): Directives {
  return new Map([
    ["default-src", ["'self'"]],
    ["script-src", ["'self'", `'nonce-${placeholder}'`]],
    ["style-src", ["'self'", `'nonce-${placeholder}'`]],
    ["style-src-attr", ["'unsafe-inline'"]],
    ["img-src", ["'self'", "data:"]],
    ["object-src", ["'none'"]],
    ["base-uri", ["'none'"]],
    ["form-action", ["'self'"]],
    ["frame-ancestors", [frameAncestors]],
  ]);
}

/** The policy of SVG, XML and PDF without its `frame-ancestors`: an uploaded image must not run scripts. */
const documentPolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors ";

/** Compiles the policies of an application; `undefined` where the policy is off. */
export function compileCsp(security: SecuritySettings): Csp | undefined {
  const { csp, cspExtra = {}, frameOptions } = security;
  if (csp === Off) return undefined;
  const frameAncestors = frameOptions === "SAMEORIGIN" ? "'self'" : "'none'";
  const directives = csp === undefined ? defaultDirectives(frameAncestors) : parsePolicy(csp);
  for (const [name, sources] of Object.entries(cspExtra)) addSources(directives, name, sources);
  const parts = writePolicy(directives).split(placeholder);
  return {
    page: (nonce, formActions) => {
      const policy = parts.join(nonce);
      return formActions === undefined ? policy : withFormActions(policy, formActions);
    },
    file: writePolicy(withoutNonce(directives)),
    document: documentPolicy +
      (directives.get("frame-ancestors")?.join(" ") ?? frameAncestors),
  };
}

function parsePolicy(csp: string): Directives {
  const fail = (reason: string): never => {
    throw new TypeError(`Cannot set config.security.csp to "${csp}": ${reason}.`);
  };
  if (!/^[\x20-\x7e]+$/.test(csp)) fail("write one line of printable ASCII, or Off");
  if (csp.includes(",")) fail("a comma begins a second policy; write one policy");
  const directives: Directives = new Map();
  for (const text of csp.split(";")) {
    const [name = "", ...sources] = text.trim().split(/ +/);
    if (name === "") continue;
    if (!/^[a-z]+(?:-[a-z]+)*$/.test(name)) {
      fail(`"${name}" is not a directive; write names such as script-src`);
    }
    if (directives.has(name)) fail(`"${name}" appears twice, and browsers drop the second`);
    directives.set(name, sources);
  }
  if (directives.size === 0) fail("it has no directive; write Off to send no policy");
  return directives;
}

/** The directives that replace a missing one (CSP level 3, section 6.8.3). */
const fallbacks: Readonly<Record<string, string>> = {
  "script-src-elem": "script-src",
  "script-src-attr": "script-src",
  "worker-src": "script-src",
  "style-src-elem": "style-src",
  "style-src-attr": "style-src",
  "frame-src": "child-src",
};

function addSources(directives: Directives, name: string, sources: readonly string[]): void {
  // A custom policy may use directives newer than this version.
  if (!directiveNames.includes(name) && !directives.has(name)) {
    throw new TypeError(
      `Cannot set config.security.cspExtra["${name}"]: there is no such directive; write the name ` +
        "of one, such as img-src.",
    );
  }
  for (const source of sources) {
    if (/^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/.test(source)) continue;
    throw new TypeError(
      `Cannot set config.security.cspExtra["${name}"] to "${source}": write one source per entry, such as "https://cdn.example".`,
    );
  }
  const present = inherited(directives, name).filter((source) => source !== "'none'");
  directives.set(name, [...new Set([...present, ...sources])]);
}

function inherited(directives: Directives, name: string): readonly string[] {
  const own = directives.get(name);
  if (own !== undefined) return own;
  const fallback = fallbacks[name];
  if (fallback !== undefined) return inherited(directives, fallback);
  return name.endsWith("-src") && name !== "default-src" ? directives.get("default-src") ?? [] : [];
}

export function writePolicy(directives: Iterable<readonly [string, readonly string[]]>): string {
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}

/** Adds origins to `form-action`; a policy that allows any target, or none, is unchanged. */
function withFormActions(policy: string, origins: readonly string[]): string {
  return policy.replace(
    /(?<=^|; )form-action (?!'none')[^;]*/,
    (directive) => [directive, ...origins].join(" "),
  );
}

/** Returns the policy for content without a nonce: a directive that allowed only the nonce allows nothing. */
function withoutNonce(directives: Directives): Directives {
  return new Map(
    [...directives].map(([name, sources]) => {
      const kept = sources.filter((source) => !source.includes(placeholder));
      return [name, kept.length === 0 && sources.length > 0 ? ["'none'"] : kept];
    }),
  );
}

const batch = 128;

/** Bytes of a nonce: 18 are 24 base64 characters without padding. */
const nonceBytes = 18;
const nonceChars = 24;
const bytes = new Uint8Array(batch * nonceBytes);
let pool = "";
let used = 0;

/** A valid nonce (CSP level 3, section 2.3.1). */
const nonceText = /^(?=.{1,256}$)[A-Za-z0-9+/_-]+={0,2}$/;

/** Implements `c.nonce`: that of the host application, else 144 fresh random bits. */
export function requestNonce(c: Ctx, { nonce }: Pick<SecuritySettings, "nonce">): string {
  const given = nonce && hostNonce(c, nonce);
  if (given) return given;
  if (used >= pool.length) {
    pool = crypto.getRandomValues(bytes).toBase64();
    used = 0;
  }
  return pool.slice(used, used += nonceChars);
}

function hostNonce(c: Ctx, nonce: (request: Request) => string | undefined): string | undefined {
  try {
    const given = nonce(c.request);
    if (given === undefined || given === "" || nonceText.test(given)) return given;
    // An invalid nonce could add directives to the policy.
    c.log.error("config.security.nonce returned an invalid nonce; write base64");
  } catch (error) {
    // The error page needs a nonce as well, even for a request whose URL cannot be parsed.
    c.log.error("config.security.nonce failed", { error });
  }
  return undefined;
}

/**
 * Returns the attribute that allows a `script` or `style` element under the Content Security Policy.
 *
 * @returns `nonce="…"`, with the nonce of this response.
 * @example
 * ```ts
 * import { type Ctx, nonceAttr } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 *
 * const page = (c: Ctx) => h.script(nonceAttr(c), h.raw("document.title = 'Ready';"));
 * await testPage({ page }, "/").wantContains('<script nonce="');
 * ```
 */
export function nonceAttr(c: Ctx): Node {
  return h.nonce(c.nonce);
}

/**
 * Returns the nonce of a request's response, for code without a context, such as another framework's view.
 *
 * @param request The value of `c.request`.
 * @returns The nonce, or `undefined` for a request that no application of the framework handles.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { nonceFrom } from "@fw/fw";
 *
 * assertEquals(nonceFrom(new Request("http://localhost/")), undefined);
 * ```
 */
export function nonceFrom(request: Request): string | undefined {
  return contexts.get(request)?.nonce;
}

/** The directives that browsers know: those of CSP level 3 and of its extensions. */
const directiveNames: readonly string[] = (
  "default-src script-src script-src-elem script-src-attr style-src style-src-elem " +
  "style-src-attr img-src font-src connect-src media-src object-src manifest-src " +
  "child-src frame-src fenced-frame-src worker-src prefetch-src base-uri form-action " +
  "frame-ancestors sandbox report-to report-uri upgrade-insecure-requests " +
  "block-all-mixed-content require-trusted-types-for trusted-types webrtc"
).split(" ");
