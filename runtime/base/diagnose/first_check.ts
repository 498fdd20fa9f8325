/**
 * Returns a function that reports whether it gets a name for the first time, so that a fault is logged once. It
 * remembers at most `max` names, which may come from clients, and then reports none.
 */
export function createFirstCheck(max: number): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => known.size < max && known.size < known.add(name).size;
}
