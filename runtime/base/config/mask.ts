const secretNames: ReadonlySet<string> = new Set(["secret", "previousSecret", "token"]);

/** Masks secrets where settings are printed or serialized; settings can still be read. */
export function maskSecrets<T extends object>(settings: T): T {
  const value = (): object => mapValues(settings, mask);
  // Not enumerable, so that a copy contains settings only.
  return Object.defineProperties(settings, {
    toJSON: { value },
    [Symbol.for("nodejs.util.inspect.custom")]: { value },
  });
}

function mask(name: string, value: unknown): unknown {
  if (name === "variables") return mapValues(value as object, () => "[hidden]");
  // Setup may have replaced it.
  if (name === "observability") return mapValues(value as object, mask);
  return secretNames.has(name) && value !== undefined ? "[hidden]" : value;
}

function mapValues(values: object, map: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, map(name, value)]),
  );
}
