"""The sentences of the rules as DUSA and FID wrote them; `…` marks what was left out."""

from types import MappingProxyType

RULES = MappingProxyType(
    {
        # DUSA: Competencias de Dominó
        "DUSA-0": ("Las competencias de dómino en los Estados Unidos se rigen por las Reglas de Dominousa, sistema “Suizo”"),
        "DUSA-1a": (
            "Los partidos de dómino se juegan a doscientos (200) puntos o cuarenta (40) minutos, lo cual ocurra primero."
        ),
        "DUSA-1b": "Si los 40 minutos ocurren primero, la pareja con la mayor cantidad de puntos gana el partido.",
        "DUSA-1c": "la mano que se haya empezado se termina, aunque exceda de los 40 minutos reglamentarios.",
        "DUSA-2a": "cada jugador toma una ficha, y el jugador con la ficha más alta juega primero.",
        "DUSA-2b": (
            "las salidas en todas las manos serán de forma rotativa, de izquierda a derecha, empezando por el "
            "jugador contiguo al jugador que iniciara el partido."
        ),
        "DUSA-3": "Después del barajeo, las fichas se recogen y colocan en el atril sin acomodarse.",
        "DUSA-4a": "no se permite hacer comentarios, gestos o movimientos para indicar alguna jugada.",
        "DUSA-4b": "Las manos deben mantenerse debajo de la mesa. (Multa: 20 puntos)",
        "DUSA-5a": (
            "La multa se aplica si un jugador – teniendo jugada – dice “paso” o indica que “pasa” en la jugada. "
            "(Multa: 50 puntos)"
        ),
        "DUSA-5b": "Si en la opinión del Arbitro de Mesa el pase con ficha fue intencional, la pareja pierde el partido.",
        "DUSA-6a": "“Ficha tocada, ficha jugada”.",
        "DUSA-6b": "Si no tiene jugada, la ficha se coloca boca arriba en la mesa.",
        "DUSA-6c": "La ficha se juega a la primera oportunidad, sin importar si o no es conveniente para el jugador.",
        "DUSA-6d": "Si el jugador gana o tranca con la ficha, los puntos no cuentan para la pareja.",
        "DUSA-6e": "El jugador pierde su salida.",
        "DUSA-7": (
            "La multa se aplica si un jugador juega fuera de turno, sin importar si o no la ficha tiene jugada. "
            "(Multa: 20 puntos)"
        ),
        "DUSA-8": (
            "La multa se aplica si un jugador – en su turno – juega o intenta jugar una ficha que no tiene "
            "jugada por ninguno de los dos lados del cuadrante. (Multa: 50 puntos)"
        ),
        "DUSA-9": (
            "el jugador debe anunciar que nadie más tiene jugada o debe esperar a que los otros tres jugadores "
            "digan o indiquen que pasan antes de jugar. (Multa: 20 puntos)"
        ),
        "DUSA-10a": (
            "En caso de tranque, todos los puntos sin jugar, de ambas parejas, se cuentan y la pareja con menos "
            "puntos gana el tranque."
        ),
        "DUSA-10b": "Si hubiese un empate de puntos entre las dos parejas, se anula la mano y continúa la rotación.",
        "DUSA-11a": "La ficha inicial de la mano, si es un doble, se coloca de forma horizontal al jugador",
        "DUSA-11b": "si se una piedra mixta, se coloca con el numero menor hacia el jugador.",
        "DUSA-12": (
            "Los Arbitros de Mesa tienen la potestad de decidir cualquier asunto que no estuviese incluido en "
            "estas reglas, y la decisión será considerada final."
        ),
        # FID: Leyes Internacionales, extract
        "FID-0": "las siguientes Reglas bien sirven para orientar las Condiciones Generales de un Torneo de Dominó.",
        "FID-VOC-1": "Jugada: Colocación de una ficha sobre la mesa",
        "FID-VOC-2": "Gana esa mano el jugador que acaba antes sus fichas (salvo en el cierre).",
        "FID-VOC-3": "La suma de los puntos negros que tienen las fichas no jugadas, o premios por jugadas especiales",
        "FID-VOC-4": (
            "Total de manos hasta que una de las 2 parejas ha conseguido los puntos señalados como objetivo por la organización."
        ),
        "FID-VOC-5": "Total de partidas acordadas por la organización para cada competición.",
        "FID-VOC-6": "Conjunto de fichas coincidentes en una de los cuadrados.",
        "FID-BEH-1": "cada jugador frente a su compañero. SE SALUDARAN al iniciar el encuentro y al terminar.",
        "FID-BEH-2": (
            "NO podrán hablar durante la jugada, solo se permite un breve comentario al acabar la mano. No se "
            "permite mentir ni falsear."
        ),
        "FID-BEH-3": (
            "NO se golpeará al colocar la ficha, y se jugaran todas las fichas de forma natural, sin prisas, "
            "golpes, sin movimientos preconcebidos ni sistemáticos."
        ),
        "FID-BEH-4": "No se permite hacer aspavientos, burlas, ni cualquier falta de respeto al compañero o los rivales.",
        "FID-BEH-5": "Juegan 4 jugadores, parejas cruzadas, con un domino de 28 fichas. Cada jugador juega 7 fichas.",
        "FID-BEH-6": "Se juega siguiendo el turno hacia la derecha (contra agujas del reloj).",
        "FID-BEH-7": "No se podrá entrar en la sala sin el uniforme oficial.",
        "FID-BEH-8": (
            "Todos los Directivos pueden participar en el Campeonato, pero ante este hecho, pierden de forma "
            "temporal durante todo el Campeonato, su condición de Directivo"
        ),
        "FID-BEH-9": (
            "Ningún jugador podrá apelar a sus deficiencias físicas, como argumento para no … respetar este reglamento."
        ),
        "FID-SAL-1": (
            "El que saque la mayor puntuación (en caso de empate el palo de mayor puntuación- el 6), será el "
            "jugador 1 y elegirá posición en la mesa."
        ),
        "FID-SAL-2": (
            "El jugador 4 colocará las fichas con la parte negra (sin puntos hacia arriba) y sin que se pueda "
            "localizar ninguna ficha las moverá mezclándolas de forma clara."
        ),
        "FID-SAL-3": "El jugador 1 volverá a mover mezclándolas otra vez.",
        "FID-SAL-4": "Los jugadores 2, 3 y 4 por este orden tomarán 7 fichas cada uno, sin levantarlas ni mirarlas.",
        "FID-SAL-5": (
            "Las pondrá derechas sobre la mesa apoyadas en el lado corto, con los números hacia El. NO podrá "
            "moverlas ni cambiarlas de posición. No podrá tocarlas, solo para jugarlas cuando haya decidido."
        ),
        "FID-SAL-6": (
            "en sentido transversal a El , si se trata de un doble. O con la cara de menos puntos más próxima a "
            "El, si se trata de una ficha de dos valores."
        ),
        "FID-SAL-7": (
            "El jugador 2 levantará las fichas de igual forma. Colocará la ficha elegida a continuación "
            "(siguiendo la trayectoria contraria al reloj = según se juega)"
        ),
        "FID-SAL-8": "Los jugadores 3 y 4 no podrán levantar las fichas hasta que su compañera haya jugado.",
        "FID-SAL-9": (
            "Al acabar la mano, se repite la operación, teniendo categoría de jugador 1 el jugador colocado a la "
            "derecha del anterior, y así sucesivamente."
        ),
        "FID-PUN-1": (
            "Gana la mano el jugador que acaba sus fichas primero. La victoria corresponde a los dos jugadores "
            "que forman la pareja."
        ),
        "FID-PUN-2": (
            "Recogerán todas la fichas que no se hayan jugado incluidas las fichas del compañero, y contarán "
            "todos los puntos que tengan dichas fichas"
        ),
        "FID-PUN-3": "hasta alcanzar o sobrepasar los tantos acordados por la organización (300 en el 2º Mundial)",
        "FID-PUN-4": (
            "La pareja contraria deberá controlar que la suma de tantos sea correcta y que las anotaciones no "
            "tengan ningún error."
        ),
        "FID-PUN-5": "Cada pareja tiene opción de pedir una tantera complementaria y llevar las cuentas al unísono.",
        "FID-PUN-6": (
            "En el cierre o tranca, los jugadores deberán sumar los tantos de las fichas de ambos, ganará la "
            "pareja que sumen menos tantos. Los ganadores se anotarán a su favor el total de tantos no jugados."
        ),
        "FID-PUN-7": (
            "En caso de empate (las dos parejas suman los mismos tantos) la partida se anula, no se apunta nada "
            "y se juega la partida siguiente"
        ),
        "FID-PUN-8": "Las manos han de ser pares, por tanto a la voz de ultima mano se podrá jugar una última mano par.",
        "FID-PUN-9": "No se vuelven las fichas con 5 o más dobles.",
        "FID-PUN-10": (
            "Cuando se produzca error o confusión en la tantera, y ya se haya entregado al juez, este modificará "
            "la clasificación durante la siguiente partida."
        ),
        "FID-ACT-1": "Las fichas se colocan en una posición y NO pueden cambiarse.",
        "FID-ACT-2": (
            "SOLO SE PUEDE PENSAR en el caso de tener dos fichas o más para jugar, o en el caso de ser una sola "
            "ficha que pueda jugarse por las dos caras con dos palos distintos. Se considera pensada el tiempo "
            "que supere en 3 segundos después de la jugada del adversario."
        ),
        "FID-ACT-3": (
            "Cuando un jugador comete una infracción, voluntaria o no … el rival situado a su derecha tendrá la "
            "facultad de llamar al arbitro, 1- seguir la mano tal como está, 2- repetir la mano (la salida no la "
            "puede realizar la pareja infractora) 3 - o volver a la situación donde se produjo la infracción"
        ),
        "FID-ACT-4": (
            "Ningún jugador podrá levantarse de la mesa, hablar por teléfono, o actuar de forma que distraiga la "
            "concentración de sus rivales"
        ),
        "FID-ACT-5": "La pensada excesiva o innecesaria será considerada conducta antideportiva.",
        "FID-ACT-6": (
            "Los jugadores no deberán mirarse a la cara, ni realizar ningún gesto que se pueda interpretar como "
            "información adicional."
        ),
        "FID-ACT-7": (
            "La repetición de incidentes por parte de una pareja trae como consecuencia la notificación, la "
            "advertencia y la expulsión del campeonato."
        ),
        "FID-ACT-8": (
            "El “arreglo” o acuerdo entre los deportistas, para alterar el resultado, comporta tarjeta negra de inmediato."
        ),
        "FID-ACT-9": "Las peleas, o incidentes graves, comportan tarjeta negra de inmediato.",
        "FID-ACT-10": (
            "Los “chivos”, caidas de fichas, y cualquier otra infracción NO TIENEN CASTIGO EN PUNTOS. Solo si es "
            "conducta antideportiva, tienen castigo como infracción."
        ),
        "FID-CLA-1": (
            "después de cada partida se clasificará de acuerdo con el número de partidas ganas, y a igualdad de "
            "victorias según el número de puntos obtenidos de la suma de diferencias."
        ),
        "FID-CLA-2": "La siguiente partida se emparejan 1º - 2º, 3º - 4º, y así sucesivamente.",
        "FID-CLA-3": "En caso de ser número impar, la pareja última gana su encuentro con 150 puntos a favor.",
        "FID-CLA-4": (
            "Las parejas que se retrasen, perderán la partida a los 7 minutos transcurridos después de la señal de inicio."
        ),
        "FID-CLA-5": "Cualquier pareja puede solicitar al árbitro de mesa retirarse de la competición",
        "FID-DEN-1": "Puede ser realizada POR ESCRITO por cualquier persona, rival, árbitro, incluso un mirón.",
        "FID-DEN-2": (
            "A criterio del árbitro, el jugador podrá ser advertido y/o aconsejado para que no repita la acción irreglamentaria."
        ),
        "FID-DEN-3": "una denuncia no es valida sin prueba o testigo.",
        "FID-TAR-Y": (
            "deberá ser denunciada por uno de estos 2 árbitros y ratificada por el otro, con lo cual existe "
            "denunciante con autoridad y también testigo."
        ),
        "FID-TAR-R": "deberá ser denunciada por uno de estos 2 árbitros y ratificada por el otro, por segunda vez.",
        "FID-TAR-N1": "Únicamente el Juez Principal podrá mostrar tarjeta negra.",
        "FID-TAR-N2": (
            "podrá expulsarlo de la sala de juego, mostrándole la tarjeta negra, y notificando el hecho a los "
            "servicios de seguridad."
        ),
        "FID-TAR-N3": (
            "Si la partida está sin concluir, el triunfo será para la pareja rival, siendo la tantera a favor "
            "por el 50% de los tantos, como mínimo."
        ),
        "FID-APE": "El jugador podrá apelar por escrito en cualquier momento siguiendo estas pautas",
        "FID-DOP": "los deportistas podrán ser sometidos a control antidoping en cualquier momento de la Competición.",
        "FID-ESP": (
            "en cualquier incidente debe mediar el acuerdo entre los jugadores de una mesa, y prevalecer el espíritu deportivo."
        ),
    }
)
