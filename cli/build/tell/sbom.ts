/**
 * Writes the packages of an executable as CycloneDX 1.6 (ECMA-424) and as a list of licenses.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { version } from "@fw/fw/conventions";
import type { Component, Components } from "./components.ts";

/** The application itself. */
export interface AppName {
  readonly name: string;
  /** As `deno.json` states it. */
  readonly version: string | undefined;
}

const appRef = "app";

/** Returns the runtime in the executable. */
function denoComponent(): Component {
  return {
    ref: `deno@${Deno.version.deno}`,
    registry: "url",
    name: "deno",
    version: Deno.version.deno,
    hash: undefined,
    license: "MIT",
    licenseText: undefined,
  };
}

/**
 * Returns the bill of materials as JSON. It holds no time, and its serial number is a digest of its content:
 * the same sources give the same text.
 */
export function formatSbom(app: AppName, { list, edges }: Components): string {
  const deno = denoComponent();
  const all = [...list, deno];
  const refs = new Map([["", appRef], ...all.map(({ ref }): [string, string] => [ref, ref])]);
  const dependencies = [...refs].map(([key, ref]) => {
    const targets = [...edges.get(key) ?? [], ...(key === "" ? [deno.ref] : [])];
    return { ref, dependsOn: targets.flatMap((target) => refs.get(target) ?? []).sort() };
  });
  const content = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: "@fw/cli", version }] },
      component: {
        type: "application",
        "bom-ref": appRef,
        name: app.name,
        ...(app.version === undefined ? {} : { version: app.version }),
      },
    },
    components: all.map((component) => componentJson(component, deno.ref)),
    dependencies,
  };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const { bomFormat, specVersion, ...rest } = content;
  const whole = { bomFormat, specVersion, serialNumber: `urn:uuid:${uuidOf(digest)}`, ...rest };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Returns a UUID of version 8 (RFC 9562), whose bits are the application's own. */
function uuidOf(hex: string): string {
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

function componentJson(component: Component, denoRef: string): Record<string, unknown> {
  const { ref, name, version, hash, license } = component;
  const purl = ref === denoRef ? `pkg:github/denoland/deno@v${version}` : purlOf(component);
  const [, scope, inner] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    type: ref === denoRef ? "platform" : "library",
    "bom-ref": ref,
    ...(scope === undefined ? {} : { group: scope }),
    name: inner ?? name,
    ...(version === undefined ? {} : { version }),
    ...(hash === undefined ? {} : { hashes: [{ alg: hash.algorithm, content: hash.hex }] }),
    ...(license === undefined ? {} : { licenses: [licenseJson(license)] }),
    ...(purl === undefined ? {} : { purl }),
  };
}

/** Returns an SPDX expression, else the words of the package. */
function licenseJson(license: string): Record<string, unknown> {
  const id = String.raw`\(*[A-Za-z0-9][A-Za-z0-9.-]*\+?\)*`;
  const isExpression = new RegExp(`^${id}(?: (?:AND|OR|WITH) ${id})*$`).test(license);
  return isExpression ? { expression: license } : { license: { name: license } };
}

/** Returns the package URL; JSR has no type of its own there. */
function purlOf({ registry, name, version }: Component): string | undefined {
  const path = name.split("/").map(encodeURIComponent).join("/");
  const at = version === undefined ? "" : `@${encodeURIComponent(version)}`;
  switch (registry) {
    case "npm":
      return `pkg:npm/${path}${at}`;
    case "jsr":
      return `pkg:generic/${path}${at}?repository_url=https://jsr.io`;
    case "url":
      return `pkg:generic/${encodeURIComponent(name.split("/").at(-1) || "module")}?download_url=${
        encodeURIComponent(name)
      }`;
    case "file":
      return `pkg:generic/${path}${at}`;
  }
}

/** Returns the licenses, one line a package, then the texts that the packages carry. */
export function formatLicenses({ list }: Components, unknown: string): string {
  const all = [...list, denoComponent()];
  const lines = all.map(({ ref, license }) => `${ref}  ${license ?? unknown}\n`);
  const texts = all.flatMap(({ ref, licenseText }) =>
    licenseText === undefined ? [] : [`\n--- ${ref} ---\n\n${licenseText.trim()}\n`]
  );
  return lines.join("") + texts.join("");
}
