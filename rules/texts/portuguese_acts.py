"""Portuguese texts of what people do: what is observed of them, what they enter, and why that has no effect."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        "place": ("Pedra colocada", "Uma pedra é colocada na linha."),
        "withdraw": ("Pedra levantada", "Uma pedra da linha é levantada de novo."),
        "move": ("Pedra movida", "Uma pedra da linha muda de lugar ou gira."),
        "pass": ("Passo", "Um jogador passa."),
        "announce": ("Anúncio", "Um jogador anuncia que ninguém mais tem jogada."),
        "expose": ("Pedra virada para cima", "Uma pedra fica virada para cima fora da linha."),
        "referee": ("Palavra do árbitro", "O árbitro decide."),
        "reveal": ("Pedras abertas", "As pedras que restam são viradas."),
        "lift": ("Pedras em pé", "Um jogador põe de pé as suas pedras."),
        "rack_count": ("Pedras contadas na estante", "As pedras de uma estante são contadas."),
        "rack_swap": ("Pedras trocadas na estante", "As pedras de uma estante mudam de ordem."),
        "hand_over_table": ("Mão sobre a mesa", "Uma mão está sobre a área de jogo."),
        "impact": ("Batida", "Uma pedra bate na mesa."),
        "draw": ("Sorteio", "Cada jogador tira uma pedra para a primeira saída."),
        "shuffle": ("Embaralhamento", "As pedras são embaralhadas."),
        "take": ("Pedras tiradas", "Um jogador tira pedras do monte."),
        "entry": ("Anotação", "Uma pessoa anota os pontos da mão."),
        "objection": ("Reclamação", "Um jogador diz que lhe tiraram a vez."),
        "none_can_play": ("ninguém mais tem jogada", "Ninguém mais tem jogada."),
        "entered": ("Entrada de uma pessoa", "{by} lançou: {what}."),
        "card": ("Cartão", "Um cartão é mostrado a um jogador."),
        "correct": ("Corrigir", "O que se disse foi de outro modo, ou não foi."),
        "undo": ("Desfazer", "O último lançamento de uma pessoa é retirado."),
        "start_match": ("Começar a partida", "Começa a partida seguinte."),
        "start_hand": ("Começar a mão", "A mão seguinte está sendo distribuída."),
        "snapshot": ("Publicar de novo", "O estado da mesa é publicado de novo."),
        "recalibrate": ("Calibrar de novo", "A câmera deve ser calibrada de novo."),
        "match_over": ("a partida terminou", "A partida já terminou."),
    }
)
