"""Spanish texts: words for how things end, what is ruled and what things are called."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        # Ends of a hand, reasons to end a match
        "domination": (
            "Dominó",
            "Un jugador se quedó sin fichas; su pareja se anota todos los tantos sin jugar.",
        ),
        "tranque": (
            "Tranque",
            "Nadie puede jugar; gana la pareja con menos tantos y se anota todos.",
        ),
        "tie": (
            "Empate",
            "Tranque con los mismos tantos: la mano se anula y sale el siguiente.",
        ),
        "void": (
            "Mano anulada",
            "La mano no cuenta.",
        ),
        "target": (
            "Tantos alcanzados",
            "Una pareja llegó a los tantos del partido.",
        ),
        "clock": (
            "Tiempo cumplido",
            "Se cumplió el tiempo del partido.",
        ),
        # Rulings
        "uphold": (
            "Confirmar",
            "La infracción se confirma y su multa se anota.",
        ),
        "dismiss": (
            "Desestimar",
            "No hubo infracción.",
        ),
        "inconclusive": (
            "Sin prueba bastante",
            "No hay prueba bastante para decidir.",
        ),
        "intentional": (
            "Intencional",
            "El pase con ficha fue intencional: la pareja pierde el partido.",
        ),
        "renege_intentional": (
            "Pase con ficha intencional",
            "El pase con ficha fue intencional: la pareja pierde el partido.",
        ),
        "continue": (
            "Seguir",
            "La mano sigue tal como está.",
        ),
        "repeat_hand": (
            "Repetir la mano",
            "La mano se repite; la pareja infractora no puede salir.",
        ),
        "go_back": (
            "Volver atrás",
            "Se vuelve a la situación en que se produjo la infracción.",
        ),
        "agreement": (
            "Acuerdo",
            "Los jugadores de la mesa se pusieron de acuerdo.",
        ),
        "free": (
            "Otra decisión",
            "El árbitro decide con sus palabras.",
        ),
        "out_of_turn": (
            "Fuera de turno",
            "La ficha se jugó fuera de turno.",
        ),
        "last_hand": (
            "Última mano",
            "Se avisó de la última mano.",
        ),
        "time_called": (
            "Tiempo",
            "Se avisó del final del tiempo.",
        ),
        "black_card": (
            "Tarjeta negra",
            "Un jugador fue expulsado; ganan los rivales.",
        ),
        "incident": (
            "Abrir un incidente",
            "El árbitro abre un incidente.",
        ),
        # Why a ruling had no effect
        "ruling_refused": (
            "Decisión sin efecto",
            "La decisión ({choice}) no tiene efecto: {refused}.",
        ),
        "unknown_choice": (
            "decisión desconocida",
            "Esa decisión no existe.",
        ),
        "no_incident": (
            "no hay tal incidente",
            "No hay un incidente al que se refiera.",
        ),
        "no_seat": (
            "falta el asiento",
            "No se dijo de qué asiento se trata.",
        ),
        "already_ruled": (
            "ya se decidió",
            "El incidente ya está decidido.",
        ),
        "already_open": (
            "ya está abierto",
            "El incidente ya está abierto.",
        ),
        "already_chosen": (
            "ya se eligió",
            "La elección ya no puede cambiarse.",
        ),
        "lapsed": (
            "plazo vencido",
            "Quien podía elegir ya jugó: la mano sigue.",
        ),
        "not_the_holder": (
            "no le corresponde elegir",
            "Solo puede elegir el rival a la derecha del infractor.",
        ),
        "not_in_rule_set": (
            "no figura en el reglamento",
            "Este reglamento no lo contempla.",
        ),
        "hand_over": (
            "mano terminada",
            "La mano ya terminó.",
        ),
        # Seats, pairs, arms, ways to pass, causes, rule sets
        "S": (
            "Sur",
            "Asiento sur, pareja A.",
        ),
        "E": (
            "Este",
            "Asiento este, pareja B.",
        ),
        "N": (
            "Norte",
            "Asiento norte, pareja A.",
        ),
        "W": (
            "Oeste",
            "Asiento oeste, pareja B.",
        ),
        "A": (
            "Pareja A",
            "Sur y Norte.",
        ),
        "B": (
            "Pareja B",
            "Este y Oeste.",
        ),
        "open": (
            "salida",
            "La ficha con la que empieza la línea.",
        ),
        "a": (
            "punta a",
            "La punta del lado de quien salió.",
        ),
        "b": (
            "punta b",
            "La punta del otro lado.",
        ),
        "voice": (
            "de palabra",
            "Lo dijo.",
        ),
        "knock": (
            "con un golpe",
            "Lo indicó con un golpe.",
        ),
        "button": (
            "con el botón",
            "Lo indicó con el botón.",
        ),
        "seen": (
            "visto",
            "Solo lo vio la cámara.",
        ),
        "unsignalled": (
            "sin señal",
            "Nada se oyó ni se vio.",
        ),
        "touch": (
            "tocada",
            "La ficha fue tocada.",
        ),
        "drop": (
            "caída",
            "La ficha se cayó.",
        ),
        "non_matching": (
            "no casaba",
            "La ficha no casaba.",
        ),
        "withdrawn": (
            "retirada",
            "La ficha fue retirada de la línea.",
        ),
        "dusa": (
            "DUSA",
            "Reglas de Dominousa.",
        ),
        "fid": (
            "FID",
            "Leyes internacionales de la FID.",
        ),
        "unknown": (
            "sin identificar",
            "No se sabe.",
        ),
        "tile": (
            "una ficha",
            "Una ficha que no se conoce.",
        ),
        "somebody": (
            "alguien",
            "No se sabe quién.",
        ),
        "nobody": (
            "nadie",
            "Ninguno.",
        ),
    }
)
