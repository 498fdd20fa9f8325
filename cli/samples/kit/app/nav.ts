import type { Ctx } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import type { NavItem } from "@fw/fw/ui";

/** The texts of the navigation. */
const messages = catalog({
  en: {
    home: "Overview",
  },
  pt: {
    home: "Resumo",
  },
});

/** The entries of the side bar; `generate` adds to them. */
export function nav(c: Ctx): NavItem[] {
  return [
    { label: c.t(messages, "home"), href: c.href("/"), icon: "home" },
  ];
}
