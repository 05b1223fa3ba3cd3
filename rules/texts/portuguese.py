"""Portuguese texts: a short title and one sentence for every infraction, advice, doubt and event."""

from types import MappingProxyType

TEXTS = MappingProxyType(
    {
        # Infractions
        "OUT_OF_TURN": (
            "Fora da vez",
            "{seat} jogou {tile} sem que fosse a sua vez.",
        ),
        "WRONG_STARTER": (
            "Saída de quem não devia",
            "{seat} saiu com {tile} e a saída não era sua.",
        ),
        "NON_MATCHING": (
            "Pedra que não casa",
            "{seat} colocou {tile}, que não casa em nenhuma ponta.",
        ),
        "WRONG_END": (
            "Ponta errada",
            "{seat} colocou {tile} na {end}, e só casava na outra.",
        ),
        "RENEGE": (
            "Passe com pedra",
            "{seat} passou tendo uma pedra que casava.",
        ),
        "RENEGE_OR_OUT_OF_TURN": (
            "Passe com pedra ou fora da vez",
            "{seat}: ou o primeiro jogou fora da vez, ou o segundo calou tendo pedra; decide o árbitro.",
        ),
        "RENEGE_UNATTRIBUTED": (
            "Alguém passou com pedra",
            "Quatro passes seguidos sem que a mão esteja fechada: alguém tem uma pedra que casa.",
        ),
        "PREMATURE_RUN": (
            "Jogada corrida sem avisar",
            "{seat} jogou de novo sem anunciar que ninguém mais podia e sem esperar os três passes.",
        ),
        "TOUCHED": (
            "Pedra tocada",
            "{seat} tocou uma pedra sem jogá-la.",
        ),
        "TOUCH_BREACH": (
            "Pedra tocada e jogada outra",
            "{seat} jogou {tile} quando devia jogar a pedra tocada ou exposta.",
        ),
        "EXPOSED": (
            "Pedra exposta",
            "{seat} deixou {tile} à vista.",
        ),
        "OPENING_ORIENTATION": (
            "Saída mal orientada",
            "{seat} colocou a pedra de saída {tile} na posição errada.",
        ),
        "TILE_MOVED": (
            "Pedra movida",
            "{seat} moveu {tile}, que já estava colocada.",
        ),
        "FALSE_THINK": (
            "Pensada em falso",
            "{seat} pensou sem ter o que escolher.",
        ),
        "PREMATURE_LIFT": (
            "Pedras levantadas antes da hora",
            "{seat} levantou as suas pedras antes da hora.",
        ),
        "RACK_REARRANGED": (
            "Pedras arrumadas",
            "{seat} mudou de lugar as pedras do seu suporte.",
        ),
        "DEAL_FAULT": (
            "Distribuição incorreta",
            "{seat} não tem as pedras que correspondem a sete por jogador.",
        ),
        "TILE_SET_FAULT": (
            "Jogo de pedras incompleto",
            "As pedras vistas não são as 28, uma vez cada.",
        ),
        "SCORE_MISMATCH": (
            "A conta não confere",
            "O anotado e o contado diferem em {difference} pontos.",
        ),
        "TALK_OR_GESTURE": (
            "Palavra ou gesto",
            "{seat} falou ou fez um gesto durante a jogada.",
        ),
        "CONDUCT": (
            "Conduta",
            "A conduta de {seat} foi contrária ao regulamento.",
        ),
        "INCIDENT": (
            "Incidente",
            "O árbitro abriu um incidente sobre {seat}.",
        ),
        # Advice
        "DOUBLE_POSE": (
            "Carroça sem cruzar",
            "{seat} colocou a carroça ao longo da linha.",
        ),
        "BEND_DIRECTION": (
            "Curva para o outro lado",
            "{seat} dobrou a linha para o lado contrário ao costume.",
        ),
        "HANDS_ON_TABLE": (
            "Mãos sobre a mesa",
            "{seat} manteve a mão sobre a mesa sem ser a sua vez.",
        ),
        "EXCESSIVE_THINK": (
            "Pensada excessiva",
            "{seat} pensou mais do que a organização admite.",
        ),
        "STRIKE_OR_THROW": (
            "Batida ou lançamento",
            "{seat} bateu ou lançou a pedra ao colocá-la.",
        ),
        "LEVEL_SCORE": (
            "Empate em pontos",
            "A partida devia terminar e as duplas estão empatadas; decide o árbitro.",
        ),
        "REDEAL": (
            "Muitas carroças",
            "{seat} tem tantas carroças que a mão pode ser dada de novo.",
        ),
        # Doubts
        "READ_CONFLICT": (
            "Leituras que se contradizem",
            "Uma mesma pedra foi lida em dois lugares.",
        ),
        "CALIBRATION_ALARM": (
            "Verificar a câmera",
            "As jogadas correm contra a ordem de jogo: a imagem está invertida ou os lugares estão errados.",
        ),
        "FALSE_BLOCK": (
            "Fecho que não é",
            "Deu-se a mão por fechada e talvez alguém possa jogar.",
        ),
        "turned picture": (
            "Imagem virada",
            "A imagem da câmera pode estar invertida ou virada: quem está ali é outro jogador.",
        ),
        "silent pass": (
            "Passe em silêncio",
            "Os jogadores pulados passaram sem dizer.",
        ),
        "custom": (
            "Costume",
            "É costume e não regra.",
        ),
        # Events
        "hand_opened": (
            "Saída",
            "Sai {opener}.",
        ),
        "tile_played": (
            "Jogada",
            "{seat} joga {tile} ({end}); pontas: {ends}.",
        ),
        "turn_passed": (
            "Passe",
            "{seat} passa ({via}).",
        ),
        "tile_withdrawn": (
            "Pedra retirada",
            "{seat} retira {tile}.",
        ),
        "tile_moved": (
            "Pedra mudada de ponta",
            "{seat} move {tile}; pontas: {ends}.",
        ),
        "tile_exposed": (
            "Pedra à vista",
            "Vê-se {tile} de {seat} fora da linha.",
        ),
        "hand_closed": (
            "Mão fechada",
            "{end} de {by_seat}; restam {unplayed} pontos sem jogar.",
        ),
        "hand_ended": (
            "Mão terminada",
            "{end}; vence {winner}; pontos: {points}.",
        ),
        "score_changed": (
            "Placar",
            "Pontos: {points}; multas: {fines}.",
        ),
        "match_ended": (
            "Partida terminada",
            "Vence {winner} ({reason}); resultado: {score}.",
        ),
        "infraction": (
            "Infração",
            "{code}: {seat} ({rule}).",
        ),
        "suspicion": (
            "Dúvida para o árbitro",
            "Pode ser: {code} ({seats}).",
        ),
        "advice": (
            "Aviso ao árbitro",
            "{code}: {seat}.",
        ),
        "reading_doubted": (
            "Pedra duvidosa",
            "Não se lê bem a pedra de {seat} ({end}): {candidates}.",
        ),
        "correction": (
            "Correção",
            "Corrige-se a observação {observation}.",
        ),
        "ruling": (
            "Decisão do árbitro",
            "O árbitro decide: {choice}.",
        ),
        "health": (
            "Estado do equipamento",
            "{fps} imagens por segundo.",
        ),
        "evidence": (
            "Prova",
            "Há mais imagens de um incidente.",
        ),
        "watching": (
            "Olhando a mesa",
            "A mesa é bem vista.",
        ),
        "not_watching": (
            "Sem olhar a mesa",
            "A mesa não está sendo olhada.",
        ),
        "camera_moved": (
            "Câmera movida",
            "A câmera se moveu e precisa ser calibrada.",
        ),
        "out_of_focus": (
            "Imagem desfocada",
            "A imagem está desfocada.",
        ),
        "too_dark": (
            "Pouca luz",
            "Há pouca luz para ler as pedras.",
        ),
    }
)
