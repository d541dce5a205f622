"""`sfida verify`: whether the luck of a recorded game followed from its seed, and the seed from what was promised."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from sfida.ai.chance import ChanceDraw, draws_of
from sfida.ai.luck.commitment import Commitment, commitment_of
from sfida.cli.errors import DONE, FAILED
from sfida.cli.file_options import InputFile, recorded_game
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import Number, Output, color_option, json_option, lang_option, output_for
from sfida.engines.game import Game
from sfida.engines.language import _, listed, ngettext
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

SHOWN = 10              # most differences in words
_ENOUGH = 16            # hex digits of a noted hash that nobody can imitate in an evening


@click.command("verify")
@click.argument("record", type=InputFile())
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Number of the game in the file, counted from 1.")
@click.option("--commitment", "noted", metavar="HASH",
              help="The SHA-256 that was shown before the game, or at least its first 16 digits: the record must name "
                   "the same.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, record: Path, number: int, noted: str | None, trust: Trust, as_json: bool) -> None:
    """Check that every draw and roll of a game followed from its seed.

    \b
    sfida verify game.jsonl
    sfida verify game.jsonl --commitment 3f2a91bc03d9e6a7
    sfida verify tournament.sfida --game 12

    RECORD is a file of records or the store of a tournament. Nobody can choose the
    luck of a game whose seed was drawn before it, so luck that follows from the seed
    was not tampered with. If a hash of the seed was shown before the game, it is
    checked, too, and so is what guests contributed to the seed. The exit code is 0
    only if everything is right. Luck that was typed in from a real table has no seed.
    """
    output = output_for(context, as_json)
    if noted is not None and (len(noted) < _ENOUGH or not set(noted.lower()) <= set("0123456789abcdef")):
        raise click.UsageError(_("--commitment takes the hash that was shown, at least its first {number} "
                                 "digits").format(number=_ENOUGH))
    game = trust.record(recorded_game(record, number))
    found = list(draws_of(game))
    wrong = [draw for draw in found if draw.drawn != draw.due]
    commitment = commitment_of(game)
    faults = _faults(game, commitment, noted)
    if as_json:
        output.emit({"type": "verified", "draws": len(found), "follow": len(found) - len(wrong),
                     "differences": [{"ply": draw.ply, "drawn": draw.drawn, "due": draw.due} for draw in wrong],
                     "commitment": None if commitment is None else commitment.to_json(), "faults": faults})
    else:
        _tell(output, found, wrong)
        if commitment is not None and not faults:
            _tell_commitment(output, make_game(game.game), commitment)
        for fault in faults:
            output.line(fault)
    context.exit(FAILED if wrong or faults else DONE)


def _tell(output: Output, found: list[ChanceDraw], wrong: list[ChanceDraw]) -> None:
    output.line(ngettext("{follow} of {number} draw follows from the seed",
                         "{follow} of {number} draws follow from the seed", len(found)).format(
        follow=len(found) - len(wrong), number=len(found)))
    for draw in wrong[:SHOWN]:
        output.line(_("move {ply}: {drawn} was drawn, and {due} follows from the seed").format(
            ply=draw.ply + 1, drawn=draw.drawn, due=draw.due))


def _faults(record: GameRecord, commitment: Commitment | None, noted: str | None) -> list[str]:
    """Return in words what is wrong with the commitment of a record."""
    if commitment is None:
        return [] if noted is None else [_("the record names no commitment to its luck")]
    faults = []
    if noted is not None and not commitment.sha256.startswith(noted.lower()):
        faults.append(_("the record names another commitment, {hash}").format(hash=commitment.sha256))
    if commitment.seed is None:
        return [*faults, _("the commitment is still sealed: the record names neither its seed nor its salt")]
    if not commitment.fits:
        faults.append(_("seed {seed} and its salt do not give the commitment {hash}").format(
            seed=commitment.seed, hash=commitment.sha256))
    game = make_game(record.game)
    faults += [_("what {seat} contributed is not what was promised").format(seat=game.seat_name(seat))
               for seat in commitment.broken if seat < game.players]
    if record.seed != commitment.game_seed:
        faults.append(_("{due} follows as the seed of the game, and {seed} was used").format(
            due=commitment.game_seed, seed=record.seed))
    return faults


def _tell_commitment(output: Output, game: Game, commitment: Commitment) -> None:
    def names(seats: Iterable[int]) -> str:
        return listed([game.seat_name(seat) for seat in seats if seat < game.players])

    output.line(_("the seed is the one of the commitment {hash}").format(hash=commitment.sha256))
    given = [part.seat for part in commitment.contributions if part.given]
    if given:
        output.line(_("the seed contains what was contributed by {seats}").format(seats=names(given)))
    if commitment.withheld:
        output.line(_("promised, and not contributed, by {seats}").format(seats=names(commitment.withheld)))
