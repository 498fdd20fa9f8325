import { assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { noChromium, withPage } from "../browser.ts";
import { withGallery } from "../gallery/site.ts";

testUnless(noChromium, {
  name: "ui.form: no button of a group looks selected before a choice",
  fn: () =>
    withGallery((url) =>
      withPage(async (page) => {
        await page.goto(`${url}/components/forms`);
        const colourOf = (selector: string): Promise<string> =>
          page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
        assertEquals(
          await colourOf("[name=pace]"),
          await colourOf("[name=languages]:not(:checked)"),
        );
      })
    ),
});

testUnless(noChromium, {
  name: "ui.form: the browser finds the same faults as the server",
  fn: () =>
    withGallery((url) =>
      withPage(async (page) => {
        await page.goto(`${url}/components/forms`);
        const faults: string[] = await page.evaluate(
          "[...document.querySelector('form:has([name=pace])').elements]" +
            ".filter((each) => !each.checkValidity()).map(({ name }) => name)",
        );
        assertEquals([...new Set(faults)], ["starts", "places", "pace", "meetingPoint.street"]);
      })
    ),
});
