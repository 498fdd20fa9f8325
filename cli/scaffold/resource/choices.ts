import type { List } from "../sample.ts";
import type { Field } from "./fields.ts";
import { capital } from "./names.ts";

/** The choices of a field: `"genre.novel": "Novel"`. */
export function choiceList({ choices }: Field): List {
  return {
    models: ["novel", "essay"],
    items: choices.map((choice) => ({
      models: ["novel"],
      replace: () => [
        ["novel", choice],
        ["Novel", choiceLabel(choice)],
        ["[]", `[${choiceLook(choice, choices)}]`],
      ],
    })),
  };
}

const choiceLooks: readonly (readonly [values: RegExp, look: string])[] = [
  [
    /^(?:active|approved|completed?|confirmed|delivered|done|live|paid|published|resolved|won)$/,
    "ui.success, ui.dot",
  ],
  [
    /^(?:in[-_ ]?progress|new|open|processing|running|scheduled|sent|shipped|todo)$/,
    "ui.info, ui.dot",
  ],
  [/^(?:draft|on[-_ ]?hold|paused|pending|review|waiting)$/, "ui.warning, ui.hollow"],
  [
    /^(?:blocked|critical|failed|high|lost|overdue|refused|rejected|urgent)$/,
    "ui.destructive, ui.dot",
  ],
];

/** Returns the look of a value. The values of a field that says nothing of a state look alike. */
function choiceLook(choice: string, choices: readonly string[]): string {
  const looks = choices.map((each) =>
    choiceLooks.find(([values]) => values.test(each.toLowerCase()))?.[1]
  );
  const isState = looks.some((look) => look !== undefined);
  return looks[choices.indexOf(choice)] ?? (isState ? "ui.hollow" : "");
}

export function choiceLabel(choice: string): string {
  return capital(choice.replaceAll(/[-_]+/g, " "));
}
