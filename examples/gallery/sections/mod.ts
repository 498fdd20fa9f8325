import { buttons } from "./buttons.ts";
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

/** Every page of components, in the order of the side bar. */
export const sections: readonly Section[] = [
  buttons,
  forms,
  content,
  feedback,
  markdown,
  overlays,
  navigation,
  interaction,
  data,
  icons,
];
