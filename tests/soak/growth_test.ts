import { assertLess } from "@std/assert";
import { measure, most, subjects } from "../../bench/growth/main.ts";

for (const subject of subjects) {
  Deno.test(`more ${subject.name} cost time linear in their number`, async () => {
    const { perDoubling, ms } = await measure(subject);
    assertLess(
      perDoubling,
      most,
      `ms at each size: ${ms.map((value) => value.toFixed(1)).join(", ")}`,
    );
  });
}
