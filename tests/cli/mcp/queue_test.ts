import { assertEquals, assertRejects } from "@std/assert";
import { createQueue } from "../../../cli/mcp/run.ts";

Deno.test("createQueue: runs one task at a time, in order, even after a failure", async () => {
  const enter = createQueue();
  const { signal } = new AbortController();
  const steps: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (name === "b") throw new Error("b failed");
    return name;
  };
  const all = await Promise.allSettled(["a", "b", "c"].map((name) => enter(work(name), signal)));
  assertEquals(all.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assertEquals(steps, ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

Deno.test("createQueue: a task cancelled while waiting does not start", async () => {
  const enter = createQueue();
  const first = Promise.withResolvers<void>();
  const waiting = new AbortController();
  let begun = 0;
  const running = enter(() => first.promise, new AbortController().signal);
  const cancelled = enter(() => Promise.resolve(begun++), waiting.signal);
  waiting.abort(new Error("cancelled"));
  first.resolve();
  await running;
  await assertRejects(() => cancelled, Error, "cancelled");
  assertEquals(begun, 0);
});
