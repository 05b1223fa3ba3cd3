// The words of the replay page beside those of the board and the console, by key in Spanish, English and Portuguese.

export const WORDS = {
  replay: ["Repetición", "Replay", "Replay"],
  recordings: ["Partidas grabadas", "Recorded matches", "Partidas gravadas"],
  no_recordings: [
    "No hay partidas grabadas aquí: miron display --recordings CARPETA.",
    "There are no recorded matches here: miron display --recordings FOLDER.",
    "Não há partidas gravadas aqui: miron display --recordings PASTA.",
  ],
  loading: [
    "Se vuelve a jugar la partida con estas reglas…",
    "The match is being played again under these rules…",
    "A partida está sendo jogada de novo com estas regras…",
  ],
  not_loaded: ["Esta grabación no se puede mostrar.", "This recording cannot be shown.", "Esta gravação não pode ser mostrada."],
  play: ["Reproducir", "Play", "Reproduzir"],
  pause: ["Pausa", "Pause", "Pausa"],
  back: ["Anterior", "Previous", "Anterior"],
  forward: ["Siguiente", "Next", "Seguinte"],
  incident_back: ["Incidencia anterior", "Previous incident", "Incidência anterior"],
  incident_forward: ["Incidencia siguiente", "Next incident", "Incidência seguinte"],
  speed: ["Velocidad", "Speed", "Velocidade"],
  timeline: ["Línea de tiempo", "Timeline", "Linha do tempo"],
  moments: ["Momentos", "Moments", "Momentos"],
  only_incidents: ["Solo incidencias", "Incidents only", "Só incidências"],
  compare: ["Los dos reglamentos", "Both rule sets", "Os dois regulamentos"],
  show_video: ["Vídeo", "Video", "Vídeo"],
  recorded_under: ["{ruleset} (así se jugó)", "{ruleset} (as it was played)", "{ruleset} (como foi jogado)"],
  before_start: ["Antes de la salida", "Before the opening", "Antes da saída"],
  no_moments: ["Ninguno.", "None.", "Nenhum."],
  replay_keys: [
    "Espacio: reproducir o pausa · ← →: jugada · mayúsculas + ← →: incidencia",
    "Space: play or pause · ← →: play by play · Shift + ← →: incident",
    "Espaço: reproduzir ou pausa · ← →: jogada · Shift + ← →: incidência",
  ],
};
