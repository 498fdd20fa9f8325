// test: child, loads validators from npm, which start processes of their own
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { checkout, tortureRoot } from "./openapi_app.ts";

/** Returns the errors of a document, each with its place. */
type Validate = (text: string) => Promise<readonly string[]>;

const loaders: Readonly<Record<string, () => Promise<Validate>>> = {
  "@seriousme/openapi-schema-validator": async () => {
    const { Validator } = await import("npm:@seriousme/openapi-schema-validator@2.11.0");
    return async (text) => {
      const { valid, errors } = await new Validator().validate(JSON.parse(text));
      return valid ? [] : [JSON.stringify(errors)];
    };
  },
  // The engine of @redocly/cli, with the rules that its `lint` has by default.
  "@redocly/openapi-core": async () => {
    const { createConfig, lintFromString } = await import("npm:@redocly/openapi-core@2.64.0");
    const config = await createConfig({ extends: ["recommended"] });
    return async (source) =>
      (await lintFromString({ source, config })).filter(({ severity }) => severity === "error")
        .map(({ ruleId, message, location: [at] }) => `${ruleId} ${message} ${at?.pointer}`);
  },
  // The engine of @stoplight/spectral-cli, with its rules for OpenAPI.
  "@stoplight/spectral-core": async () => {
    const { default: core } = await import("npm:@stoplight/spectral-core@1.24.1");
    const { default: rules } = await import("npm:@stoplight/spectral-rulesets@1.23.1");
    const spectral = new core.Spectral();
    // The package declares its own rules with another type than it takes.
    const ruleset = { extends: [[rules.oas, "recommended"]] } as unknown;
    spectral.setRuleset(ruleset as Parameters<typeof spectral.setRuleset>[0]);
    return async (text) =>
      (await spectral.run(JSON.parse(text))).filter(({ severity }) => Number(severity) === 0)
        .map(({ code, message, path }) => `${code} ${message} ${path.join("/")}`);
  },
};

const documents = [
  join(checkout, "examples/events/openapi.json"),
  join(tortureRoot, "openapi.json"),
];

for (const [name, load] of Object.entries(loaders)) {
  const { validate, reason } = await load().then(
    (validate) => ({ validate, reason: undefined }),
    (error) => ({ validate: undefined, reason: `npm does not answer: ${error.message}` }),
  );
  testUnless(reason, {
    name: `openapi: ${name} finds no error`,
    // The validators keep timers and files of their own.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      if (validate === undefined) return;
      for (const file of documents) {
        assertEquals(await validate(await Deno.readTextFile(file)), [], file);
      }
      // One that refuses nothing would prove nothing.
      const broken = await validate('{"openapi":"3.1.0","info":{},"paths":{"x":{"get":{}}}}');
      assert(broken.length > 0, `${name} accepts a broken document`);
    },
  });
}
