import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { once } from "../../cache/mod.ts";
import { App, type Ctx, key, Off } from "../../mod.ts";
import { Gate, outcome } from "./support.ts";

async function inRequest(run: (c: Ctx) => unknown): Promise<void> {
  let failure: unknown;
  const app = new App({ logRequest: Off });
  const GET = async (c: Ctx): Promise<Response> => {
    try {
      await run(c);
    } catch (error) {
      failure = error;
    }
    return c.noContent();
  };
  app.route({ pattern: "/", methods: { GET } });
  await app.fetch(new Request("http://localhost/"));
  if (failure !== undefined) throw failure;
}

Deno.test("once returns the function's value, computed once", async () => {
  await inRequest((c) => {
    for (const value of [undefined, null, 0, "", {}, () => 1, new Error("a value")]) {
      let runs = 0;
      const At = key<unknown>("value");
      const fn = (): unknown => {
        runs++;
        return value;
      };
      assertStrictEquals(once(c, At, fn), value);
      assertStrictEquals(once(c, At, fn), value);
      assertEquals(runs, 1);
    }
  });
});

Deno.test("once: concurrent callers share a promise", async () => {
  await inRequest(async (c) => {
    const gate = new Gate<object>();
    const signal = c.signal;
    const asked = [1, 2, 3].map(() => once(c, "a", () => gate.fn(signal)));
    assertEquals(gate.runs.length, 1);
    const value = {};
    gate.open(0, value);
    for (const found of await Promise.all(asked)) assertStrictEquals(found, value);
    assertStrictEquals(await once(c, "a", () => gate.fn(signal)), value);
  });
});

Deno.test("once: rejects for every waiter and is not cached", async () => {
  await inRequest(async (c) => {
    const gate = new Gate<number>();
    const ask = (): Promise<number> => once(c, "a", () => gate.fn(c.signal));
    const asked = [outcome(ask()), outcome(ask())];
    gate.runs[0]?.reject("no error at all");
    const thrown = { thrown: "no error at all" };
    assertEquals(await Promise.all(asked), [thrown, thrown]);
    const again = ask();
    gate.open(1, 5);
    assertEquals([await again, await ask(), gate.runs.length], [5, 5, 2]);
  });
});

Deno.test("once: an error is not cached", async () => {
  await inRequest((c) => {
    const refuse = (): number => {
      throw new RangeError("no");
    };
    for (let call = 0; call < 2; call++) assertThrows(() => once(c, "a", refuse), RangeError);
    assertEquals(once(c, "a", () => 5), 5);
  });
});

Deno.test("once: a lazy query that runs whenever it is awaited runs once", async () => {
  await inRequest(async (c) => {
    let queries = 0;
    const query: PromiseLike<number> = { then: (ok) => Promise.resolve(++queries).then(ok) };
    const found = [1, 2, 3].map(() => once(c, "a", () => query));
    assertEquals([await Promise.all(found), await found[0], queries], [[1, 1, 1], 1, 1]);
  });
});

Deno.test("once: keys with the same name, and an equal string, are different keys", async () => {
  await inRequest((c) => {
    const [One, Two] = [key<number>("a"), key<number>("a")];
    const found = [One, Two, "a", One, Two, "a"].map((at, index) => once(c, at, () => index));
    assertEquals(found, [0, 1, 2, 0, 1, 2]);
  });
});

Deno.test("once: a value lasts for its request and is independent of c.set", async () => {
  const runs: unknown[] = [];
  for (let request = 0; request < 2; request++) {
    await inRequest((c) => {
      c.set("a", "set");
      runs.push(once(c, "a", () => request), c.get("a"));
    });
  }
  assertEquals(runs, [0, "set", 1, "set"]);
});
