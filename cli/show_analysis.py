"""Text for people about an analysis: candidates, beliefs, hints, reasons against a move, expectations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.advice import Comparison, Kind, Piece, answer, verdict
from sfida.ai.analysis import Analysis, Line, MoveStats, reasons_text
from sfida.ai.session import Step
from sfida.cli import show
from sfida.cli.output import Output, Text, percent, sentence, simple_table
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game, Notation
from sfida.engines.language import _
from sfida.engines.moves import Choices

# ---- Text for people about an analysis: candidates, beliefs, hints, and reasons against a move

_ROOM = 16                              # columns of the expected lines beside the numbers
_GAPS = (3, 2, 1)                       # between the columns of a table; the widest that fits is used
_HIDDEN_THINGS = 30                     # maximum number of rows in a table of beliefs
_UNKNOWN = "-"                          # in place of a number about a move that was not tried
_RARE = 0.005                           # probability below which a move of a mixed choice is not shown


def analysis_table(output: Output, state: GameState, analysis: Analysis, top: int | None = None) -> None:
    """Print the statistics of a search for each move, best first.

    Empty columns (priors of a game without any, strategies of open choices) are left out. The expected lines are
    printed below the table if they do not fit into it; a narrow screen drops the least informative columns first.
    """
    game, shown, searched = state.game, analysis.moves[:top], analysis.stopped != "solved"
    choices = Choices(state)
    columns: list[tuple[str | Text, list[str], bool]] = [
        ("#", [choices.label_of(stats.move) for stats in shown], True),
        (_("move"), [stats.move for stats in shown], False),
    ]
    if searched:
        columns.append((_("visits"), [f"{stats.visits:,}" for stats in shown], True))
        columns.append((_("share"), [percent(stats.share) for stats in shown], True))
    for seat in range(state.players):
        head = _head(game, seat)
        columns.append((head, [_win(stats, seat, analysis.seat) for stats in shown], True))
    columns.append((_("reward ≥"), [_UNKNOWN if stats.lcb is None else f"{stats.lcb:.2f}" for stats in shown], True))
    if any(stats.prior for stats in shown):
        columns.append((_("prior"), [percent(stats.prior) for stats in shown], True))
    if any(stats.strategy is not None for stats in shown):
        columns.append((_("play"), ["" if stats.strategy is None else percent(stats.strategy) for stats in shown],
                        True))
    mover = str(show.seat_text(game, analysis.seat))
    spare = [_("prior"), _("reward ≥"), *(str(head) for head, _cells, _right in columns if isinstance(head, Text)
                                    and not str(head).endswith(mover)), _("share")]
    while spare and _width(columns) + _GAPS[-1] * (len(columns) - 1) > output.width:
        least = spare.pop(0)
        columns = [column for column in columns if str(column[0]) != least]
    width = _width(columns)
    fits = [(inside, gap) for inside in (True, False) for gap in (_GAPS if not inside else _GAPS[:2])
            if width + gap * (len(columns) - 1) + (gap + _ROOM if inside else 0) <= output.width]
    inside, gap = fits[0] if fits else (False, _GAPS[-1])
    lines = [" ".join(stats.pv[1:5]) for stats in shown]
    if inside:
        columns.append((_("continues"), lines, False))
    table = simple_table(*(head for head, _cells, _right in columns),
                         right=tuple(str(head) for head, _cells, right in columns if right))
    table.padding = (0, int(gap > 1), 0, int(gap > 2))      # the separator takes one column
    for row in zip(*(cells for _head, cells, _right in columns), strict=True):
        table.add_row(*row)
    output.table(table)
    if not inside and any(lines):
        output.line(_("continues:"), "bold")
        wide = max(len(stats.move) for stats in shown)
        for stats, line in zip(shown, lines, strict=True):
            output.line(f"  {stats.move:<{wide}}  {line}".rstrip())
    _outlook(output, game, analysis.value, analysis)


def _head(game: Notation, seat: int) -> Text:
    """Return the head of the column with a seat's win share."""
    name = show.seat_text(game, seat)
    return sentence(_("win: {seat}"), seat=name) if seat == 0 else name


def _width(columns: Sequence[tuple[str | Text, list[str], bool]]) -> int:
    """Return the total width of columns without the gaps between them."""
    return sum(max(len(head), *map(len, cells)) for head, cells, _right in columns)


def belief_table(output: Output, analysis: Analysis) -> None:
    """Print the probable values of each hidden thing, the likeliest first; nothing if nothing is hidden."""
    if not analysis.beliefs:
        return
    said = (_("what is hidden, by what the rules allow") if analysis.effective is None else
            _("what is hidden, by what the others did ({worlds:.0f} effective worlds)"))
    output.line(said.format(worlds=analysis.effective or 0.0), "bold")
    shown = analysis.beliefs[:_HIDDEN_THINGS]
    named = max(len(belief.item) for belief in shown)
    cells = [[f"{value} {_probability(chance)}" for value, chance in belief.values] for belief in shown]
    wide = max(len(cell) for row in cells for cell in row)
    across = max(1, (output.width - named - 2 - len("  and 99 more")) // (wide + 2))
    for belief, row in zip(shown, cells, strict=True):
        line = f"  {belief.item:<{named}}" + "".join(f"  {cell:<{wide}}" for cell in row[:across])
        if len(row) > across:
            line += "  " + _("and {number} more").format(number=len(row) - across)
        output.line(line.rstrip())
    if len(analysis.beliefs) > len(shown):
        output.line("  " + _("{number} more; --json shows all of them").format(
            number=len(analysis.beliefs) - len(shown)), "dim")


def hint(output: Output, state: GameState, analysis: Analysis, expected: Line) -> None:
    """Print the move to play, in notation and in words, and the reasons for and against it in its expected line."""
    best = analysis.best
    line = Text(_("hint:") + " ").append(f"{Choices(state).label_of(best.move)}  {best.move}", "bold")
    words = state.game.describe_move(state, best.code)
    if words != best.move:
        line.append(f"  {words}")
    output.line(line)
    mixed = sorted((stats for stats in analysis.moves if (stats.strategy or 0.0) >= _RARE),
                   key=lambda stats: -(stats.strategy or 0.0))
    if len(mixed) > 1:
        parts = ", ".join(f"{stats.move} {percent(stats.strategy or 0.0)}" for stats in mixed)
        output.line(_("drawn from: {moves} (the choice is hidden, so it must not be predictable)").format(moves=parts))
    said = reasons_text(state, best, expected)
    if said:
        output.wrapped(f"  {said}")


def expected(output: Output, game: Notation, analysis: Analysis) -> None:
    """Print the expected result of the best move; if the move is drawn at random, the result of the mixed choice."""
    values = analysis.best.values if analysis.best.values and analysis.best.strategy is None else analysis.value
    _outlook(output, game, values, analysis)


def line_of_play(output: Output, game: Notation, line: Line, title: str) -> None:
    """Print an expected line under a title, one event per line."""
    output.line(title, "bold")
    for ply in line.plies:
        output.line(Text("  ").append_text(show.event_text(game, ply.seat, ply.words, ply.move)))
        for effect in ply.effects:
            output.line(f"      {effect}")
    if line.over:
        output.line("  " + _("the game is over"), "dim")


def comparison(output: Output, state: GameState, found: Comparison) -> None:
    """Print the reasons why a move is the best one, or those against it."""
    game = state.game
    rows = [(_("best"), found.best), (_("next"), found.next_best) if found.same else (_("asked"), found.asked)]
    heads = [_head(game, seat) for seat in range(game.players)]
    words = {stats.move: game.describe_move(state, stats.code) for _name, stats in rows if stats is not None}
    visits = [] if found.stopped == "solved" else [_("visits")]
    cells = [[name, stats.move, *(_win(stats, seat, found.seat) for seat in range(game.players)),
              *(f"{stats.visits:,}" for _each in visits), words[stats.move]]
             for name, stats in rows if stats is not None]
    columns: list[str | Text] = ["", _("move"), *heads, *visits, _("in words")]
    width = sum(max(len(head), *map(len, column)) + _GAPS[0]
                for head, *column in zip(columns, *cells, strict=True)) - _GAPS[0]
    if width > output.width or all(said == move for move, said in words.items()):
        columns.pop()                   # the lines below contain the words, too
    table = simple_table(*columns, right=(_("visits"), *map(str, heads)))
    for row in cells:
        table.add_row(*row[:len(columns)])
    output.table(table)
    output.wrapped(_styled(game, verdict(found)))
    for stats, line in ((found.best, found.best_line), (found.asked, found.asked_line))[:2 - found.same]:
        said = reasons_text(state, stats, line)
        if said:
            output.wrapped(Text().append(stats.move, "bold").append(f": {said}"))
    output.wrapped(_styled(game, answer(game, found)))
    line_of_play(output, game, found.best_line, _("expected with {move}:").format(move=found.best.move))
    if not found.same:
        line_of_play(output, game, found.asked_line, _("expected with {move}:").format(move=found.asked.move))
    output.line(_effort(sum(found.iterations), found.seconds, found.stopped), "dim")


def _styled(game: Notation, pieces: Sequence[Piece]) -> Text:
    """Return a sentence with its moves in bold and seats in their colours."""
    text = Text()
    for piece in pieces:
        if piece.kind is Kind.SEAT:
            text.append_text(show.seat_text(game, piece.seat))
        else:
            text.append(piece.text, "bold" if piece.kind is Kind.MOVE else "")
    return text


def _win(stats: MoveStats, seat: int, own: int) -> str:
    """Return a seat's win probability after a move; a dash if unknown.

    Other packages' agents may give only the probability of their own seat.
    """
    if stats.value is None:
        return _UNKNOWN
    if stats.values:
        return percent(stats.values[seat])
    return percent(stats.value) if seat == own else ""


def _outlook(output: Output, game: Notation, values: Sequence[float], analysis: Analysis) -> None:
    """Print the expected win share of each seat, and the effort spent on it."""
    shares = Text("  ").join(show.seat_text(game, seat).append(f" {percent(value)}")
                             for seat, value in enumerate(values))
    effort = _effort(analysis.iterations, analysis.seconds, analysis.stopped)
    said = sentence(_("win probability: {shares}"), shares=shares)
    output.wrapped(said.append(f"   {effort}", "dim"))


def _effort(count: int, seconds: float, stopped: str) -> str:
    if stopped == "solved":
        return _("(exact: {count:,} positions in {seconds:.1f} s)").format(count=count, seconds=seconds)
    return _("({count:,} iterations in {seconds:.1f} s)").format(count=count, seconds=seconds)


def _probability(chance: float) -> str:
    """Return a probability as a percentage; values close to 0 or 100 % are not rounded to them."""
    return "<1 %" if 0.0 < chance < 0.005 else ">99 %" if 0.995 <= chance < 1.0 else percent(chance)


# ---- The win probabilities that agents expected during a finished game


def expectations(game: Game, steps: Iterable[Step]) -> list[Text]:
    """Return a line for each seat that searched: its win probability at the start, halfway and at the end."""
    found: dict[int, list[float]] = {}
    for step in steps:
        if step.analysis is not None and step.analysis.iterations and step.analysis.best.value is not None:
            found.setdefault(step.seat, []).append(step.analysis.best.value)
    lines = []
    for seat, values in sorted(found.items()):
        said = (_("{seat} expected to win {first} at first, {half} half way, {last} at last") if len(values) > 2 else
                _("{seat} expected to win {last}"))
        lines.append(sentence(said, seat=show.seat_text(game, seat), first=percent(values[0]),
                              half=percent(values[len(values) // 2]), last=percent(values[-1])))
    return lines
