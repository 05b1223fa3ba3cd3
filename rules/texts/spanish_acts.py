"""Spanish texts of what people do: what is observed of them, what they enter, and why that has no effect."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        "place": ("Ficha puesta", "Se coloca una ficha en la línea."),
        "withdraw": ("Ficha levantada", "Se levanta de nuevo una ficha de la línea."),
        "move": ("Ficha movida", "Una ficha de la línea cambia de sitio o gira."),
        "pass": ("Paso", "Un jugador pasa."),
        "announce": ("Anuncio", "Un jugador anuncia que nadie más tiene jugada."),
        "expose": ("Ficha boca arriba", "Una ficha queda boca arriba fuera de la línea."),
        "referee": ("Palabra del árbitro", "El árbitro decide."),
        "reveal": ("Fichas descubiertas", "Se vuelven las fichas que quedan."),
        "lift": ("Fichas levantadas", "Un jugador pone de pie sus fichas."),
        "rack_count": ("Fichas contadas en el atril", "Se cuentan las fichas de un atril."),
        "rack_swap": ("Fichas cambiadas en el atril", "Las fichas de un atril cambian de orden."),
        "hand_over_table": ("Mano sobre la mesa", "Una mano está sobre la zona de juego."),
        "impact": ("Golpe", "Una ficha golpea la mesa."),
        "draw": ("Sorteo", "Cada jugador toma una ficha para la primera salida."),
        "shuffle": ("Barajeo", "Se mezclan las fichas."),
        "take": ("Fichas tomadas", "Un jugador toma fichas del montón."),
        "entry": ("Anotación", "Una persona anota los tantos de la mano."),
        "objection": ("Reclamación", "Un jugador dice que le quitaron el turno."),
        "none_can_play": ("nadie más tiene jugada", "Nadie más tiene jugada."),
        "entered": ("Entrada de una persona", "{by} ha entrado: {what}."),
        "card": ("Tarjeta", "Se muestra una tarjeta a un jugador."),
        "correct": ("Corregir", "Lo que se dijo fue de otra manera, o no fue."),
        "undo": ("Deshacer", "Se retira la última entrada de una persona."),
        "start_match": ("Comenzar la partida", "Comienza la partida siguiente."),
        "start_hand": ("Comenzar la mano", "Se reparte la mano siguiente."),
        "snapshot": ("Publicar de nuevo", "El estado de la mesa se publica de nuevo."),
        "recalibrate": ("Calibrar de nuevo", "La cámara debe calibrarse de nuevo."),
        "match_over": ("la partida terminó", "La partida ya ha terminado."),
    }
)
