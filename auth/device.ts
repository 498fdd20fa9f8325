const maxAgentChars = 512;

// The order counts: most browsers name those that they are compatible with as well.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Describes a device for the list of a user's sessions. It is a help for the reader and no evidence:
 * the client writes what it likes.
 *
 * @returns A string such as `Firefox on Linux`, `Safari` or `curl`; `""` where nothing is known.
 */
export function parseDevice(agent: string | null): string {
  const text = (agent ?? "").slice(0, maxAgentChars);
  const nameIn = (table: typeof browsers): string | undefined =>
    table.find(([pattern]) => pattern.test(text))?.[1];
  const browser = nameIn(browsers) ?? /^([A-Za-z][A-Za-z0-9 ._-]{0,38})\//.exec(text)?.[1];
  const system = nameIn(systems);
  const known = browser === "Mozilla" ? undefined : browser;
  return known !== undefined && system !== undefined
    ? `${known} on ${system}`
    : known ?? system ?? "";
}
