import { Off, type SecuritySettings } from "../base/config/settings.ts";
import {
  type DefaultHeaders,
  type DefaultHeaderSets,
  guardHeaders,
  type HeaderPair,
  privateControl,
  type SchemeHeaders,
} from "../request/default_headers.ts";
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

/** All on documents, elsewhere those that browsers honour (OWASP); HSTS over HTTPS alone. */
export function compileSecureHeaders(security: SecuritySettings): DefaultHeaderSets {
  const sets = compileSchemes(security);
  return { ...sets, guarded: guardHeaders(sets) };
}

function compileSchemes(security: SecuritySettings): SchemeHeaders {
  const csp = compileCsp(security);
  const fixed = fixedHeaders(security);
  const transport = strictTransport(security);
  if (security.delegated === true) return { http: none, https: none };
  const http = listHeaders(fixed, { csp, transport: [] });
  return {
    http,
    https: transport.length === 0 ? http : listHeaders(fixed, { csp, transport }),
  };
}

interface FixedHeaders {
  readonly frame: readonly HeaderPair[];
  readonly type: readonly HeaderPair[];
  readonly referrer: readonly HeaderPair[];
  readonly permissions: readonly HeaderPair[];
  readonly opener: readonly HeaderPair[];
}

function listHeaders(
  fixed: FixedHeaders,
  options: { readonly csp: Csp | undefined; readonly transport: readonly HeaderPair[] },
): DefaultHeaders {
  const { csp, transport } = options;
  const { frame, type, referrer, permissions, opener } = fixed;
  const shown = [...frame, ...type, ...referrer, ...permissions, ...opener, ...transport];
  const withPolicy = (policy: string | undefined): readonly HeaderPair[] =>
    policy === undefined ? shown : [["content-security-policy", policy], ...shown];
  return {
    empty: transport,
    // Browsers apply both to the step as well: without them the next page would lose its opener.
    redirect: [...referrer, ...opener, ...transport],
    data: [...type, ...transport],
    document: withPolicy(csp?.document),
    file: withPolicy(csp?.file),
    // Its policy holds a nonce: from a shared cache all visitors would get the same one.
    page: csp === undefined ? shown : [...shown, ["cache-control", privateControl]],
    csp: csp?.page,
  };
}

function fixedHeaders(security: SecuritySettings): FixedHeaders {
  return {
    frame: header("x-frame-options", {
      setting: "frameOptions",
      value: security.frameOptions ?? "DENY",
      isValid: (value) => value === "DENY" || value === "SAMEORIGIN",
      fix: 'write "DENY" or "SAMEORIGIN"; other sites go into cspExtra["frame-ancestors"]',
    }),
    type: header("x-content-type-options", {
      setting: "contentTypeOptions",
      value: security.contentTypeOptions ?? "nosniff",
      isValid: (value) => value === "nosniff",
      fix: 'write "nosniff"',
    }),
    referrer: header("referrer-policy", {
      setting: "referrerPolicy",
      value: security.referrerPolicy ?? "strict-origin-when-cross-origin",
      isValid: (value) => value.split(/, */).every((policy) => referrerPolicies.has(policy)),
      fix: `write one of ${[...referrerPolicies].join(", ")}`,
    }),
    permissions: header("permissions-policy", {
      setting: "permissionsPolicy",
      value: security.permissionsPolicy ?? "camera=(), geolocation=(), microphone=()",
      isValid: (value) => /^[a-z-]+=[\x20-\x7e]+$/.test(value),
      fix: 'write a policy such as "camera=(), geolocation=(self)"',
    }),
    opener: header("cross-origin-opener-policy", {
      setting: "crossOriginOpenerPolicy",
      value: security.crossOriginOpenerPolicy ?? "same-origin",
      isValid: (value) => openerPolicies.has(value),
      fix: `write one of ${[...openerPolicies].join(", ")}`,
    }),
  };
}

const referrerPolicies = new Set([
  "no-referrer",
  "no-referrer-when-downgrade",
  "same-origin",
  "origin",
  "strict-origin",
  "origin-when-cross-origin",
  "strict-origin-when-cross-origin",
  "unsafe-url",
]);

const openerPolicies = new Set([
  "same-origin",
  "same-origin-allow-popups",
  "noopener-allow-popups",
  "unsafe-none",
]);

function strictTransport(security: SecuritySettings): readonly HeaderPair[] {
  return header("strict-transport-security", {
    setting: "strictTransportSecurity",
    // One year. Without subdomains: the application does not know whether all of them support HTTPS.
    value: security.strictTransportSecurity ?? "max-age=31536000",
    isValid: (value) => /^max-age=\d+(?:; *includeSubDomains)?(?:; *preload)?$/i.test(value),
    fix: 'write seconds, such as "max-age=31536000; includeSubDomains"',
  });
}

function header(
  name: string,
  options: {
    readonly setting: keyof SecuritySettings;
    readonly value: string | typeof Off;
    readonly isValid: (value: string) => boolean;
    readonly fix: string;
  },
): readonly HeaderPair[] {
  const { setting, value, isValid, fix } = options;
  if (value === Off) return [];
  if (typeof value === "string" && isValid(value)) return [[name, value]];
  throw new TypeError(
    `Cannot set config.security.${setting} to "${value}": ${fix}, or Off to leave the header out.`,
  );
}
