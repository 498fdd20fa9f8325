import { assertEquals } from "@std/assert";
import { followTrees } from "../../tools/process_tree.ts";

/** What is known after each listing of the processes, each with its parent, from 10 on. */
const rows: readonly (readonly [
  name: string,
  listings: readonly (readonly [parents: Readonly<Record<number, number>>, known: number[]])[],
])[] = [
  ["children of children", [[{ 12: 11, 11: 10, 10: 1, 20: 1 }, [10, 11, 12]]]],
  ["children of one that has just ended", [
    [{ 11: 10 }, [11]],
    [{ 11: 1, 12: 11 }, [11, 12]],
  ]],
  ["a child that outlives its parent", [
    [{ 10: 1, 11: 10 }, [10, 11]],
    [{ 11: 1 }, [11]],
    [{}, []],
  ]],
  ["another process with the number of one that has ended", [
    [{ 10: 1, 11: 10, 12: 11 }, [10, 11, 12]],
    [{ 12: 1 }, [12]],
    [{ 10: 1, 12: 1, 13: 10 }, [12]],
  ]],
];

for (const [name, listings] of rows) {
  Deno.test(`followTrees: ${name}`, () => {
    const known = new Set([10]);
    for (const [parents, pids] of listings) {
      const running = Object.entries(parents).map(([pid, parent]) =>
        [Number(pid), parent] as const
      );
      followTrees(known, new Map(running));
      assertEquals([...known].toSorted((a, b) => a - b), pids);
    }
  });
}
