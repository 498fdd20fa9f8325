/** A library's own promise, which is not a `Promise`: query builders return such ones. */
export function thenable<T>(value: T): Promise<T> {
  const settle = (take: (value: T) => unknown): void => void take(value);
  return { then: settle } as unknown as Promise<T>;
}
