import type { Sample } from "./sample.ts";

/** Theatre and dance, the nearest first. */
export const stage: readonly Sample[] = [
  {
    title: "The Lighthouse Keeper's Inventory",
    summary: "A play for one actor, forty-one objects and a storm.",
    story:
      "A keeper has one night to list everything on the rock before the light becomes automatic. João Sereno builds the sea out of buckets, a bicycle wheel and the audience's coats. In Portuguese with English captions.",
    venue: "teatro-lanterna",
    weekday: 6,
    time: "21:00",
    minutes: 85,
    euros: 13,
    seats: 90,
  },
  {
    title: "Slow Dances for a Large Floor",
    summary: "Eleven dancers cross a glasshouse in seventy minutes and never hurry.",
    story:
      "Choreographer Yara Monteiro asked each dancer for the slowest thing they know how to do. The result is a field of movement that you walk through. Shoes off at the door; socks are provided.",
    venue: "estufa-velha",
    weekday: 4,
    time: "19:00",
    minutes: 70,
    euros: 15,
    seats: 110,
    isFeatured: true,
  },
  {
    title: "Puppets of the Lower Town",
    summary: "Hand-carved puppets, a talking codfish and an earthquake in miniature.",
    story:
      "The Bonecos do Biombo company has carved the city of 1755 at a scale of one to thirty. A fishwife and a tax collector argue through the whole disaster. From six years up, and better for it.",
    venue: "teatro-lanterna",
    weekday: 7,
    time: "11:00",
    minutes: 55,
    euros: 6,
    seats: 90,
  },
  {
    title: "Improvised Opera, Sung in Gibberish",
    summary: "Five singers, one pianist and a plot chosen by the audience in the foyer.",
    story:
      "Write a place, a feeling and an object on a card, and drop it in the hat. Three acts later somebody will have died beautifully for it. The language is invented on the spot and perfectly clear.",
    venue: "sala-do-cais",
    weekday: 5,
    time: "21:00",
    minutes: 100,
    euros: 16,
    seats: 200,
  },
  {
    title: "Letters Never Sent",
    summary: "Actors read real letters that were found in second-hand desks.",
    story:
      "Over nine years the antiquarian Lúcia Paes has collected 212 letters from drawers that came into her shop. Four actors read a dozen of them, chosen by lot each night. Names are changed; spelling is not.",
    venue: "biblioteca-do-largo",
    weekday: 2,
    time: "20:30",
    minutes: 75,
    euros: 8,
    seats: 80,
  },
  {
    title: "Circus in a Very Small Room",
    summary: "An acrobat, a juggler and a contortionist share twelve square metres.",
    story:
      "The audience is fifteen people along the walls. You will hold a rope, lend a hat and at one moment look straight up. Four shows an evening, thirty-five minutes each; the ticket is for the first one.",
    venue: "atelier-quinze",
    weekday: 6,
    time: "18:00",
    minutes: 35,
    euros: 11,
    seats: 15,
  },
  {
    title: "Antigone, Outdoors at Dusk",
    summary: "Sophocles under the jacarandas, ending exactly at nightfall.",
    story:
      "The company times the play to the almanac, so that the last scene is spoken in the dark. The chorus is the neighbourhood choir. Cushions are handed out; the stone benches keep the heat of the day.",
    venue: "jardim-da-cisterna",
    weekday: 5,
    time: "18:45",
    minutes: 110,
    euros: 12,
    seats: 130,
    isFeatured: true,
  },
  {
    title: "Stand-up in Three Accents",
    summary: "Comedians from Luanda, Porto and São Paulo explain Lisbon to each other.",
    story:
      "Twenty minutes each and a chaotic panel to finish. In Portuguese, or at least in what each of the three insists is Portuguese. The bar stays open and the front row is a risk.",
    venue: "mercado-novo",
    weekday: 4,
    time: "21:30",
    minutes: 90,
    euros: 10,
    seats: 150,
  },
];
