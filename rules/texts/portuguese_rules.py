"""The sentences of the rules in Portuguese, translated from the Spanish ones; only those are binding."""

from types import MappingProxyType

RULES = MappingProxyType(
    {
        # DUSA: Competencias de Dominó
        "DUSA-0": "As competições de dominó nos Estados Unidos regem-se pelas Regras da Dominousa, sistema “Suíço”",
        "DUSA-1a": ("As partidas de dominó jogam-se até duzentos (200) pontos ou quarenta (40) minutos, o que ocorrer primeiro."),
        "DUSA-1b": "Se os 40 minutos ocorrerem primeiro, a dupla com mais pontos ganha a partida.",
        "DUSA-1c": "a mão que já tiver começado termina-se, mesmo que exceda os 40 minutos regulamentares.",
        "DUSA-2a": "cada jogador pega uma pedra, e o jogador com a pedra mais alta joga primeiro.",
        "DUSA-2b": (
            "as saídas em todas as mãos serão rotativas, da esquerda para a direita, começando pelo jogador ao "
            "lado do que iniciou a partida."
        ),
        "DUSA-3": "Depois de embaralhar, as pedras são recolhidas e colocadas no suporte sem serem arrumadas.",
        "DUSA-4a": "não se permite fazer comentários, gestos ou movimentos para indicar alguma jogada.",
        "DUSA-4b": "As mãos devem manter-se debaixo da mesa. (Multa: 20 pontos)",
        "DUSA-5a": (
            "A multa aplica-se se um jogador – tendo jogada – diz “passo” ou indica que “passa” na jogada. (Multa: 50 pontos)"
        ),
        "DUSA-5b": "Se na opinião do árbitro de mesa o passe com pedra foi intencional, a dupla perde a partida.",
        "DUSA-6a": "“Pedra tocada, pedra jogada”.",
        "DUSA-6b": "Se não tem jogada, a pedra é colocada virada para cima na mesa.",
        "DUSA-6c": "A pedra joga-se na primeira oportunidade, convenha ou não ao jogador.",
        "DUSA-6d": "Se o jogador ganha ou fecha com a pedra, os pontos não contam para a dupla.",
        "DUSA-6e": "O jogador perde a sua saída.",
        "DUSA-7": "A multa aplica-se se um jogador joga fora da vez, tenha ou não a pedra jogada. (Multa: 20 pontos)",
        "DUSA-8": (
            "A multa aplica-se se um jogador – na sua vez – joga ou tenta jogar uma pedra que não casa em nenhum "
            "dos dois lados. (Multa: 50 pontos)"
        ),
        "DUSA-9": (
            "o jogador deve anunciar que ninguém mais tem jogada ou esperar que os outros três jogadores digam "
            "ou indiquem que passam antes de jogar. (Multa: 20 pontos)"
        ),
        "DUSA-10a": (
            "Em caso de fecho, todos os pontos sem jogar, de ambas as duplas, contam-se e a dupla com menos pontos ganha o fecho."
        ),
        "DUSA-10b": "Se houver empate de pontos entre as duas duplas, anula-se a mão e a rotação continua.",
        "DUSA-11a": "A pedra inicial da mão, se for uma carroça, coloca-se na horizontal para o jogador",
        "DUSA-11b": "se for uma pedra mista, coloca-se com o número menor para o jogador.",
        "DUSA-12": (
            "Os árbitros de mesa têm o poder de decidir qualquer assunto não incluído nestas regras, e a decisão "
            "será considerada final."
        ),
        # FID: Leyes Internacionales, extract
        "FID-0": "as regras seguintes servem para orientar as condições gerais de um torneio de dominó.",
        "FID-VOC-1": "Jogada: colocação de uma pedra sobre a mesa",
        "FID-VOC-2": "Ganha essa mão o jogador que acaba antes as suas pedras (salvo no fecho).",
        "FID-VOC-3": "A soma dos pontos pretos das pedras não jogadas, ou prêmios por jogadas especiais",
        "FID-VOC-4": (
            "Total de mãos até que uma das 2 duplas tenha conseguido os pontos fixados como objetivo pela organização."
        ),
        "FID-VOC-5": "Total de partidas acordadas pela organização para cada competição.",
        "FID-VOC-6": "Conjunto de pedras que coincidem em um dos quadrados.",
        "FID-BEH-1": "cada jogador em frente ao seu companheiro. CUMPRIMENTAM-SE ao iniciar o encontro e ao terminar.",
        "FID-BEH-2": (
            "NÃO poderão falar durante a jogada, só se permite um breve comentário ao acabar a mão. Não se "
            "permite mentir nem falsear."
        ),
        "FID-BEH-3": (
            "NÃO se baterá ao colocar a pedra, e jogam-se todas as pedras de forma natural, sem pressa, sem "
            "batidas, sem movimentos preconcebidos nem sistemáticos."
        ),
        "FID-BEH-4": ("Não se permite fazer espalhafatos, troças, nem qualquer falta de respeito ao companheiro ou aos rivais."),
        "FID-BEH-5": "Jogam 4 jogadores, duplas cruzadas, com um dominó de 28 pedras. Cada jogador joga 7 pedras.",
        "FID-BEH-6": "Joga-se seguindo a vez para a direita (sentido anti-horário).",
        "FID-BEH-7": "Não se poderá entrar na sala sem o uniforme oficial.",
        "FID-BEH-8": (
            "Todos os dirigentes podem participar no campeonato, mas nesse caso perdem temporariamente, durante "
            "todo o campeonato, a sua condição de dirigente"
        ),
        "FID-BEH-9": (
            "Nenhum jogador poderá invocar as suas deficiências físicas como argumento para não respeitar este regulamento."
        ),
        "FID-SAL-1": (
            "Quem tirar a maior pontuação (em caso de empate o naipe de maior pontuação, o 6) será o jogador 1 e "
            "escolherá posição na mesa."
        ),
        "FID-SAL-2": (
            "O jogador 4 colocará as pedras viradas para baixo e, sem que se possa localizar nenhuma, as moverá "
            "misturando-as de forma clara."
        ),
        "FID-SAL-3": "O jogador 1 voltará a movê-las, misturando-as outra vez.",
        "FID-SAL-4": "Os jogadores 2, 3 e 4, por esta ordem, tomarão 7 pedras cada um, sem levantá-las nem olhá-las.",
        "FID-SAL-5": (
            "Ele as porá de pé sobre a mesa, apoiadas no lado curto, com os números para si. NÃO poderá movê-las "
            "nem mudá-las de posição. Só poderá tocá-las para jogá-las quando tiver decidido."
        ),
        "FID-SAL-6": (
            "em sentido transversal a ele, se for uma carroça. Ou com a face de menos pontos mais próxima dele, "
            "se for uma pedra de dois valores."
        ),
        "FID-SAL-7": (
            "O jogador 2 levantará as pedras da mesma forma. Colocará a pedra escolhida a seguir (no sentido "
            "anti-horário, como se joga)"
        ),
        "FID-SAL-8": "Os jogadores 3 e 4 não poderão levantar as pedras até que seu companheiro tenha jogado.",
        "FID-SAL-9": (
            "Ao acabar a mão, repete-se a operação, sendo jogador 1 o que está à direita do anterior, e assim sucessivamente."
        ),
        "FID-PUN-1": "Ganha a mão o jogador que acaba as suas pedras primeiro. A vitória cabe aos dois jogadores da dupla.",
        "FID-PUN-2": (
            "Recolherão todas as pedras que não tenham sido jogadas, incluídas as do companheiro, e contarão "
            "todos os pontos dessas pedras"
        ),
        "FID-PUN-3": "até alcançar ou ultrapassar os pontos acordados pela organização (300 no 2º Mundial)",
        "FID-PUN-4": (
            "A dupla contrária deverá controlar que a soma de pontos esteja correta e que as anotações não tenham nenhum erro."
        ),
        "FID-PUN-5": "Cada dupla pode pedir uma súmula complementar e levar as contas em paralelo.",
        "FID-PUN-6": (
            "No fecho, os jogadores deverão somar os pontos das pedras de ambos; ganhará a dupla que somar menos "
            "pontos. Os ganhadores anotarão a seu favor o total de pontos não jogados."
        ),
        "FID-PUN-7": (
            "Em caso de empate (as duas duplas somam os mesmos pontos) a mão é anulada, não se anota nada e joga-se a seguinte"
        ),
        "FID-PUN-8": "As mãos devem ser pares; portanto, à voz de última mão poderá jogar-se uma última mão par.",
        "FID-PUN-9": "Não se devolvem as pedras com 5 ou mais carroças.",
        "FID-PUN-10": (
            "Quando houver erro ou confusão na súmula já entregue ao juiz, este modificará a classificação "
            "durante a partida seguinte."
        ),
        "FID-ACT-1": "As pedras colocam-se em uma posição e NÃO podem ser mudadas.",
        "FID-ACT-2": (
            "SÓ SE PODE PENSAR no caso de ter duas pedras ou mais para jogar, ou no caso de uma só pedra que "
            "possa jogar-se pelas duas faces com dois naipes distintos. Considera-se pensada o tempo que passe "
            "de 3 segundos depois da jogada do adversário."
        ),
        "FID-ACT-3": (
            "Quando um jogador comete uma infração, voluntária ou não … o rival situado à sua direita terá a "
            "faculdade de chamar o árbitro, 1- seguir a mão tal como está, 2- repetir a mão (a dupla infratora "
            "não pode sair) 3- ou voltar à situação em que se produziu a infração"
        ),
        "FID-ACT-4": (
            "Nenhum jogador poderá levantar-se da mesa, falar ao telefone ou agir de forma que distraia a "
            "concentração dos seus rivais"
        ),
        "FID-ACT-5": "A pensada excessiva ou desnecessária será considerada conduta antidesportiva.",
        "FID-ACT-6": (
            "Os jogadores não deverão olhar-se na cara, nem fazer nenhum gesto que se possa interpretar como "
            "informação adicional."
        ),
        "FID-ACT-7": (
            "A repetição de incidentes por parte de uma dupla traz como consequência a notificação, a "
            "advertência e a expulsão do campeonato."
        ),
        "FID-ACT-8": (
            "O “arranjo” ou acordo entre os desportistas, para alterar o resultado, acarreta cartão preto de imediato."
        ),
        "FID-ACT-9": "As brigas, ou incidentes graves, acarretam cartão preto de imediato.",
        "FID-ACT-10": (
            "Os “chivos”, quedas de pedras e qualquer outra infração NÃO TÊM CASTIGO EM PONTOS. Só se for "
            "conduta antidesportiva têm castigo como infração."
        ),
        "FID-CLA-1": (
            "depois de cada partida classifica-se de acordo com o número de partidas ganhas e, em igualdade de "
            "vitórias, segundo a soma de diferenças de pontos."
        ),
        "FID-CLA-2": "Na partida seguinte emparelham-se 1º - 2º, 3º - 4º, e assim sucessivamente.",
        "FID-CLA-3": "Em caso de número ímpar, a última dupla ganha o seu encontro com 150 pontos a favor.",
        "FID-CLA-4": "As duplas que se atrasarem perderão a partida aos 7 minutos depois do sinal de início.",
        "FID-CLA-5": "Qualquer dupla pode solicitar ao árbitro de mesa retirar-se da competição",
        "FID-DEN-1": "Pode ser feita POR ESCRITO por qualquer pessoa, rival, árbitro, até um mirão.",
        "FID-DEN-2": ("A critério do árbitro, o jogador poderá ser advertido e/ou aconselhado a não repetir a ação irregular."),
        "FID-DEN-3": "uma denúncia não é válida sem prova ou testemunha.",
        "FID-TAR-Y": (
            "deverá ser denunciada por um destes 2 árbitros e ratificada pelo outro, havendo assim denunciante "
            "com autoridade e também testemunha."
        ),
        "FID-TAR-R": "deverá ser denunciada por um destes 2 árbitros e ratificada pelo outro, pela segunda vez.",
        "FID-TAR-N1": "Unicamente o juiz principal poderá mostrar cartão preto.",
        "FID-TAR-N2": (
            "poderá expulsá-lo da sala de jogo, mostrando-lhe o cartão preto e notificando o fato aos serviços de segurança."
        ),
        "FID-TAR-N3": ("Se a partida não está concluída, a vitória será da dupla rival, com pelo menos 50% dos pontos a favor."),
        "FID-APE": "O jogador poderá apelar por escrito a qualquer momento seguindo estes passos",
        "FID-DOP": "os desportistas poderão ser submetidos a controle antidoping em qualquer momento da competição.",
        "FID-ESP": ("em qualquer incidente deve haver acordo entre os jogadores de uma mesa e prevalecer o espírito desportivo."),
    }
)
