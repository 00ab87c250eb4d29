"""What changes when a deal is played again. [Challenge], [Compétition], [Casse-tête]"""

from collections.abc import Mapping

from ludotheque.engine.option import Value


def options_again(
    options: Mapping[str, Value], best_score: int, is_same_team: bool
) -> dict[str, Value]:
    """The same team is challenged to do better; another team competes with the best score."""
    if options["mode"] == "puzzle":
        return dict(options)
    mode = "challenge" if is_same_team else "competition"
    return {**options, "mode": mode, "target": max(best_score, int(options["target"]))}
