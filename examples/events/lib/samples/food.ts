import type { Sample } from "./sample.ts";

/** Suppers and tastings, the earliest first. */
export const food: readonly Sample[] = [
  {
    title: "The Long Sunday Lunch",
    summary: "One table for eighty, one pot of rice, and no hurry at all.",
    story:
      "Duck rice from the old ovens, oranges, and coffee until it gets dark. Seats are drawn at the door so that nobody sits with whom they came. The washing-up has its own playlist and is oddly popular.",
    texts: {
      "pt-PT": {
        title: "O longo almoço de domingo",
        summary: "Uma mesa para oitenta, um tacho de arroz e pressa nenhuma.",
        story:
          "Arroz de pato dos fornos antigos, laranjas e café até escurecer. Os lugares são sorteados à porta, para que ninguém fique com quem veio. A lavagem da loiça tem música própria e muita procura.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Conservas de peixe, com atenção",
        summary: "Onze latas, abertas por ordem, com pão e um comentário tranquilo.",
        story:
          "Da sardinha de todos os dias a um lingueirão mais caro do que o jantar. A anfitriã visitou todas as fábricas que ainda trabalham e diz-lhe que ano procurar.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Prova cega de pastéis de nata",
        summary: "Doze pastelarias, pratos numerados e um escândalo por ano.",
        story:
          "Os pastéis chegam mornos, em caixas iguais. Pontue a massa, o creme e o queimado; as médias leem-se às seis. Os pasteleiros vêm disfarçados. No ano passado ganhou uma bomba de gasolina.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Mercado noturno das nove cozinhas",
        summary: "Nove cozinheiros de nove países, pratos pequenos, sem reservas.",
        story:
          "Goa, Luanda, Catmandu, Praia, Kiev e mais quatro a uma rua de distância. Nada custa mais de seis euros. Os pratos são de cerâmica e devolvem-se contra uma caução.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Azeite de seis aldeias",
        summary: "Prove azeites verdes, maduros e fumados com quem os fez.",
        story:
          "Aprenda a aquecer o copo na mão, a sorver sem vergonha e a tossir de propósito. Cada produtor traz um ramo do olival e um pão da aldeia.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Troca de sopas",
        summary: "Traga quatro litros, leve quatro litros diferentes.",
        story:
          "Os frascos são etiquetados, postos em fila e trocados por sorteio. A peixeira mais antiga da cidade avalia a textura. Há pão, há um prémio para a mais verde, e o caldo verde tem categoria própria.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Prova de café antes do trabalho",
        summary: "Quatro origens, água quente e silêncio, tudo acabado às nove.",
        story:
          "Dois torrefatores do bairro apresentam quatro cafés sem nome. Prove, escreva uma palavra para cada um e só depois fale. Cada pessoa leva um saco daquele de que mais gostou.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Vinho verde e ostras no cais",
        summary: "Uma ceia em pé junto à água, com produtores do Sado e do Minho.",
        story:
          "Abra seis ostras com as suas mãos, depois de uma aula, e beba o que os produtores serviram nos próprios casamentos. Há limões e pensos rápidos. Os comboios circulam até à uma e meia.",
      },
    },
    venue: "sala-do-cais",
    weekday: 5,
    time: "19:00",
    minutes: 180,
    euros: 28,
    seats: 100,
  },
];
