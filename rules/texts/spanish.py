"""Spanish texts: a short title and one sentence for every infraction, advice, doubt and event."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        # Infractions
        "OUT_OF_TURN": (
            "Fuera de turno",
            "{seat} jugó {tile} sin que fuera su turno.",
        ),
        "WRONG_STARTER": (
            "Salida de quien no debía",
            "{seat} salió con {tile} y la salida no era suya.",
        ),
        "NON_MATCHING": (
            "Ficha que no casa",
            "{seat} puso {tile}, que no casa en ninguna punta.",
        ),
        "WRONG_END": (
            "Punta equivocada",
            "{seat} puso {tile} en la {end}, y solo casaba en la otra.",
        ),
        "RENEGE": (
            "Pase con ficha",
            "{seat} pasó teniendo una ficha que casaba.",
        ),
        "RENEGE_OR_OUT_OF_TURN": (
            "Pase con ficha o fuera de turno",
            ("{seat}: o el primero jugó fuera de turno, o el segundo calló teniendo ficha; lo decide el árbitro."),
        ),
        "RENEGE_UNATTRIBUTED": (
            "Alguien pasó con ficha",
            "Cuatro pases seguidos sin que la mano esté cerrada: alguien tiene una ficha que casa.",
        ),
        "PREMATURE_RUN": (
            "Jugada corrida sin avisar",
            "{seat} volvió a jugar sin anunciar que nadie más podía ni esperar los tres pases.",
        ),
        "TOUCHED": (
            "Ficha tocada",
            "{seat} tocó una ficha sin jugarla.",
        ),
        "TOUCH_BREACH": (
            "Ficha tocada y jugada otra",
            "{seat} jugó {tile} cuando debía jugar la ficha tocada o descubierta.",
        ),
        "EXPOSED": (
            "Ficha descubierta",
            "{seat} dejó a la vista {tile}.",
        ),
        "OPENING_ORIENTATION": (
            "Salida mal orientada",
            "{seat} puso la ficha de salida {tile} en una posición que no es la debida.",
        ),
        "TILE_MOVED": (
            "Ficha movida",
            "{seat} movió {tile}, que ya estaba colocada.",
        ),
        "FALSE_THINK": (
            "Pensada en falso",
            "{seat} pensó sin tener qué elegir.",
        ),
        "PREMATURE_LIFT": (
            "Fichas levantadas antes de tiempo",
            "{seat} levantó sus fichas antes de que le correspondiera.",
        ),
        "RACK_REARRANGED": (
            "Fichas acomodadas",
            "{seat} cambió de sitio las fichas de su atril.",
        ),
        "DEAL_FAULT": (
            "Reparto incorrecto",
            "{seat} no tiene las fichas que corresponden a siete por jugador.",
        ),
        "TILE_SET_FAULT": (
            "Juego de fichas incompleto",
            "Las fichas vistas no son las 28, una vez cada una.",
        ),
        "SCORE_MISMATCH": (
            "La cuenta no cuadra",
            "Lo anotado y lo contado difieren en {difference} tantos.",
        ),
        "TALK_OR_GESTURE": (
            "Palabra o gesto",
            "{seat} habló o hizo un gesto durante la jugada.",
        ),
        "CONDUCT": (
            "Conducta",
            "La conducta de {seat} fue contraria al reglamento.",
        ),
        "INCIDENT": (
            "Incidente",
            "El árbitro abrió un incidente sobre {seat}.",
        ),
        # Advice
        "DOUBLE_POSE": (
            "Doble sin cruzar",
            "{seat} puso el doble a lo largo de la línea.",
        ),
        "BEND_DIRECTION": (
            "Vuelta hacia el otro lado",
            "{seat} dobló la línea hacia el lado contrario al acostumbrado.",
        ),
        "HANDS_ON_TABLE": (
            "Manos sobre la mesa",
            "{seat} tuvo la mano sobre la mesa sin ser su turno.",
        ),
        "EXCESSIVE_THINK": (
            "Pensada excesiva",
            "{seat} pensó más de lo que admite la organización.",
        ),
        "STRIKE_OR_THROW": (
            "Golpe o tiro de ficha",
            "{seat} golpeó o tiró la ficha al colocarla.",
        ),
        "LEVEL_SCORE": (
            "Empate a tantos",
            "El partido debía terminar y las parejas están empatadas; decide el árbitro.",
        ),
        "REDEAL": (
            "Muchos dobles",
            "{seat} tiene tantos dobles que la mano puede repartirse de nuevo.",
        ),
        # Doubts
        "READ_CONFLICT": (
            "Lecturas que se contradicen",
            "Una misma ficha se leyó en dos lugares.",
        ),
        "CALIBRATION_ALARM": (
            "Revisar la cámara",
            "Las jugadas van contra el orden de juego: la imagen está invertida o los asientos están mal.",
        ),
        "FALSE_BLOCK": (
            "Cierre que no lo es",
            "Se dio la mano por cerrada y puede que alguien tenga jugada.",
        ),
        "turned picture": (
            "Imagen girada",
            "La imagen de la cámara puede estar invertida o girada: quien está ahí es otro jugador.",
        ),
        "silent pass": (
            "Pase en silencio",
            "Los jugadores saltados pasaron sin decirlo.",
        ),
        "custom": (
            "Costumbre",
            "Es costumbre y no regla.",
        ),
        # Events
        "hand_opened": (
            "Salida",
            "Sale {opener}.",
        ),
        "tile_played": (
            "Jugada",
            "{seat} juega {tile} ({end}); puntas: {ends}.",
        ),
        "turn_passed": (
            "Pase",
            "{seat} pasa ({via}).",
        ),
        "tile_withdrawn": (
            "Ficha retirada",
            "{seat} retira {tile}.",
        ),
        "tile_moved": (
            "Ficha cambiada de punta",
            "{seat} mueve {tile}; puntas: {ends}.",
        ),
        "tile_exposed": (
            "Ficha a la vista",
            "Se ve {tile} de {seat} fuera de la línea.",
        ),
        "hand_closed": (
            "Mano cerrada",
            "{end} de {by_seat}; quedan {unplayed} tantos sin jugar.",
        ),
        "hand_ended": (
            "Mano terminada",
            "{end}; gana {winner}; tantos: {points}.",
        ),
        "score_changed": (
            "Marcador",
            "Tantos: {points}; multas: {fines}.",
        ),
        "match_ended": (
            "Partido terminado",
            "Gana {winner} ({reason}); resultado: {score}.",
        ),
        "infraction": (
            "Infracción",
            "{code}: {seat} ({rule}).",
        ),
        "suspicion": (
            "Duda para el árbitro",
            "Puede ser: {code} ({seats}).",
        ),
        "advice": (
            "Aviso al árbitro",
            "{code}: {seat}.",
        ),
        "reading_doubted": (
            "Ficha dudosa",
            "No se lee bien la ficha de {seat} ({end}): {candidates}.",
        ),
        "correction": (
            "Corrección",
            "Se corrige la observación {observation}.",
        ),
        "ruling": (
            "Decisión del árbitro",
            "El árbitro decide: {choice}.",
        ),
        "health": (
            "Estado del equipo",
            "{fps} imágenes por segundo.",
        ),
        "evidence": (
            "Prueba",
            "Hay más imágenes de una incidencia.",
        ),
        "watching": (
            "Mirando la mesa",
            "La mesa se ve bien.",
        ),
        "not_watching": (
            "Sin mirar la mesa",
            "No se está mirando la mesa.",
        ),
        "camera_moved": (
            "Cámara movida",
            "La cámara se ha movido y hay que calibrarla.",
        ),
        "out_of_focus": (
            "Imagen desenfocada",
            "La imagen está desenfocada.",
        ),
        "too_dark": (
            "Poca luz",
            "Hay poca luz para leer las fichas.",
        ),
    }
)
