export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const name = decodeToken(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) {
      return undefined;
    }
    target = (target as Record<string, unknown>)[name];
  }
  return target;
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
