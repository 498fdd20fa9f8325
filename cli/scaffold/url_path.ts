import { UsageError } from "../stop.ts";
import { appFolder, parseFolder } from "@fw/fw/conventions";
import type { Messages } from "../messages/catalog.ts";
import { capital, deviceName, pascal } from "./resource/names.ts";

export interface Segment {
  readonly kind: "literal" | "param" | "rest";
  readonly name: string;
}

export interface UrlPath {
  /** The template, without a trailing slash. */
  readonly pattern: string;
  /** The folder, relative to the project, with `/`. */
  readonly folder: string;
  readonly segments: readonly Segment[];
}

function refuse(url: string, kind: keyof Messages["generateUrl"], segment: string): never {
  throw new UsageError(({ generateBadUrl, generateUrl }) =>
    generateBadUrl(url, generateUrl[kind](segment))
  );
}

export function parseUrlPath(url: string): UrlPath {
  if (!url.startsWith("/")) refuse(url, "slash", `/${url}`);
  const inner = url.slice(1).replace(/\/$/, "");
  const parts = inner === "" ? [] : inner.split("/");
  const segments: Segment[] = [];
  const folders: string[] = [appFolder];
  const names = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (!isLast && parseFolder(part).kind === "group") {
      folders.push(part);
      continue;
    }
    const segment = parseSegment(part, url);
    if (segment.kind === "rest" && !isLast) refuse(url, "catch-all", part);
    if (segment.kind !== "literal") {
      if (names.has(segment.name)) refuse(url, "repeated", part);
      names.add(segment.name);
    }
    segments.push(segment);
    folders.push(folderOf(segment));
  }
  const pattern = `/${segments.map(patternOf).join("/")}`;
  return { pattern, folder: folders.join("/"), segments };
}

function parseSegment(part: string, url: string): Segment {
  const [, name = part, dots] = /^\{(\w+)(\.\.\.)?\}$/.exec(part) ?? [];
  const kind = name === part ? "literal" : dots === undefined ? "param" : "rest";
  const segment: Segment = { kind, name };
  if (part === "" || part === "." || part === "..") refuse(url, "syntax", part);
  if (segment.kind === "literal" && deviceName.test(part)) refuse(url, "device", part);
  // The folder must parse back to the same segment: `draft_` would become a parameter.
  const isSame = parseFolder(folderOf(segment)).kind === segment.kind;
  const isPlain = segment.kind !== "literal" || plainText.test(part);
  if (!isSame || !isPlain) refuse(url, /[{}]/.test(part) ? "syntax" : "folder", part);
  return segment;
}

// A segment appears in comments, specifiers and shell commands, so special characters are refused.
const plainText = /^[\p{L}\p{M}\p{N}._~@+,=-]+$/u;

function patternOf({ kind, name }: Segment): string {
  return kind === "literal" ? name : kind === "param" ? `{${name}}` : `{${name}...}`;
}

function folderOf({ kind, name }: Segment): string {
  return name + { literal: "", param: "_", rest: "__" }[kind];
}

export function sampleUrl(segments: readonly Segment[]): string {
  const parts = segments.map(({ kind, name }) => kind === "literal" ? name : "example");
  return `/${parts.join("/")}`;
}

/** Returns a title for the URL: `/blog/new-post` becomes "New post". */
export function titleOf(segments: readonly Segment[]): string {
  const last = segments.findLast(({ kind }) => kind === "literal");
  const words = last?.name.replace(/\.\w+$/, "").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim() ?? "";
  return words === "" ? "Home" : capital(words);
}

export function typeNameOf(segments: readonly Segment[]): string {
  const plain = titleOf(segments).normalize("NFD").replaceAll(/\p{M}/gu, "");
  const name = pascal(plain.split(/[^A-Za-z0-9]+/));
  return `${/^[A-Z]/.test(name) ? name : `Form${name}`}Input`;
}
