import type { Sample } from "./sample.ts";

/** Theatre and dance, the earliest first. */
export const stage: readonly Sample[] = [
  {
    title: "The Lighthouse Keeper's Inventory",
    summary: "A play for one actor, forty-one objects and a storm.",
    story:
      "A keeper has one night to list everything on the rock before the light becomes automatic. João Sereno builds the sea out of buckets, a bicycle wheel and the audience's coats. In Portuguese with English captions.",
    texts: {
      "pt-PT": {
        title: "O inventário do faroleiro",
        summary: "Uma peça para um ator, quarenta e um objetos e uma tempestade.",
        story:
          "Um faroleiro tem uma noite para registar tudo o que há no rochedo antes de a luz passar a automática. João Sereno constrói o mar com baldes, uma roda de bicicleta e os casacos do público. Em português, com legendas em inglês.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Danças lentas para um chão grande",
        summary: "Onze bailarinos atravessam uma estufa em setenta minutos e nunca se apressam.",
        story:
          "A coreógrafa Yara Monteiro pediu a cada bailarino a coisa mais lenta que sabe fazer. O resultado é um campo de movimento que se atravessa a pé. Os sapatos ficam à porta; há meias para todos.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Marionetas da Baixa",
        summary: "Marionetas talhadas à mão, um bacalhau falante e um terramoto em miniatura.",
        story:
          "A companhia Bonecos do Biombo talhou a cidade de 1755 à escala de um para trinta. Uma peixeira e um cobrador de impostos discutem durante toda a catástrofe. A partir dos seis anos, e ainda bem.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Ópera improvisada, cantada em língua nenhuma",
        summary: "Cinco cantores, um pianista e um enredo escolhido pelo público no foyer.",
        story:
          "Escreva num cartão um lugar, um sentimento e um objeto, e deite-o no chapéu. Três atos depois, alguém terá morrido lindamente por isso. A língua é inventada na hora e percebe-se perfeitamente.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Cartas por enviar",
        summary: "Atores leem cartas verdadeiras encontradas em secretárias usadas.",
        story:
          "Ao longo de nove anos, a antiquária Lúcia Paes juntou 212 cartas saídas das gavetas que entraram na sua loja. Quatro atores leem uma dúzia, sorteada em cada noite. Os nomes são trocados; a ortografia não.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Circo numa sala muito pequena",
        summary:
          "Uma acrobata, um malabarista e um contorcionista partilham doze metros quadrados.",
        story:
          "O público são quinze pessoas encostadas às paredes. Vai segurar uma corda, emprestar um chapéu e, a certa altura, olhar mesmo para cima. Quatro sessões por noite, de trinta e cinco minutos cada; o bilhete é para a primeira.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Antígona, ao ar livre e ao anoitecer",
        summary: "Sófocles debaixo dos jacarandás, a acabar exatamente ao cair da noite.",
        story:
          "A companhia acerta a peça pelo almanaque, para que a última cena se diga às escuras. O coro é o do bairro. Distribuem-se almofadas; os bancos de pedra guardam o calor do dia.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Stand-up em três sotaques",
        summary: "Humoristas de Luanda, do Porto e de São Paulo explicam Lisboa uns aos outros.",
        story:
          "Vinte minutos cada um e uma conversa caótica para acabar. Em português, ou pelo menos naquilo que cada um dos três garante ser português. O bar fica aberto e a primeira fila é um risco.",
      },
    },
    venue: "mercado-novo",
    weekday: 4,
    time: "21:30",
    minutes: 90,
    euros: 10,
    seats: 150,
  },
];
