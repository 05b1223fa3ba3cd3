"""The match sheet's own words, in three languages. What it says of rules, codes and rulings comes from rules.texts."""

WORDS = {
    "es": {
        "sheet": "Acta del partido", "match": "partido", "table": "mesa", "rules": "reglamento", "hand": "Mano", "end": "Cierre",
        "by": "Por", "points": "Puntos", "total": "Total", "fines": "Multas", "hands": "Manos", "incidents": "Incidencias",
        "rulings": "Decisiones", "entries": "Anotaciones de personas", "time": "Hora", "rule": "Norma", "seat": "Jugador",
        "decision": "Decisión", "none": "Ninguna.", "open": "pendiente", "fine": "multa propuesta", "on": "sobre el evento",
        "signatures": "Firmas", "pair": "Pareja", "referee": "Árbitro", "winner": "Ganador", "not_over": "sin terminar",
        "doubt": "duda", "voids": "retira los eventos", "evidence": "Pruebas",
        "proof_missing": "el archivo no está", "proof_differs": "el archivo no es el que se registró",
        "proof_holds": "como se registró",
    },
    "en": {
        "sheet": "Match sheet", "match": "match", "table": "table", "rules": "rules", "hand": "Hand", "end": "End",
        "by": "By", "points": "Points", "total": "Total", "fines": "Fines", "hands": "Hands", "incidents": "Incidents",
        "rulings": "Rulings", "entries": "Entered by people", "time": "Time", "rule": "Rule", "seat": "Player",
        "decision": "Decision", "none": "None.", "open": "open", "fine": "fine proposed", "on": "on event",
        "signatures": "Signatures", "pair": "Pair", "referee": "Referee", "winner": "Winner", "not_over": "not over",
        "doubt": "doubt", "voids": "takes back events", "evidence": "Evidence",
        "proof_missing": "the file is not there", "proof_differs": "the file is not the one that was recorded",
        "proof_holds": "as recorded",
    },
    "pt": {
        "sheet": "Súmula da partida", "match": "partida", "table": "mesa", "rules": "regulamento", "hand": "Mão", "end": "Fim",
        "by": "Por", "points": "Pontos", "total": "Total", "fines": "Multas", "hands": "Mãos", "incidents": "Incidentes",
        "rulings": "Decisões", "entries": "Lançado por pessoas", "time": "Hora", "rule": "Regra", "seat": "Jogador",
        "decision": "Decisão", "none": "Nenhum.", "open": "pendente", "fine": "multa proposta", "on": "sobre o evento",
        "signatures": "Assinaturas", "pair": "Dupla", "referee": "Árbitro", "winner": "Vencedor", "not_over": "não terminada",
        "doubt": "dúvida", "voids": "retira os eventos", "evidence": "Provas",
        "proof_missing": "o arquivo não está", "proof_differs": "o arquivo não é o que foi registrado",
        "proof_holds": "como foi registrado",
    },
}  # fmt: skip
