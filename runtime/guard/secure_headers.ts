import type { HeaderPair } from "../base/headers.ts";
import { Off, type SecuritySettings } from "../base/config/settings.ts";
import {
  type DefaultHeaders,
  type DefaultHeaderSets,
  guardHeaders,
  privateControl,
} from "../request/stage.ts";
import { compileCsp, type Csp } from "./csp.ts";

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
