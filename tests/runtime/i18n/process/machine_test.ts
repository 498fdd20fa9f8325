import { assertEquals, assertStringIncludes } from "@std/assert";

const program = `
import { catalog, formatOf } from ${JSON.stringify(import.meta.resolve("@fw/fw/i18n"))};
import { describeTypes } from ${JSON.stringify(import.meta.resolve("@fw/fw/addon"))};
import { formatMoney } from ${
  JSON.stringify(import.meta.resolve("../../../../runtime/schema/convert.ts"))
};
import { avatar } from ${JSON.stringify(import.meta.resolve("@fw/fw/ui"))};
const { number, date } = formatOf("tlh");
const seats = { one: "{count} seat", other: "{count} seats" };
const messages = catalog({ tlh: { seats } });
console.log(number(1234.5), date(new Date(0)), messages.text("tlh", "seats", { count: 2 }));
console.log(formatMoney(150, { currency: "EUR", language: "tlh" }));
console.log(describeTypes(["image/png", "image/jpeg"], "tlh"), avatar("ilker").render());
`;

for (const LANG of ["en_US.UTF-8", "ru_RU.UTF-8", "tr_TR.UTF-8"]) {
  Deno.test(`a language without data is formatted as English where LANG is ${LANG}`, async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--ext=ts", program],
      env: { LANG, LC_ALL: LANG, NO_COLOR: "1" },
      stderr: "inherit",
    });
    const { stdout } = await child.output();
    const text = new TextDecoder().decode(stdout);
    assertEquals(text.split("\n").slice(0, 2), ["1,234.5 January 1, 1970 2 seats", "1.50"]);
    for (const part of ["PNG or JPEG", ">I<"]) assertStringIncludes(text, part);
  });
}
