import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, key, provide, use } from "../../../mod.ts";

Deno.test("use returns the provided value, including undefined and null", () => {
  const app = new App();
  for (const value of [1, "", null, undefined, false]) {
    const Value = key<unknown>("value");
    provide(app, Value, value);
    assertEquals(use(app, Value), value);
  }
});

Deno.test("use throws for a key without a value and names the cause", () => {
  const app = new App();
  const find = () => use(app, key<string>("db"));
  const message =
    'Cannot use "db": nothing was provided; call provide(app, …) in Setup of app/setup.ts.';
  assertThrows(find, TypeError, message);
  provide(app, key<string>("db"), "one");
  const other =
    'Cannot use "db": another key of the same name was provided; import that key instead of creating one.';
  assertThrows(find, TypeError, other);
});

Deno.test("provide throws for a key that has a value", () => {
  const app = new App();
  const Db = key<string>("db");
  provide(app, Db, "a");
  const message = 'Cannot provide "db": it has a value already; provide it once.';
  assertThrows(() => provide(app, Db, "b"), TypeError, message);
  assertEquals(use(app, Db), "a");
});

Deno.test("a key is immutable", () => assert(Object.isFrozen(key("x"))));
