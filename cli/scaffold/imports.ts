export function addTypeImport(text: string, name: string): string {
  const [head] = /^import type \{(?= [^}\n]*\} from "@fw\/fw";$)/m.exec(text) ?? [];
  return head === undefined
    ? `import type { ${name} } from "@fw/fw";\n${text}`
    : text.replace(head, () => `${head} ${name},`);
}

export function addImport(text: string, name: string, module: string): string {
  const end = endOfImports(text);
  return `${text.slice(0, end)}import { ${name} } from "${module}";\n${text.slice(end)}`;
}

export function endOfImports(text: string): number {
  const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
