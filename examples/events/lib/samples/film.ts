import type { Sample } from "./sample.ts";

/** Screenings, the earliest first. */
export const film: readonly Sample[] = [
  {
    title: "Silent Harbour, with Live Score",
    summary: "A 1929 documentary about dock workers, scored anew for accordion and saw.",
    story:
      "The only surviving print was found in a biscuit tin in Setúbal. The Aurora shows it at its true speed for the first time, with Clara Fontes on accordion and Nuno Abrantes on musical saw.",
    texts: {
      "pt-PT": {
        title: "Porto mudo, com música ao vivo",
        summary:
          "Um documentário de 1929 sobre estivadores, com música nova para acordeão e serrote.",
        story:
          "A única cópia que resta foi encontrada numa lata de bolachas em Setúbal. O Aurora mostra-a pela primeira vez à velocidade certa, com Clara Fontes no acordeão e Nuno Abrantes no serrote musical.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Cinema ao pequeno-almoço: curtas e torradas",
        summary: "Sete curtas antes do meio-dia, com café servido entre as bobinas.",
        story:
          "Nada com mais de onze minutos e nada triste antes das dez e meia. Este mês: um guarda-redes, dois pombos, um corredor muito comprido e o vencedor do prémio de estudantes.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Ficção científica do arquivo",
        summary: "Três futuros imaginados entre 1962 e 1984, que falharam com estilo.",
        story:
          "Uma cidade debaixo de vidro, um robô com dúvidas e um computador que fala em parelhas rimadas. Cada filme é apresentado por uma engenheira que explica em que é que acertou.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Sessão no terraço: o rio à noite",
        summary:
          "Um filme sem diálogos, um muro morno para encostar as costas e mantas no quiosque.",
        story:
          "Rodado ao longo de quatro invernos a partir de um só rebocador, este retrato do Tejo é projetado no muro de suporte abaixo dos pinheiros. Começa quando se acendem os candeeiros da rua. Se chover, fica para o dia seguinte.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Filmes de família, trazidos por si",
        summary: "Traga uma bobina ou uma cassete: é projetada, digitalizada e devolvida.",
        story:
          "Um técnico verifica cada bobina antes de a passar. Fique para comentar a sua, ou ouça desconhecidos explicar quem é quem num casamento de 1974. Até dez minutos por família.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Uma noite de trailers",
        summary: "Duas horas de próximas estreias de filmes de que ninguém se lembra.",
        story:
          "Os trailers são as mentiras mais honestas do cinema. O projecionista guardou todos os que passaram pela cabine desde 1978 e tem opiniões firmes sobre a narração, os chicotes e a cor vermelha.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Clube do documentário: as últimas salinas",
        summary: "Um documentário novo do estuário do Sado, e ceia com a realizadora.",
        story:
          "Ana Lobo acompanhou três famílias na última safra. Depois do filme há pão, azeite e quatro tipos de sal na mesa, e a realizadora responde a tudo.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Desenhos animados em 16 mm",
        summary:
          "Animação desenhada à mão num projetor barulhento, para crianças e outros puristas.",
        story:
          "Raposas, salsichas, uma moral e muitas quedas. O projetor fica no meio da sala para que todos vejam o filme andar à roda. No fim há tempo para desenhar num pedaço de película.",
      },
    },
    venue: "biblioteca-do-largo",
    weekday: 6,
    time: "11:00",
    minutes: 60,
    euros: 3,
    seats: 70,
  },
];
