import type { Sample } from "./sample.ts";

/** Suppers and tastings, the nearest first. */
export const food: readonly Sample[] = [
  {
    title: "The Long Sunday Lunch",
    summary: "One table for eighty, one pot of rice, and no hurry at all.",
    story:
      "Duck rice from the old ovens, oranges, and coffee until it gets dark. Seats are drawn at the door so that nobody sits with whom they came. The washing-up has its own playlist and is oddly popular.",
    venue: "fabrica-do-pao",
    weekday: 7,
    time: "13:00",
    minutes: 240,
    euros: 24,
    seats: 80,
    isFeatured: true,
  },
  {
    title: "Tinned Fish, Considered",
    summary: "Eleven tins, opened in order, with bread and a quiet commentary.",
    story:
      "From the everyday sardine to a razor clam that costs more than dinner. The hostess has visited every cannery that is still working and will tell you which year to look for.",
    venue: "mercado-novo",
    weekday: 4,
    time: "19:00",
    minutes: 100,
    euros: 19,
    seats: 24,
  },
  {
    title: "Custard Tart Blind Tasting",
    summary: "Twelve bakeries, numbered plates and a scandal every year.",
    story:
      "The tarts arrive warm, in identical boxes. Score crust, custard and scorch; the averages are read out at six. Bakers attend in disguise. Last year's winner was a petrol station.",
    venue: "mercado-novo",
    weekday: 6,
    time: "16:00",
    minutes: 120,
    euros: 8,
    seats: 120,
  },
  {
    title: "Night Market of the Nine Kitchens",
    summary: "Nine cooks from nine countries, small plates, no reservations.",
    story:
      "Goa, Luanda, Kathmandu, Praia, Kyiv and four more within one street of each other. Nothing costs over six euros. Plates are ceramic and come back for a deposit.",
    venue: "mercado-novo",
    weekday: 5,
    time: "18:30",
    minutes: 270,
    euros: 0,
    seats: 600,
  },
  {
    title: "Olive Oil from Six Villages",
    summary: "Taste green, ripe and smoky oils with the people who pressed them.",
    story:
      "Learn to warm the glass in your hand, to slurp without shame and to cough on purpose. Each producer brings a branch from the grove and a loaf from the village.",
    venue: "jardim-da-cisterna",
    weekday: 6,
    time: "11:30",
    minutes: 90,
    euros: 12,
    seats: 40,
  },
  {
    title: "Soup Exchange",
    summary: "Bring four litres, leave with four different litres.",
    story:
      "Jars are labelled, queued and swapped by lot. The city's oldest fishmonger judges texture. There is bread, there is a prize for the greenest, and caldo verde has its own category.",
    venue: "teatro-lanterna",
    weekday: 1,
    time: "18:30",
    minutes: 90,
    euros: 0,
    seats: 60,
  },
  {
    title: "Coffee Cupping Before Work",
    summary: "Four origins, hot water and silence, over by nine.",
    story:
      "Two roasters from the neighbourhood lay out four coffees without names. Taste, write one word each, and only then talk. Every guest takes a bag of whichever they liked best.",
    venue: "estufa-velha",
    weekday: 3,
    time: "07:45",
    minutes: 60,
    euros: 7,
    seats: 20,
  },
  {
    title: "Vinho Verde and Oysters on the Quay",
    summary: "A standing supper by the water with growers from the Sado and the Minho.",
    story:
      "Open six oysters yourself, after a lesson, and drink what the growers poured for their own weddings. Lemons and plasters are provided. Trains run until half past one.",
    venue: "sala-do-cais",
    weekday: 5,
    time: "19:00",
    minutes: 180,
    euros: 28,
    seats: 100,
  },
];
