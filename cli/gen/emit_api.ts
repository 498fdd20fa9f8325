import { routeMethods } from "@fw/fw/conventions";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { importType, specifierOf } from "../facts/exported_names.ts";
import type { ApiReads, HandlerReads, ReadMembers } from "../facts/api_reads.ts";

/** Returns the type by which `createCaller` knows the routes for programs. */
export function emitApi(
  { routes, reads }: {
    readonly routes: readonly Route[];
    readonly reads: ApiReads;
  },
  names: ReadonlyMap<ConventionFile, string>,
): string {
  const members = routes.filter(({ file }) => file.base === "route").map(({ pattern, file }) => {
    const methods = routeMethods.filter((method) => file.names.has(method)).map((method) => {
      const handler = `typeof ${names.get(file)}.${method}`;
      const text = emitOperation(method, { handler, reads: reads.get(file)?.get(method) ?? {} });
      // The file is imported already, under a name that is shorter and costs the compiler less.
      return text.replaceAll(importType(specifierOf(file.path)), names.get(file) ?? "");
    });
    return `  ${JSON.stringify(pattern)}: {\n${methods.join("")}  };\n`;
  });
  if (members.length === 0) return "";
  return `/** The handlers of the API, for \`createCaller<Api>()\` of "@fw/fw/client". */
export type Api = {
${members.join("")}};
`;
}

function emitOperation(
  method: string,
  { handler, reads }: { readonly handler: string; readonly reads: HandlerReads },
): string {
  if (Object.keys(reads).length === 0) return emitMember(method, handler, 4);
  const { body, form, fields, query, values, hasMoreValues = false } = reads;
  return `    ${method}: {\n` + [
    emitMember("handler", handler, 6),
    body === undefined ? "" : emitMember("body", body, 6),
    form === undefined ? "" : emitMember("form", form, 6),
    emitMembers("fields", fields),
    query === undefined ? "" : emitMember("query", query, 6),
    emitMembers("values", values, hasMoreValues ? ["readonly [name: string]: unknown"] : []),
  ].join("") + "    };\n";
}

function emitMembers(
  name: string,
  members: ReadMembers | undefined,
  rest: readonly string[] = [],
): string {
  if (members === undefined) return "";
  const lines = [...members].map(([key, { type, isOptional }]) =>
    emitMember(`${memberName(key)}${isOptional ? "?" : ""}`, type, 8)
  );
  const others = rest.map((each) => `        ${each};\n`);
  return `      ${name}: {\n${lines.join("")}${others.join("")}      };\n`;
}

export function emitMember(key: string, type: string, indent: number): string {
  const pad = " ".repeat(indent);
  const line = `${pad}${key}: ${type};`;
  return line.length <= lineWidth ? `${line}\n` : `${pad}${key}:\n${pad}  ${type};\n`;
}

export const lineWidth = 80;

/** A name that the language needs no quotes around. */
export const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Writes the name of a member of a type: in quotes where the language needs them. */
export function memberName(text: string): string {
  return identifier.test(text) ? text : literalSource(text);
}

function literalSource(text: string): string {
  // A quote inside would make the formatter choose other quotes around the text. A line separator in a
  // literal is legal, but editors count it as a line.
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', "\\u0022").replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${inner}"`;
}
