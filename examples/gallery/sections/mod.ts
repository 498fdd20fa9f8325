import { buttons } from "./buttons.ts";
import { charts } from "./charts.ts";
import { lists } from "./lists.ts";
import { longForms } from "./long_forms.ts";
import { markdown } from "./markdown.ts";
import { content } from "./content.ts";
import { data } from "./data.ts";
import { feedback } from "./feedback.ts";
import { forms } from "./forms.ts";
import { icons } from "./icons.ts";
import { interaction } from "./interaction.ts";
import { navigation } from "./navigation.ts";
import { overlays } from "./overlays.ts";
import type { Section } from "./section.ts";

/** All pages of components, in the order of the sidebar. */
export const sections: readonly Section[] = [
  buttons,
  forms,
  longForms,
  content,
  feedback,
  markdown,
  overlays,
  navigation,
  interaction,
  data,
  lists,
  charts,
  icons,
];
