"""The report as files: one page, and an SVG for each plot."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from ludotheque.engine.refused import Refused
from ludotheque.engine.words import Words
from ludotheque.lab.report.finding import Finding, Plot
from ludotheque.lab.report.survey import Plan, Survey

MOST_UPRIGHT = 40  # bars side by side; more of them are drawn as a line
LONGEST_LABEL = 14  # letters under an upright bar; longer ones stand beside lying bars
STYLE = """
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
img { max-width: 100% }
h2 { margin: 2rem 0 0; font-size: 1.15rem }
h2 + p { margin-top: 0.25rem }
.note { color: #555 }
"""


def write_report(
    survey: Survey, folder: Path, tell: Callable[[str], object] = lambda question: None
) -> Path:
    """Write the page, plot by plot; `tell` is told each question that was answered."""
    draw = _drawer()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parts = []
        for number, finding in enumerate(survey.findings(), 1):
            name = f"{number:02}.svg"
            if finding.plot is not None:
                draw(finding.plot, folder / name)
            parts.append(_section(finding, name))
            tell(finding.question)
        page = folder / "index.html"
        page.write_text(_page(survey.game, survey.plan, parts), encoding="utf-8")
    except OSError as error:
        raise Refused(f"{folder} cannot hold a report: {error.strerror}") from None
    return page


def _page(game: Any, plan: Plan, parts: list[str]) -> str:
    title = f"{Words(game, 'en').name}: what many matches tell"
    note = (
        f"{plan.games:,} random matches for each question about random play, {plan.sample:,} "
        f"between {escape(plan.level)} bots for what happens in a match. Lines on bars and bands "
        "around curves show 95 % intervals. A difference is plotted only if it is beyond the "
        "noise, judged by intervals that hold for all bars of a plot at once. "
        f"The seed is {plan.seed}: the same command gives the same page."
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="note">{note}</p>\n{"".join(parts)}</body>\n</html>\n'
    )


def _section(finding: Finding, image: str) -> str:
    shown = ""
    if finding.plot is not None:
        shown = f'<p><img src="{image}" alt="{escape(_told(finding.plot))}"></p>\n'
    return f"<h2>{escape(finding.question)}</h2>\n<p>{escape(finding.answer)}</p>\n{shown}"


def _told(plot: Plot) -> str:
    """The plot in words, for those who do not see it."""
    bars = [
        f"{' '.join(filter(None, (series, group)))} {estimate.mean:.3g}"
        for series, groups in plot.series.items()
        for group, estimate in groups.items()
    ]
    return f"{plot.measured}: {', '.join(bars)}"


def _drawer() -> Callable[[Plot, Path], None]:
    try:
        matplotlib: Any = import_module("matplotlib")
        figures: Any = import_module("matplotlib.figure")
    except ImportError:
        raise Refused("a report needs an extra: pip install 'ludotheque[report]'") from None
    matplotlib.rcParams.update({"svg.hashsalt": "ludotheque", "font.size": 9})

    def draw(plot: Plot, path: Path) -> None:
        is_lying = any(len(group) > LONGEST_LABEL for group in plot.groups)
        bars = len(plot.groups) * max(2, len(plot.series))
        height = max(2.6, 0.14 * bars) if is_lying else 3
        figure = figures.Figure(figsize=(8, height), layout="constrained")
        axes = figure.subplots()
        (_draw_lying if is_lying else _draw_upright)(axes, plot)
        figure.savefig(path, format="svg", metadata={"Date": None})

    return draw


def _draw_upright(axes: Any, plot: Plot) -> None:
    groups, width = plot.groups, 0.8 / len(plot.series)
    for number, (series, bars) in enumerate(plot.series.items()):
        places = [groups.index(g) + width * (number - (len(plot.series) - 1) / 2) for g in bars]
        means, errors = _means_and_errors(plot, series)
        if len(groups) > MOST_UPRIGHT:
            values = [float(group) for group in bars]
            axes.plot(values, means, label=series)
            axes.fill_between(
                values,
                [mean - below for mean, below in zip(means, errors[0], strict=True)],
                [mean + above for mean, above in zip(means, errors[1], strict=True)],
                alpha=0.3,
            )
        else:
            axes.bar(places, means, width, yerr=errors, label=series, error_kw={"elinewidth": 1})
    if len(groups) <= MOST_UPRIGHT:
        axes.set_xticks(range(len(groups)), groups)
    if plot.even is not None:
        axes.axhline(plot.even, color="black", linewidth=0.8, linestyle="--")
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.measured)
    if len(plot.series) > 1:
        axes.legend()


def _draw_lying(axes: Any, plot: Plot) -> None:
    groups, width = plot.groups, 0.8 / len(plot.series)
    for number, (series, bars) in enumerate(plot.series.items()):
        places = [groups.index(g) + width * (number - (len(plot.series) - 1) / 2) for g in bars]
        means, errors = _means_and_errors(plot, series)
        axes.barh(places, means, width, xerr=errors, label=series, error_kw={"elinewidth": 1})
    axes.set_yticks(range(len(groups)), [group.replace("$", r"\$") for group in groups])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    if plot.even is not None:
        axes.axvline(plot.even, color="black", linewidth=0.8, linestyle="--")
    axes.set_xlabel(plot.measured)
    if len(plot.series) > 1:
        axes.legend()


def _means_and_errors(plot: Plot, series: str) -> tuple[list[float], list[list[float]]]:
    found = list(plot.series[series].values())
    means = [e.mean for e in found]
    below = [max(0.0, e.mean - e.low) for e in found]
    return means, [below, [max(0.0, e.high - e.mean) for e in found]]
