import { findNearest } from "../base/diagnose/nearest.ts";

/** The directives that browsers know: of CSP level 3, and of what adds to it. */
const directiveNames: readonly string[] = [
  "default-src",
  "script-src",
  "script-src-elem",
  "script-src-attr",
  "style-src",
  "style-src-elem",
  "style-src-attr",
  "img-src",
  "font-src",
  "connect-src",
  "media-src",
  "object-src",
  "manifest-src",
  "child-src",
  "frame-src",
  "fenced-frame-src",
  "worker-src",
  "prefetch-src",
  "base-uri",
  "form-action",
  "frame-ancestors",
  "sandbox",
  "report-to",
  "report-uri",
  "upgrade-insecure-requests",
  "block-all-mixed-content",
  "require-trusted-types-for",
  "trusted-types",
  "webrtc",
];

export function isKnownDirective(name: string): boolean {
  return directiveNames.includes(name);
}

/** Returns the directive that was meant: the one that begins so, else the one that differs least. */
export function nearestDirective(name: string): string | undefined {
  return directiveNames.find((known) => known.startsWith(`${name}-`)) ??
    findNearest(name, directiveNames);
}
