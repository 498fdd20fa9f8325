import { fieldError, FieldErrors } from "../../../../mod.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";

Deno.test("FieldErrors.add: keeps the first message of a field and can be chained", () => {
  const errors = new FieldErrors().add("a", "first").add("a", "second").add("b", "other");
  assertEquals(errors.get("a"), "first");
  assertEquals([errors.has("b"), errors.has("c"), errors.get("c")], [true, false, undefined]);
});

Deno.test("FieldErrors.any, orUndefined: report whether there is a message", () => {
  const empty = new FieldErrors();
  const full = fieldError("a", "is taken");
  assertEquals([empty.any(), full.any(), empty.orUndefined()], [false, true, undefined]);
  assertStrictEquals(full.orUndefined(), full);
});

Deno.test("FieldErrors: iterates and serializes in insertion order", () => {
  const errors = fieldError("b", "1").add("a", "2");
  assertEquals([...errors], [["b", "1"], ["a", "2"]]);
  assertEquals(JSON.stringify(errors), '{"b":"1","a":"2"}');
});

Deno.test("FieldErrors.fields: returns a new record without a prototype", () => {
  const errors = fieldError("a", "1");
  const record = errors.fields;
  record["a"] = "changed";
  assertEquals([Object.getPrototypeOf(record), errors.get("a")], [null, "1"]);
});

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
  Deno.test(`FieldErrors: treats a field named ${name} as data`, () => {
    const empty = new FieldErrors();
    assertEquals([empty.has(name), empty.get(name)], [false, undefined]);
    const errors = fieldError(name, "message");
    assertEquals(JSON.stringify(errors), JSON.stringify(Object.fromEntries([[name, "message"]])));
    assertEquals(Object.keys(errors.fields), [name]);
    assertEquals(({} as Record<string, unknown>)["message"], undefined);
  });
}

Deno.test("FieldErrors.merge keeps existing messages, adds new ones and returns itself", () => {
  const errors = new FieldErrors().add("title", "first");
  const other = new FieldErrors().add("title", "second").add("photo", "too large");
  assertStrictEquals(errors.merge(other), errors);
  assertEquals({ ...errors.fields }, { title: "first", photo: "too large" });
});
