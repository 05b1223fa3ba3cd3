// Every word on the board, by key and language. A code that is not listed is shown as it is.

const CATALOGUE = {
  scoreboard: ["Marcador", "Scoreboard", "Placar"],
  match: ["Partida", "Match", "Partida"],
  hand: ["Mano", "Hand", "Mão"],
  target: ["Meta", "Target", "Meta"],
  total: ["Total", "Total", "Total"],
  fines: ["Multas", "Fines", "Multas"],
  ends: ["Puntas", "Open ends", "Pontas"],
  turn: ["Turno", "Turn", "Vez"],
  last: ["Última jugada", "Last play", "Última jogada"],
  passes: ["Pases", "Passes", "Passes"],
  line: ["Línea de juego", "Line of play", "Linha de jogo"],
  tiles: ["fichas", "tiles", "pedras"],
  seat0: ["Sur", "South", "Sul"],
  seat1: ["Este", "East", "Leste"],
  seat2: ["Norte", "North", "Norte"],
  seat3: ["Oeste", "West", "Oeste"],
  pair: ["Pareja", "Pair", "Dupla"],
  unknown: ["sin saber", "unknown", "desconhecido"],
  sound_on: ["Sonido: sí", "Sound: on", "Som: sim"],
  sound_off: ["Sonido: no", "Sound: off", "Som: não"],
  holdings: [
    "Lo que puede tener cada puesto (hace {s} s)",
    "What each seat can hold ({s} s ago)",
    "O que cada lugar pode ter (há {s} s)",
  ],
  passed: ["pasó", "passed", "passou"],
  withdrew: ["retiró", "took back", "retirou"],
  exposed: ["descubrió", "exposed", "descobriu"],
  doubted: ["ficha dudosa", "tile in doubt", "pedra duvidosa"],
  live: ["En vivo", "Live", "Ao vivo"],
  connecting: ["Conectando…", "Connecting…", "Conectando…"],
  no_signal: ["Sin señal desde hace {s} s", "No signal since {s} s", "Sem sinal há {s} s"],
  stopped: ["Mesa detenida", "Table stopped", "Mesa parada"],
  no_table: ["Esperando la mesa", "Waiting for the table", "Aguardando a mesa"],
  old: [
    "Lo que se ve es lo último que se supo: partida {match}, mano {hand}, hace {age}.",
    "What you see is the last that was known: match {match}, hand {hand}, {age} ago.",
    "O que se vê é o último que se soube: partida {match}, mão {hand}, há {age}.",
  ],
  old_nothing: ["Todavía no ha llegado nada de esta mesa.", "Nothing has come from this table yet.", "Nada chegou desta mesa ainda."],
  waiting: ["Esperando la salida", "Waiting for the opening", "Aguardando a saída"],
  closed: ["Mano cerrada: se cuentan los tantos", "Hand closed: counting", "Mão fechada: contagem"],
  ended: ["Mano terminada", "Hand ended", "Mão terminada"],
  over: ["Partida terminada", "Match over", "Partida terminada"],
  won: ["Ganó {team}", "{team} won", "{team} venceu"],
  infraction: ["Infracción", "Infraction", "Infração"],
  suspicion: ["Duda para el árbitro", "Doubt for the referee", "Dúvida para o árbitro"],
  reading_doubted: ["Lectura dudosa", "Reading in doubt", "Leitura duvidosa"],
  alarm: ["Aviso", "Alarm", "Aviso"],
  OUT_OF_TURN: ["jugó fuera de turno", "played out of turn", "jogou fora da vez"],
  WRONG_STARTER: ["salió quien no debía", "wrong starter", "saiu quem não devia"],
  NON_MATCHING: ["la ficha no casa", "the tile does not match", "a pedra não casa"],
  WRONG_END: ["colocó en la otra punta", "laid at the wrong end", "colocou na outra ponta"],
  RENEGE: ["pasó con ficha", "passed with a playable tile", "passou com pedra"],
  RENEGE_OR_OUT_OF_TURN: ["pase con ficha o fuera de turno", "renege or out of turn", "passe com pedra ou fora da vez"],
  RENEGE_UNATTRIBUTED: ["alguien pasó con ficha", "somebody passed with a playable tile", "alguém passou com pedra"],
  PREMATURE_RUN: ["jugó de corrido sin avisar", "ran on without announcing", "jogou em seguida sem avisar"],
  TOUCHED: ["tocó una ficha", "touched a tile", "tocou uma pedra"],
  TOUCH_BREACH: ["ficha tocada, otra jugada", "touched one tile, played another", "tocou uma pedra e jogou outra"],
  EXPOSED: ["ficha descubierta", "exposed tile", "pedra descoberta"],
  OPENING_ORIENTATION: ["salida mal orientada", "opening laid the wrong way", "saída mal orientada"],
  TILE_MOVED: ["movió fichas de la mesa", "moved tiles on the table", "moveu pedras da mesa"],
  FALSE_THINK: ["pensó sin tener qué pensar", "thought with nothing to choose", "pensou sem ter escolha"],
  PREMATURE_LIFT: ["levantó antes de tiempo", "lifted too early", "levantou antes da hora"],
  RACK_REARRANGED: ["cambió el orden de sus fichas", "rearranged the rack", "mudou a ordem das pedras"],
  DEAL_FAULT: ["reparto incorrecto", "faulty deal", "distribuição incorreta"],
  TILE_SET_FAULT: ["juego de fichas incompleto", "faulty set of tiles", "jogo de pedras incompleto"],
  SCORE_MISMATCH: ["la cuenta no cuadra", "the count does not add up", "a conta não confere"],
  TALK_OR_GESTURE: ["palabra o gesto", "talk or gesture", "palavra ou gesto"],
  CONDUCT: ["conducta", "conduct", "conduta"],
  INCIDENT: ["incidente", "incident", "incidente"],
  READ_CONFLICT: ["dos lecturas se contradicen", "two readings disagree", "duas leituras se contradizem"],
  CALIBRATION_ALARM: ["la cámara se ha movido", "the camera has moved", "a câmera se moveu"],
  FALSE_BLOCK: ["cierre que no lo es", "a block that is none", "fecho que não é"],
  DOUBLE_POSE: ["doble sin cruzar", "double not across", "carroça sem cruzar"],
  BEND_DIRECTION: ["vuelta en sentido contrario", "bend the wrong way", "curva no sentido contrário"],
  HANDS_ON_TABLE: ["manos sobre la mesa", "hands on the table", "mãos sobre a mesa"],
  REDEAL: ["muchos dobles", "many doubles", "muitas carroças"],
  LEVEL_SCORE: ["empate a puntos", "level score", "empate em pontos"],
  EXCESSIVE_THINK: ["demora excesiva", "took too long", "demora excessiva"],
  STRIKE_OR_THROW: ["golpe o lanzamiento", "struck or thrown tile", "batida ou lançamento"],
  DUPLICATE_TABLE: ["dos equipos publican esta mesa", "two agents publish this table", "dois equipamentos publicam esta mesa"],
};

const LANGUAGES = ["es", "en", "pt"];

/** The language asked for with ?lang=, else Spanish. */
export function languageOf(search) {
  const asked = new URLSearchParams(search).get("lang");
  return LANGUAGES.includes(asked) ? asked : "es";
}

/** `say(key, {name: value})`: the words for a key in one language, of `more` too; a key that is not there is shown itself. */
export function speaker(language, more = {}) {
  const column = LANGUAGES.indexOf(language);
  return (key, values = {}) => {
    const found = [more, CATALOGUE].find((catalogue) => Object.hasOwn(catalogue, key));
    const words = found ? found[key][column] : String(key);
    return words.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
  };
}

/** The name of a seat. */
export const seatWords = (seat, say) => say(seat === null ? "unknown" : `seat${seat}`);

/** The name of a pair of a state, which may be null. */
export const teamWords = (state, pair, say) => state?.teams[pair].name || `${say("pair")} ${pair}`;

/** Who won; empty while nobody has. */
export const wonWords = (state, say) => (state?.winner ? say("won", { team: teamWords(state, state.winner, say) }) : "");

/** Who may have done what; where the code says no more than its `kind`, that is named if it is given. */
export function alertWords(alert, say, kind) {
  const what = alert.code && alert.code.toLowerCase() !== alert.type ? alert.code : kind;
  return [alert.seats.map((seat) => seatWords(seat, say)).join(" / "), what ? say(what) : ""].filter(Boolean).join(": ");
}

/** A number with its sign: what it adds to a total. */
export const signed = (number) => (number > 0 ? `+${number}` : String(number));
