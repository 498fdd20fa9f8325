import type { Sample } from "./sample.ts";

/** Walks, rides and swims, the earliest first. */
export const outdoors: readonly Sample[] = [
  {
    title: "Seven Hills Before Breakfast",
    summary: "Fourteen kilometres, seven viewpoints, one bakery at the end.",
    story:
      "We start in the dark and finish with warm bread. The pace is a conversation, not a race, and there is a tram to every hill if your legs object. Sturdy shoes; the cobbles are slippery at dawn.",
    texts: {
      "pt-PT": {
        title: "Sete colinas antes do pequeno-almoço",
        summary: "Catorze quilómetros, sete miradouros e uma padaria no fim.",
        story:
          "Partimos às escuras e acabamos com pão quente. O ritmo é de conversa, não de corrida, e há um elétrico em cada colina se as pernas protestarem. Calçado firme: a calçada escorrega ao amanhecer.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Aves do muro do rio",
        summary: "Flamingos, garajaus e uma garça famosa, com binóculos emprestados.",
        story:
          "A maré baixa traz as limícolas para perto. A ornitóloga Graça Leal conhece as habituais pelas anilhas e as gaivotas pelos modos. A lista deste passeio vai em 63 espécies.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Passeio de bicicleta em coro",
        summary: "Dez quilómetros planos junto à água, a quatro vozes.",
        story:
          "Os sopranos vão à frente, os baixos fecham o grupo e seguram o trânsito. Três cânones fáceis, ensinados à partida e perfeitos à segunda ponte. Qualquer bicicleta, qualquer voz.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Noite no jardim: traças e jasmim",
        summary: "Um lençol branco, uma lâmpada e tudo o que a vier ver.",
        story:
          "O jardim abre fora de horas para dois entomólogos e todos os curiosos. Numa noite quente contam-se quarenta espécies, esfinges se houver sorte e jasmim em qualquer caso.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Desenho urbano: telhados",
        summary: "Duas horas, uma vista, um lápis qualquer e uma página de que se orgulhar.",
        story:
          "Bruno Castel começa pela sombra e deixa que a casa venha atrás. Bancos e pranchetas há lá; papel e lápis são seus. As páginas acabadas ficam na parede, à vista de quem passa.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Natação em águas abertas: a milha do estuário",
        summary: "Uma milha marcada, na maré parada, com caiaques ao lado e sopa no fim.",
        story:
          "Fatos de neopreno são bem-vindos, relógios nem tanto. Instruções de segurança meia hora antes; é preciso ter nadado 1500 metros em águas abertas este ano. Quem assiste recebe uma bandeira.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Troca de plantas e clínica de estacas",
        summary: "Traga uma planta, leve uma planta e mostre-nos o seu fícus.",
        story:
          "Três jardineiras dão consultas sem marcação à porta: folhas amarelas à esquerda, pragas à direita, questões filosóficas debaixo da figueira. Vasos e terra são grátis enquanto houver.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Passeio noturno sem palavras",
        summary: "Cinco quilómetros por ruas adormecidas, em silêncio e de sapatos macios.",
        story:
          "Sem telefone, sem explicações do guia, com um toque de sino em cada esquina. Há quem diga que ouve elétricos debaixo do chão e padeiros através das paredes. No fim há chá e conversa.",
      },
    },
    venue: "atelier-quinze",
    weekday: 4,
    time: "22:30",
    minutes: 120,
    euros: 0,
    seats: 25,
  },
];
