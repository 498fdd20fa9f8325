/** Ports for programs that must know theirs before they start. */

/** Below the ports that Linux assigns automatically, so no connection of another test uses it. */
const first = 20_000;
const count = 12_000;

export function freePort(): number {
  for (let tries = 0; tries < 100; tries++) {
    const port = first + Math.floor(Math.random() * count);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error(`Cannot find a free port between ${first} and ${first + count}`);
}

export function freePorts(amount: number): number[] {
  const ports = new Set<number>();
  while (ports.size < amount) ports.add(freePort());
  return [...ports];
}
