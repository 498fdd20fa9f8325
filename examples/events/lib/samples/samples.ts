import type { Category } from "../categories.ts";
import { art } from "./art.ts";
import { film } from "./film.ts";
import { food } from "./food.ts";
import { music } from "./music.ts";
import { outdoors } from "./outdoors.ts";
import type { Sample } from "./sample.ts";
import { stage } from "./stage.ts";
import { talks } from "./talks.ts";
import { workshops } from "./workshops.ts";

/** The sample events by category, the earliest first. */
export const samples: Readonly<Record<Category, readonly Sample[]>> = {
  music,
  stage,
  film,
  art,
  talks,
  food,
  outdoors,
  workshops,
};
