import type { Sample } from "./sample.ts";

/** Screenings, the nearest first. */
export const film: readonly Sample[] = [
  {
    title: "Silent Harbour, with Live Score",
    summary: "A 1929 documentary about dock workers, scored anew for accordion and saw.",
    story:
      "The only surviving print was found in a biscuit tin in Setúbal. The Aurora shows it at its true speed for the first time, with Clara Fontes on accordion and Nuno Abrantes on musical saw.",
    venue: "cinema-aurora",
    weekday: 3,
    time: "21:00",
    minutes: 85,
    euros: 8,
    seats: 140,
  },
  {
    title: "Breakfast Cinema: Short Films and Toast",
    summary: "Seven shorts before noon, with coffee carried in between the reels.",
    story:
      "Nothing over eleven minutes and nothing sad before half past ten. This month: a goalkeeper, two pigeons, a very long corridor and the winner of the student prize.",
    venue: "cinema-aurora",
    weekday: 7,
    time: "10:00",
    minutes: 105,
    euros: 9,
    seats: 140,
  },
  {
    title: "Science Fiction from the Archive",
    summary: "Three imagined futures, made between 1962 and 1984, that missed in style.",
    story:
      "A city under glass, a robot with doubts, and a computer that speaks in rhymed couplets. Each film is introduced by an engineer who explains what it got right.",
    venue: "biblioteca-do-largo",
    weekday: 5,
    time: "19:00",
    minutes: 190,
    euros: 5,
    seats: 80,
  },
  {
    title: "Rooftop Screening: The River at Night",
    summary: "A film with no dialogue, a warm wall to lean on, and blankets at the kiosk.",
    story:
      "Shot over four winters from a single tugboat, this portrait of the Tagus is projected on the retaining wall below the pines. It starts when the street lamps come on. In case of rain, one day later.",
    venue: "miradouro-das-gaivotas",
    weekday: 6,
    time: "20:00",
    minutes: 95,
    euros: 0,
    seats: 250,
    isFeatured: true,
  },
  {
    title: "Home Movies, Brought by You",
    summary: "Bring a reel or a cassette: it is shown, digitised and given back.",
    story:
      "A technician checks every reel before it runs. Stay and narrate your own, or listen to strangers explain who everyone is at a wedding in 1974. Up to ten minutes a household.",
    venue: "cinema-aurora",
    weekday: 6,
    time: "15:00",
    minutes: 180,
    euros: 0,
    seats: 140,
  },
  {
    title: "A Night of Film Trailers",
    summary: "Two hours of coming attractions for films that nobody remembers.",
    story:
      "Trailers are the most honest lies in cinema. The projectionist has kept every one that came through the booth since 1978, and has strong opinions on narration, whip pans and the colour red.",
    venue: "cinema-aurora",
    weekday: 4,
    time: "21:30",
    minutes: 120,
    euros: 6,
    seats: 140,
  },
  {
    title: "Documentary Club: The Last Salt Pans",
    summary: "A new documentary from the Sado estuary, and supper with the director.",
    story:
      "Ana Lobo followed three families through the final harvest. After the film there is bread, oil and four kinds of salt on the table, and the director answers anything.",
    venue: "fabrica-do-pao",
    weekday: 3,
    time: "19:30",
    minutes: 150,
    euros: 12,
    seats: 60,
  },
  {
    title: "Cartoons on 16 mm",
    summary: "Hand-drawn animation on a rattling projector, for children and other purists.",
    story:
      "Foxes, sausages, one moral and plenty of falling. The projector stands in the middle of the room so that everybody can watch the film go round. There is time to draw on a strip of leader afterwards.",
    venue: "biblioteca-do-largo",
    weekday: 6,
    time: "11:00",
    minutes: 60,
    euros: 3,
    seats: 70,
  },
];
