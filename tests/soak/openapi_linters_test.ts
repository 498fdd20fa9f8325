import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { noProgram } from "../npm_program.ts";
import { testUnless } from "../../tools/skip.ts";
import { inScratch } from "../cli/support.ts";
import { checkout, tortureRoot } from "../cli/describe/openapi_app.ts";

const documents = [
  join(checkout, "examples/events/openapi.json"),
  join(checkout, "examples/gallery/openapi.json"),
  join(tortureRoot, "openapi.json"),
];

/** A document that every validator refuses: one that refuses nothing would prove nothing. */
const broken = '{"openapi":"3.1.0","info":{},"paths":{"x":{"get":{}}}}';

interface Fault {
  readonly file: string;
  readonly text: string;
}

interface Validator {
  readonly program: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly parseFaults: (output: string) => readonly Fault[];
}

const validators: readonly Validator[] = [
  {
    program: "@redocly/cli@2.77.0",
    args: ["lint", "--format=json", "--max-problems=10000", "--extends=recommended"],
    files: {},
    parseFaults: (output) => {
      interface Found {
        readonly severity: string;
        readonly ruleId: string;
        readonly message: string;
        readonly location: readonly { source: { ref: string }; pointer?: string }[];
      }
      // One object for each document, with nothing between them.
      const parts: { problems: readonly Found[] }[] = output.split(/(?<=^\})(?=\{)/m)
        .map((part) => JSON.parse(part));
      return parts.flatMap(({ problems }) => problems).filter(({ severity }) =>
        severity === "error"
      ).map((found) => ({
        file: found.location[0]?.source.ref ?? "",
        text: `${found.ruleId} ${found.message} ${found.location[0]?.pointer}`,
      }));
    },
  },
  {
    program: "@stoplight/spectral-cli@6.16.3",
    args: ["lint", "--format=json", "--fail-severity=error", "--ruleset=.spectral.json"],
    files: { ".spectral.json": '{"extends":["spectral:oas"]}' },
    parseFaults: (output) => {
      interface Found {
        readonly severity: number;
        readonly code: string;
        readonly message: string;
        readonly path: readonly string[];
        readonly source: string;
      }
      const problems: readonly Found[] = JSON.parse(output);
      return problems.filter(({ severity }) => severity === 0).map((found) => ({
        file: found.source,
        text: `${found.code} ${found.message} ${found.path.join("/")}`,
      }));
    },
  },
];

for (const { program, args, files, parseFaults } of validators) {
  testUnless(await noProgram(program), {
    name: `openapi: the command line of ${program} finds no error`,
    fn: () =>
      inScratch(async (folder) => {
        for (const [name, text] of Object.entries({ ...files, "broken.json": broken })) {
          await Deno.writeTextFile(join(folder, name), text);
        }
        // One process for all documents: most of its time goes into starting.
        const command = ["run", "-A", "--no-lock", "--no-config", `npm:${program}`, ...args];
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: [...command, ...documents, "broken.json"],
          cwd: folder,
          // It counts who uses it, and asks for newer versions.
          env: { NO_COLOR: "1", REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
          stdin: "null",
        }).output();
        const decoder = new TextDecoder();
        const faults = parseFaults(decoder.decode(stdout));
        const isControl = ({ file }: Fault): boolean => file.endsWith("broken.json");
        assertEquals(faults.filter((fault) => !isControl(fault)), []);
        assert(faults.some(isControl), `it accepts a broken document: ${decoder.decode(stderr)}`);
        assertEquals(code, 1, "a broken document fails the command");
      }),
  });
}
