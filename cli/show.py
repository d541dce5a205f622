"""Text for people: turns, moves, boards and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.agent import PERSON
from sfida.ai.luck.commitment import Commitment
from sfida.ai.session import Step
from sfida.ai.table import RESIGN, Table
from sfida.cli.output import Draft, Output, Text, number, percent, seat_style, sentence, simple_table
from sfida.cython_ext.state import CHANCE, GameState
from sfida.engines.game import Game, Notation
from sfida.engines.language import _, counted, in_english, listed
from sfida.engines.moves import Choice, Choices, MoveGroup
from sfida.engines.records import GameRecord, GameResult

NUMBER, EFFECT = 6, 8   # columns before the words of a step, and before its effects
BRIEF = 4               # moves in a line of a brief list
LIST_LINES = 26         # longer lists are shown in columns
SHORT_LIST = 15         # longer lists are offered in groups, if the game has any


def seat_text(game: Notation, seat: int) -> Text:
    """Return a seat's name in its colour."""
    return Text().append(game.seat_name(seat), seat_style(in_english(game.seat_name, seat), seat))


def seats_line(game: Notation, seats: Sequence[str]) -> Text:
    """Return the agent of each seat in one line."""
    alone = list(seats).count(PERSON) == 1
    return Text(" · ").join(sentence(_("{seat} you") if alone and spec == PERSON else "{seat} {agent}",
                                     seat=seat_text(game, seat), agent=spec) for seat, spec in enumerate(seats))


def heading(output: Output, game: Game, seats: Sequence[str], seed: int | None) -> None:
    """Print the game, its seats and the seed."""
    output.line(Text().append(_(game.title), "bold").append(f"  {game.spec()}").append(
        "  " + _("seed {seed}").format(seed=seed) if seed is not None else ""))
    if seats:
        output.hanging(seats_line(game, seats), 0)


def sealed(output: Output, commitment: Commitment) -> None:
    """Print the commitment to the luck, before the game."""
    said = _("The luck is sealed; its SHA-256 is {hash}").format(hash=commitment.sha256)
    output.hanging(Text().append(said, "dim"), 0)


def unsealed(output: Output, table: Table) -> None:
    """Print what the commitment was made to, after the game."""
    commitment = table.commitment
    if commitment is None or commitment.seed is None:
        return
    output.hanging(Text().append(_("The luck is unsealed: seed {seed}, salt {salt}").format(
        seed=commitment.seed, salt=commitment.salt), "dim"), 0)
    if table.seed != commitment.seed:
        output.hanging(Text().append(_("With what the guests contributed the seed of the game is {seed}").format(
            seed=table.seed), "dim"), 0)
    output.hanging(Text().append(_("'sfida verify RECORD' checks it, and every draw"), "dim"), 0)


def rule(output: Output, text: Text) -> None:
    """Print a heading across the screen."""
    line = Text().append("── ", "dim").append_text(text).append(" ")
    line.append("─" * max(2, min(output.width, 100) - line.cell_len), "dim")
    output.line(line)


def turn_text(game: Notation, seat: int, left_out: Sequence[str] = ()) -> Text:
    """Return the heading of a turn, with the commands that show the parts left out of the screen."""
    text = sentence(_("{seat} to move"), seat=seat_text(game, seat))
    return text.append(_("; more with {commands}").format(commands=listed(left_out)), "dim") if left_out else text


def event_text(game: Notation, seat: int, words: str, notation: str = "") -> Text:
    """Return an event in words with its seat (-1: chance), and in notation unless the words contain it."""
    text = Text().append(_("chance:"), "dim") if seat < 0 else seat_text(game, seat).append(":")
    text.append(f" {words}")
    if notation and notation not in words.replace(",", "").split():
        text.append(f"  {notation}", "dim")
    return text


def step_text(game: Notation, step: Step, viewers: Iterable[int] = ()) -> Text:
    """Return a step in words, as far as all the viewers may know it; without viewers everything is shown."""
    seats = tuple(viewers)
    words = step.told(seats).words
    return event_text(game, step.seat, words or _("something hidden"), step.notation(seats) if words else "")


def numbered(game: Notation, step: Step, viewers: Iterable[int] = ()) -> Text:
    """Return a step in words after its number in the record."""
    return Text().append(f"{step.ply + 1:>{NUMBER - 2}}  ", "dim").append_text(step_text(game, step, viewers))


def effects(game: Game, step: Step, viewers: Iterable[int] = ()) -> list[Text]:
    """Return the effects of a step, one indented line for each."""
    return [Text(f"{' ' * EFFECT}{effect.text}", "bold" if effect.points else "")
            for effect in step.told(viewers).effects]


def event(output: Output, game: Game, step: Step, viewers: Iterable[int] = ()) -> None:
    """Print a step and its effects."""
    output.hanging(numbered(game, step, viewers), NUMBER)
    for effect in effects(game, step, viewers):
        output.hanging(effect, EFFECT)


def in_one_line(game: Game, step: Step, viewers: Iterable[int] = ()) -> Text:
    """Return a step and its effects in one line, without its number."""
    seats = tuple(viewers)
    return Text(" · ").join([step_text(game, step, seats), *(Text(effect.text, "bold" if effect.points else "")
                                                              for effect in step.told(seats).effects)])


def expectation(step: Step) -> str:
    """Return the mover's win probability in words, such as "expects to win 57 % (1,000 iterations)"."""
    analysis = step.analysis
    if analysis is None or not analysis.iterations or analysis.best.value is None:
        return ""
    return _("expects to win {share} ({iterations:,} iterations)").format(
        share=percent(analysis.best.value), iterations=analysis.iterations)


def board(output: Output, state: GameState, seat: int | None = None, labels: bool = False) -> None:
    """Draw the board as a seat sees it (None: what is public)."""
    output.raw(state.game.board_text(state, seat=seat, color=output.color, width=output.width, labels=labels))


def board_lists_moves(state: GameState, seat: int) -> bool:
    """Return whether a labelled board itself shows the numbered moves of a seat, so that no list is needed."""
    def drawn(labels: bool) -> str:
        return state.game.board_text(state, seat=seat, labels=labels)

    return state.game.labels_list_moves and drawn(True) != drawn(False)


def status(output: Output, state: GameState, seat: int | None = None) -> None:
    """Print the status of each seat."""
    output.raw(state.game.status_text(state, seat=seat, color=output.color, width=output.width))


def resigned(game: Notation, seat: int, players: int) -> Text:
    """Return the sentence that a seat resigns, with the winner in a game of two seats."""
    if players == 2:
        return sentence(_("{seat} resigns: {winner} wins."), seat=seat_text(game, seat),
                        winner=seat_text(game, 1 - seat))
    return sentence(_("{seat} resigns; the game ends here without a result."), seat=seat_text(game, seat))


def ending(output: Output, state: GameState, seats: Sequence[str], result: GameResult) -> None:
    """Print the final board, the sources of the points, and the winner."""
    game = state.game
    board(output, state)
    output.line()
    explained = game.explain_scores(state)
    if explained != [f"{game.seat_name(seat)}: {score}" for seat, score in enumerate(state.scores())]:
        for line in explained:
            output.hanging(Text(line), 2)
        output.line()
    result_table(output, game, seats, result)


def position(output: Output, record: GameRecord, state: GameState, ply: int, seat: int | None,
             labels: bool = False) -> None:
    """Print a position of a recorded game: its result, or board, status and the seat to move.

    Parameters
    ----------
    output : Output
    record : GameRecord
    state : GameState
        The state after `ply` moves of the record.
    ply : int
    seat : int or None
        The seat whose knowledge is shown; None: what is public.
    labels : bool
        Number the places where the seat to move may play.
    """
    if ply == len(record.moves):
        breaking_off(output, record, state.game)
    result = GameResult.of(state)
    if result is not None:
        ending(output, state, record.seats, result)
        return
    board(output, state, seat, labels)
    status(output, state, seat)
    to_move = int(state.to_move)
    if to_move == CHANCE:
        output.line(_("Luck decides next."))
    else:
        # the number of legal moves may reveal a hand that the seat does not see
        said = (_("{seat} to move") if state.hidden and seat not in (None, to_move) else
                _("{seat} to move, {number} legal moves"))
        output.line(sentence(said, seat=seat_text(state.game, to_move), number=len(state.legal_moves())))


def breaking_off(output: Output, record: GameRecord, game: Game) -> None:
    """Print the reason why a game did not end by its rules."""
    forfeit = record.extra.get("forfeit")
    if isinstance(forfeit, dict):
        seat = forfeit.get("seat")
        if forfeit.get("kind") == RESIGN and type(seat) is int and 0 <= seat < game.players:
            output.line(resigned(game, seat, game.players), "bold")
        else:
            said = _("seat {seat} forfeits here: {reason}").format(seat=seat, reason=forfeit.get("reason"))
            output.line(said, "bold")
    elif record.extra.get("ended") == RESIGN:
        output.line(_("one side resigns here; which one is not recorded"), "bold")


def steps_of(choices: Choices) -> list[MoveGroup]:
    """Return the groups in which a long list is offered; none if the list is short or has no groups."""
    groups = choices.groups if len(choices.list) > SHORT_LIST else []
    return groups if len(groups) > 1 else []


def move_steps(output: Output, choices: Choices, brief: bool = False) -> None:
    """Print the moves, or the groups of a long list, each opened by typing its name; `brief`: without words."""
    groups = steps_of(choices)
    if not groups:
        choice_list(output, choices)
        return
    of = {choice.move: choice for choice in choices.list}
    alone = [of[group.moves[0]] for group in groups if not group.name]
    named = [group for group in groups if group.name]
    wide = max(len(group.name) for group in named)
    if brief:
        _columns(output, [Text().append(f"  {group.name}", "bold cyan").append(f" [{len(group.moves)}]")
                          for group in named])
        if alone:
            choice_list(output, choices, alone, rows=1 + len(alone) // BRIEF)
    for group in named if not brief else ():
        output.wrapped(Text().append(f"  {group.name:<{wide}}", "bold cyan").append(
            f"  {group.words}  [{counted(len(group.moves), 'move', 'moves')}]"))
    if alone and not brief:
        choice_list(output, choices, alone)
    output.line(_("Type a name, such as {name}, for its moves, or any move; 'moves' lists all.").format(
        name=named[0].name), "dim")


def choice_list(output: Output, choices: Choices, only: Sequence[Choice] | None = None,
                rows: int | None = None) -> None:
    """Print the numbered moves: one per line with words, or in columns if they are many or have no words.

    Parameters
    ----------
    output : Output
    choices : Choices
    only : sequence of Choice, optional
        The choices to print; all by default.
    rows : int, optional
        Maximum number of lines to print: words are left out before moves are.
    """
    shown = choices.list if only is None else list(only)
    worded = len(shown) <= LIST_LINES and any(choice.words != choice.text for choice in shown)
    lines = _choice_lines(shown, worded, output.width)
    if worded:
        indent = 5 + max((len(choice.text) + 2 for choice in shown if choice.text != choice.label), default=0)
        draft = Draft(target=output, room=output.width)
        if rows is None or sum(draft.hanging(line, indent) for line in lines) <= rows:
            for line in lines:
                output.hanging(line, indent)
            return
    wide = max((line.cell_len for line in lines), default=0) > output.width
    if worded and (wide or _column_rows(output, lines) > (rows or 0)):
        lines = _choice_lines(shown, False, output.width)
    if rows is None or _column_rows(output, lines) <= rows:
        _columns(output, lines)
        return
    kept = len(lines) // _column_rows(output, lines) * (rows - 1)
    if kept:
        _columns(output, lines[:kept])
    output.line(_("… {moves}: 'moves' lists all").format(
        moves=counted(len(lines) - kept, "more move", "more moves")), "dim")


def _choice_lines(shown: Sequence[Choice], worded: bool, width: int) -> list[Text]:
    """Return a line for each move: its label, its notation and, if wanted, its words and a note cut to fit."""
    wide = max(len(choice.text) for choice in shown)
    lines = []
    for choice in shown:
        line = Text().append(f"{choice.label:>3}", "bold cyan")
        if choice.text != choice.label:
            line.append(f"  {choice.text:<{wide}}")
        if worded and choice.words != choice.text:
            line.append(f"  {choice.words}")
        note = _fitting(choice.note, width - line.cell_len - len("  ()")) if worded else ""
        if note:
            line.append(f"  ({note})", "dim")
        lines.append(line)
    return lines


def _fitting(note: str, room: int) -> str:
    """Return the longest run of a note's first parts that fits; semicolons separate the parts."""
    parts = note.split("; ")
    return next((said for n in range(len(parts), 0, -1) if len(said := "; ".join(parts[:n])) <= room), "")


def _across(output: Output, cells: Sequence[Text]) -> int:
    """Return the number of cells side by side in a line."""
    return max(1, output.width // (max(cell.cell_len for cell in cells) + 2))


def _column_rows(output: Output, cells: Sequence[Text]) -> int:
    """Return the number of lines that cells take in columns."""
    return -(-len(cells) // _across(output, cells))


def _columns(output: Output, cells: Sequence[Text]) -> None:
    """Print cells in columns, numbered down each column as in a newspaper."""
    wide = max(cell.cell_len for cell in cells) + 2
    rows = _column_rows(output, cells)
    for row in range(rows):
        line = Text()
        for cell in cells[row::rows]:
            line.append_text(cell).append(" " * (wide - cell.cell_len))
        line.rstrip()
        output.line(line)


def result_table(output: Output, game: Notation, seats: Sequence[str], result: GameResult) -> None:
    """Print the final ranks, scores and win shares."""
    table = simple_table(_("rank"), _("seat"), _("agent"), _("score"), _("win"),
                         right=(_("rank"), _("score"), _("win")))
    order = sorted(range(len(result.ranks)), key=lambda seat: result.ranks[seat])
    for seat in order:
        table.add_row(str(result.ranks[seat]), seat_text(game, seat), seats[seat] if seats else "",
                      number(result.scores[seat]), percent(result.utilities[seat]))
    output.table(table)
