"""Portuguese texts: words for how things end, what is ruled and what things are called."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        # Ends of a hand, reasons to end a match
        "domination": (
            "Batida",
            "Um jogador ficou sem pedras; sua dupla marca todos os pontos não jogados.",
        ),
        "tranque": (
            "Fecho",
            "Ninguém pode jogar; vence a dupla com menos pontos e marca todos.",
        ),
        "tie": (
            "Empate",
            "Fecho com os mesmos pontos: a mão é anulada e sai o seguinte.",
        ),
        "void": (
            "Mão anulada",
            "A mão não conta.",
        ),
        "target": (
            "Pontos alcançados",
            "Uma dupla chegou aos pontos da partida.",
        ),
        "clock": (
            "Tempo esgotado",
            "Esgotou-se o tempo da partida.",
        ),
        # Rulings
        "uphold": (
            "Confirmar",
            "A infração é confirmada e a sua multa anotada.",
        ),
        "dismiss": (
            "Rejeitar",
            "Não houve infração.",
        ),
        "inconclusive": (
            "Sem prova suficiente",
            "Não há prova suficiente para decidir.",
        ),
        "intentional": (
            "Intencional",
            "O passe com pedra foi intencional: a dupla perde a partida.",
        ),
        "renege_intentional": (
            "Passe com pedra intencional",
            "O passe com pedra foi intencional: a dupla perde a partida.",
        ),
        "continue": (
            "Seguir",
            "A mão segue como está.",
        ),
        "repeat_hand": (
            "Repetir a mão",
            "A mão se repete; a dupla infratora não pode sair.",
        ),
        "go_back": (
            "Voltar atrás",
            "Volta-se à situação em que ocorreu a infração.",
        ),
        "agreement": (
            "Acordo",
            "Os jogadores da mesa chegaram a um acordo.",
        ),
        "free": (
            "Outra decisão",
            "O árbitro decide com as suas palavras.",
        ),
        "out_of_turn": (
            "Fora da vez",
            "A pedra foi jogada fora da vez.",
        ),
        "last_hand": (
            "Última mão",
            "Avisou-se a última mão.",
        ),
        "time_called": (
            "Tempo",
            "Avisou-se o fim do tempo.",
        ),
        "black_card": (
            "Cartão preto",
            "Um jogador foi expulso; vencem os rivais.",
        ),
        "incident": (
            "Abrir um incidente",
            "O árbitro abre um incidente.",
        ),
        # Why a ruling had no effect
        "ruling_refused": (
            "Decisão sem efeito",
            "A decisão ({choice}) não tem efeito: {refused}.",
        ),
        "unknown_choice": (
            "decisão desconhecida",
            "Essa decisão não existe.",
        ),
        "no_incident": (
            "não há tal incidente",
            "Não há um incidente a que se refira.",
        ),
        "no_seat": (
            "falta o lugar",
            "Não se disse de que lugar se trata.",
        ),
        "already_ruled": (
            "já foi decidido",
            "O incidente já está decidido.",
        ),
        "already_open": (
            "já está aberto",
            "O incidente já está aberto.",
        ),
        "already_chosen": (
            "já foi escolhido",
            "A escolha já não pode ser mudada.",
        ),
        "lapsed": (
            "prazo vencido",
            "Quem podia escolher já jogou: a mão segue.",
        ),
        "not_the_holder": (
            "não lhe cabe escolher",
            "Só pode escolher o rival à direita do infrator.",
        ),
        "not_in_rule_set": (
            "não consta do regulamento",
            "Este regulamento não o contempla.",
        ),
        "hand_over": (
            "mão terminada",
            "A mão já terminou.",
        ),
        # Seats, pairs, arms, ways to pass, causes, rule sets
        "S": (
            "Sul",
            "Lugar sul, dupla A.",
        ),
        "E": (
            "Leste",
            "Lugar leste, dupla B.",
        ),
        "N": (
            "Norte",
            "Lugar norte, dupla A.",
        ),
        "W": (
            "Oeste",
            "Lugar oeste, dupla B.",
        ),
        "A": (
            "Dupla A",
            "Sul e Norte.",
        ),
        "B": (
            "Dupla B",
            "Leste e Oeste.",
        ),
        "open": (
            "saída",
            "A pedra com que a linha começa.",
        ),
        "a": (
            "ponta a",
            "A ponta do lado de quem saiu.",
        ),
        "b": (
            "ponta b",
            "A ponta do outro lado.",
        ),
        "voice": (
            "de palavra",
            "Foi dito.",
        ),
        "knock": (
            "com uma batida",
            "Foi indicado com uma batida.",
        ),
        "button": (
            "com o botão",
            "Foi indicado com o botão.",
        ),
        "seen": (
            "visto",
            "Só a câmera viu.",
        ),
        "unsignalled": (
            "sem sinal",
            "Nada se ouviu nem se viu.",
        ),
        "touch": (
            "tocada",
            "A pedra foi tocada.",
        ),
        "drop": (
            "caída",
            "A pedra caiu.",
        ),
        "non_matching": (
            "não casava",
            "A pedra não casava.",
        ),
        "withdrawn": (
            "retirada",
            "A pedra foi retirada da linha.",
        ),
        "dusa": (
            "DUSA",
            "Regras da Dominousa.",
        ),
        "fid": (
            "FID",
            "Leis internacionais da FID.",
        ),
        "unknown": (
            "sem identificar",
            "Não se sabe.",
        ),
        "tile": (
            "uma pedra",
            "Uma pedra que não se conhece.",
        ),
        "somebody": (
            "alguém",
            "Não se sabe quem.",
        ),
        "nobody": (
            "ninguém",
            "Nenhum.",
        ),
    }
)
