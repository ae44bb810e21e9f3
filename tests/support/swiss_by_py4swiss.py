"""Swiss rounds as py4swiss pairs them."""

from fractions import Fraction

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from league.services.competitions.pairing.swiss import SwissStanding
from league.services.competitions.standings.entrant_rounds import DRAWN, LOST, WON


def by_py4swiss(standing: SwissStanding) -> set[tuple[int, int | None]]:
    """Return the pairs (white, black) of py4swiss; of a bye, the second is ``None``.

    Entrants are numbers from 1.
    """
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=entrant,
            rank=entrant,
            points_times_ten=int(
                10 * sum((one_round.points for one_round in own_rounds), Fraction(0))
            ),
            results=[
                RoundResult(
                    id=one_round.opponent or 0,
                    color=ColorToken.BYE_OR_NOT_PAIRED
                    if one_round.opponent is None
                    else (ColorToken.WHITE if one_round.home else ColorToken.BLACK),
                    result=TOKENS[
                        one_round.opponent is not None,
                        one_round.played,
                        one_round.asked,
                        one_round.share,
                    ],
                )
                for one_round in own_rounds
            ],
        )
        for entrant, own_rounds in standing.rounds_of.items()
    ]
    trf = ParsedTrf(
        player_sections=sections,
        x_section=XSection(number_of_rounds=standing.rounds, zeroed_ids=set(standing.out)),
    )
    return {(pair.white, pair.black or None) for pair in DutchEngine.generate_pairings(trf)}


TOKENS = {
    (True, True, False, WON): ResultToken.WIN,
    (True, True, False, DRAWN): ResultToken.DRAW,
    (True, True, False, LOST): ResultToken.LOSS,
    (True, False, False, WON): ResultToken.FORFEIT_WIN,
    (True, False, False, LOST): ResultToken.FORFEIT_LOSS,
    (False, False, False, WON): ResultToken.PAIRING_ALLOCATED_BYE,
    (False, False, True, DRAWN): ResultToken.HALF_POINT_BYE,
    (False, False, True, LOST): ResultToken.ZERO_POINT_BYE,
}
"""By whether there was an opponent and a game, whether a bye was asked for, and the share."""
