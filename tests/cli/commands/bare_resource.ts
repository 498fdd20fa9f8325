import { parseFields } from "../../../cli/scaffold/resource/fields.ts";
import { nameResource } from "../../../cli/scaffold/resource/names.ts";
import type { Resource } from "../../../cli/scaffold/resource/resource.ts";

export const bareResource: Resource = {
  ...parseFields(["a:text"]),
  names: nameResource("events"),
  hasApi: false,
  hasCsv: false,
  isAudited: false,
  guard: undefined,
  languages: [],
  engine: "sqlite",
  references: [],
};
