import type { Sample } from "./sample.ts";

/** Talks and readings, the earliest first. */
export const talks: readonly Sample[] = [
  {
    title: "How a City Remembers Its Rivers",
    summary: "A hydrologist follows eleven buried streams, from street names to wet cellars.",
    story:
      "Lisbon was built over its water and never quite forgot it. Teresa Falcão brings old maps, a stethoscope for manholes and the explanation for that one pavement that is always damp.",
    texts: {
      "pt-PT": {
        title: "Como uma cidade se lembra dos seus rios",
        summary:
          "Uma hidróloga segue onze ribeiras enterradas, dos nomes das ruas às caves húmidas.",
        story:
          "Lisboa foi construída sobre a sua água e nunca a esqueceu de todo. Teresa Falcão traz mapas antigos, um estetoscópio para tampas de esgoto e a explicação para aquele passeio que está sempre húmido.",
      },
    },
    venue: "biblioteca-do-largo",
    weekday: 2,
    time: "18:30",
    minutes: 80,
    euros: 0,
    seats: 90,
  },
  {
    title: "The Mathematics of Tiling a Wall",
    summary: "Seventeen symmetries, one wallpaper group a minute, tiles to take apart.",
    story:
      "Every repeating pattern belongs to one of seventeen families, and most of them are on a house near you. Bring photographs: Professor Duarte Pinho will name the group and show what gives it away.",
    texts: {
      "pt-PT": {
        title: "A matemática de azulejar uma parede",
        summary: "Dezassete simetrias, um grupo por minuto e azulejos para desmontar.",
        story:
          "Todos os padrões que se repetem pertencem a uma de dezassete famílias, e quase todas estão numa casa perto de si. Traga fotografias: o professor Duarte Pinho diz o grupo e mostra o que o denuncia.",
      },
    },
    venue: "biblioteca-do-largo",
    weekday: 3,
    time: "19:00",
    minutes: 75,
    euros: 0,
    seats: 90,
    isFeatured: true,
  },
  {
    title: "Translators in Conversation",
    summary: "One poem, four translations and a friendly but real disagreement.",
    story:
      "Four translators were given the same eight lines by Sophia and told not to speak to each other. They read the results, defend a comma and vote on the best line. Wine, and dictionaries.",
    texts: {
      "pt-PT": {
        title: "Tradutores à conversa",
        summary: "Um poema, quatro traduções e uma discordância amigável, mas a sério.",
        story:
          "Quatro tradutores receberam os mesmos oito versos de Sophia e a indicação de não falarem entre si. Leem os resultados, defendem uma vírgula e votam no melhor verso. Há vinho e dicionários.",
      },
    },
    venue: "teatro-lanterna",
    weekday: 1,
    time: "19:30",
    minutes: 90,
    euros: 5,
    seats: 90,
  },
  {
    title: "Repairing the Internet, One Cable at a Time",
    summary: "A cable ship's engineer on storms, anchors and very long splices.",
    story:
      "Much of the Atlantic's traffic lands within an hour of here. Hugo Varela spent eleven years mending it and brought a cross-section, a grapnel and the story of the shark that was innocent.",
    texts: {
      "pt-PT": {
        title: "Reparar a Internet, um cabo de cada vez",
        summary:
          "O engenheiro de um navio de cabos fala de tempestades, âncoras e emendas muito compridas.",
        story:
          "Grande parte do tráfego do Atlântico chega a terra a menos de uma hora daqui. Hugo Varela reparou-o durante onze anos e trouxe um corte de cabo, uma fateixa e a história do tubarão que estava inocente.",
      },
    },
    venue: "sala-do-cais",
    weekday: 4,
    time: "18:30",
    minutes: 75,
    euros: 0,
    seats: 180,
  },
  {
    title: "Poetry Slam: Semi-final",
    summary: "Twelve poets, three minutes each, judged by whoever sits in row C.",
    story:
      "No props, no costumes, no music, and a bell that nobody argues with. Two of the twelve go on to the final. Arrive early if you want to judge, late if you would rather not.",
    texts: {
      "pt-PT": {
        title: "Poetry slam: semifinal",
        summary: "Doze poetas, três minutos cada um, julgados por quem se sentar na fila C.",
        story:
          "Sem adereços, sem disfarces, sem música e com uma campainha que ninguém discute. Dois dos doze passam à final. Venha cedo se quiser julgar, tarde se preferir que não.",
      },
    },
    venue: "mercado-novo",
    weekday: 5,
    time: "21:00",
    minutes: 120,
    euros: 4,
    seats: 160,
  },
  {
    title: "What Bread Knows About Time",
    summary: "A baker and a biologist talk about sourdough, sleep and slowness.",
    story:
      "The same culture has been fed in this building since 1948, with one interruption that nobody admits to. Hear its story, look at it under a microscope and take a jar of it home.",
    texts: {
      "pt-PT": {
        title: "O que o pão sabe do tempo",
        summary: "Um padeiro e uma bióloga falam de massa-mãe, sono e vagar.",
        story:
          "A mesma cultura é alimentada neste edifício desde 1948, com uma interrupção que ninguém admite. Ouça a sua história, veja-a ao microscópio e leve um frasco para casa.",
      },
    },
    venue: "fabrica-do-pao",
    weekday: 2,
    time: "19:00",
    minutes: 90,
    euros: 6,
    seats: 70,
  },
  {
    title: "First Books: Three Debut Novelists",
    summary: "The page they nearly cut, read aloud for the first time.",
    story:
      "Each author reads the passage that their editor disliked most and says why it stayed. A bookseller keeps the peace. All three books are on the table by the door, still smelling of the press.",
    texts: {
      "pt-PT": {
        title: "Primeiros livros: três romancistas estreantes",
        summary: "A página que quase cortaram, lida em voz alta pela primeira vez.",
        story:
          "Cada autor lê a passagem de que o editor menos gostou e diz porque ficou. Uma livreira mantém a paz. Os três livros estão na mesa junto à porta, ainda a cheirar a tinta.",
      },
    },
    venue: "biblioteca-do-largo",
    weekday: 4,
    time: "18:30",
    minutes: 85,
    euros: 0,
    seats: 90,
  },
  {
    title: "Night Sky Over a Bright City",
    summary: "An astronomer shows which forty stars you can still find, and how.",
    story:
      "A short talk in the gatehouse, then an hour at three telescopes on the terrace. If it is cloudy the telescopes point at the bridge, which is instructive in its own way.",
    texts: {
      "pt-PT": {
        title: "Céu noturno sobre uma cidade iluminada",
        summary: "Uma astrónoma mostra que quarenta estrelas ainda se encontram, e como.",
        story:
          "Uma conversa breve na portaria e depois uma hora em três telescópios no terraço. Se houver nuvens, os telescópios apontam para a ponte, o que também é instrutivo.",
      },
    },
    venue: "miradouro-das-gaivotas",
    weekday: 5,
    time: "20:30",
    minutes: 120,
    euros: 3,
    seats: 60,
  },
];
