import type { Sample } from "./sample.ts";

/** Walks, rides and swims, the nearest first. */
export const outdoors: readonly Sample[] = [
  {
    title: "Seven Hills Before Breakfast",
    summary: "Fourteen kilometres, seven viewpoints, one bakery at the end.",
    story:
      "We start in the dark and finish with warm bread. The pace is a conversation, not a race, and there is a tram to every hill if your legs object. Sturdy shoes; the cobbles are slippery at dawn.",
    venue: "miradouro-das-gaivotas",
    weekday: 6,
    time: "06:30",
    minutes: 210,
    euros: 0,
    seats: 40,
  },
  {
    title: "Birds of the River Wall",
    summary: "Flamingos, terns and one famous heron, with binoculars to borrow.",
    story:
      "Low water brings the waders close. Ornithologist Graça Leal knows the regulars by their rings and the gulls by their manners. The list for this walk stands at 63 species.",
    venue: "sala-do-cais",
    weekday: 7,
    time: "08:00",
    minutes: 150,
    euros: 5,
    seats: 20,
  },
  {
    title: "Bicycle Choir Ride",
    summary: "Ten flat kilometres along the water, in four-part harmony.",
    story:
      "Sopranos lead, basses bring up the rear and hold the traffic. Three easy rounds, taught at the start and perfected by the second bridge. Any bicycle, any voice.",
    venue: "sala-do-cais",
    weekday: 6,
    time: "10:30",
    minutes: 120,
    euros: 0,
    seats: 80,
    isFeatured: true,
  },
  {
    title: "Garden Night: Moths and Jasmine",
    summary: "A white sheet, a lamp, and everything that comes to see it.",
    story:
      "The garden opens after hours for two entomologists and whoever is curious. Expect forty species on a warm night, hawk-moths if we are lucky, and jasmine in any case.",
    venue: "jardim-da-cisterna",
    weekday: 5,
    time: "21:00",
    minutes: 120,
    euros: 4,
    seats: 35,
  },
  {
    title: "Urban Sketching: Rooftops",
    summary: "Two hours, one view, any pencil, and a page to be proud of.",
    story:
      "Bruno Castel begins with the shadow and lets the house follow. Stools and boards are there; paper and a pencil are yours. Finished pages go on the wall for everyone to walk past.",
    venue: "miradouro-das-gaivotas",
    weekday: 7,
    time: "17:00",
    minutes: 120,
    euros: 6,
    seats: 30,
  },
  {
    title: "Open Water Swim, Estuary Mile",
    summary: "A marked mile at slack tide with kayaks alongside and soup afterwards.",
    story:
      "Wetsuits are welcome, watches are frowned upon. Safety briefing half an hour before; you must have swum 1,500 metres in open water this year. Spectators get a flag.",
    venue: "sala-do-cais",
    weekday: 7,
    time: "09:30",
    minutes: 150,
    euros: 15,
    seats: 90,
  },
  {
    title: "Plant Swap and Cuttings Clinic",
    summary: "Bring a plant, take a plant, and have your ficus looked at.",
    story:
      "Three gardeners run a walk-in clinic at the gate: yellow leaves on the left, pests on the right, philosophical questions under the fig. Pots and soil are free while they last.",
    venue: "jardim-da-cisterna",
    weekday: 6,
    time: "10:00",
    minutes: 180,
    euros: 0,
    seats: 120,
  },
  {
    title: "Night Walk Without Words",
    summary: "Five kilometres through sleeping streets, in silence and soft shoes.",
    story:
      "No phone, no guide's commentary, one bell at each turn. People say that they hear trams under the ground and bakers through the walls. Tea and talking at the end.",
    venue: "atelier-quinze",
    weekday: 4,
    time: "22:30",
    minutes: 120,
    euros: 0,
    seats: 25,
  },
];
