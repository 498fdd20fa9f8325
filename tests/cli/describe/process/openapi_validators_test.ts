import { assert } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../../tools/skip.ts";
import { noProgram } from "../../../npm_program.ts";
import { checkout, tortureRoot } from "../openapi_app.ts";

const documents = [
  join(checkout, "examples/events/openapi.json"),
  join(checkout, "examples/gallery/openapi.json"),
  join(tortureRoot, "openapi.json"),
];

/** A document that every validator refuses, which proves that they can refuse one. */
const broken = '{"openapi":"3.1.0","info":{},"paths":{"x":{"get":{}}}}';

const library = "@seriousme/openapi-schema-validator";
testUnless(await noProgram(`${library}@2.11.0`), {
  name: `openapi: ${library} finds no error`,
  fn: async () => {
    const { Validator } = await import("npm:@seriousme/openapi-schema-validator@2.11.0");
    for (const file of documents) {
      const source = JSON.parse(await Deno.readTextFile(file));
      const { valid, errors } = await new Validator().validate(source);
      assert(valid, `${file}: ${JSON.stringify(errors)}`);
    }
    assert(!(await new Validator().validate(JSON.parse(broken))).valid);
  },
});
