"""Moves of RisiKo! as text, both ways (RIS-22).

    +CIN 5              5 armies on China            ALK>KAM 3     attack Kamchatka from Alaska with three dice
    T ALK QUE PER       trade a set (J1, J2 jokers)  ALK>>KAM      assault to the end;  ALK>>KAM 4 stop in time
    x KAM 3+4           move 4 more after a conquest d2            defend with two dice
    ~UCR>EUM 4          strategic move               =             no (more) sets, attacks or strategic move
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.language import NP_, _, counted, named, pgettext, spellings
from sfida.engines.moves import Reason, first_meaning, legal_code, no_move, plain, played_through
from sfida.engines.risiko import style
from sfida.engines.risiko.advice import chance_text
from sfida.engines.risiko.illegal_reasons import nothing_from, why_not, wrong_conquest, wrong_dice
from sfida.engines.risiko.position import HIDDEN, PAIRS, RESERVE, Move, decode, encode, position_of
from sfida.engines.risiko.tables import card_name, codes
from sfida.engines.spec import did_you_mean, quoted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

NO_DIE = 70                             # no die shows a 7, so 71 is not a throw
ENDS = {"trade": "end_trade", "attack": "end_attack", "fortify": "end_turn"}
_END_WORDS = NP_("typed in risiko", "pass|end|stop|end turn|no|done")
_TRADE_WORDS = NP_("typed in risiko", "trade")
_DRAW_WORDS = NP_("typed in risiko", "draw|c")
_TO_WORDS = NP_("typed in risiko", "to|in")
_END_TOLD = {"end_trade": NP_("risiko", "trades no more sets"), "end_attack": NP_("risiko", "ends the attacks"),
             "end_turn": NP_("risiko", "ends the turn")}
_DICE = r"[\d,;.+-]+"
_ROLL = re.compile(rf"(?:\[({_DICE})\|({_DICE})\])?(?:-?([0-3])-([0-3]))?|({_DICE})\|({_DICE})")


def typed(words: str) -> tuple[str, ...]:
    """Return the words to type for some words, in any language."""
    return spellings(words, "typed in risiko")


# ---- to text ----------------------------------------------------------------------------------------


def format_move(state: RisikoState, code: int) -> str:
    """Return the canonical text of a move or chance outcome."""
    move = decode(code)
    kind, amount, name = move.kind, move.amount, codes()
    if kind == "place":
        return f"+{name[move.target]} {amount}"
    if kind == "attack":
        return f"{name[move.origin]}>{name[move.target]} {amount}"
    if kind in ("assault", "safe_assault"):
        return f"{name[move.origin]}>>{name[move.target]}" + (f" {RESERVE}" if kind == "safe_assault" else "")
    if kind == "fortify":
        return f"~{name[move.origin]}>{name[move.target]} {amount}"
    if kind == "roll":
        return f"-{amount >> 2}-{amount & 3}"
    if kind == "trade":
        return "T " + " ".join(map(card_name, move.cards))
    if kind == "occupy":
        position = position_of(state)
        return f"x {name[position.target]} {position.attack_dice}+{amount}"
    if kind.startswith("end_"):
        return "="
    if kind == "draw":
        return "c" if amount == HIDDEN else f"c:{card_name(amount)}"
    if kind == "objective":
        return "#objective=" + ("?" if amount == HIDDEN else state.rules.objectives[amount])
    simple = {"defend": f"d{amount}", "start": f"#first={amount}", "close": f"#dice={amount}",
              "assault_end": f"#left={amount >> 8}|{amount & 255}"}
    if kind in simple:
        return simple[kind]
    return f"color={style.color_row(amount)['id']}" if kind == "color" else f"#deal={name[move.target]}"


def describe_move(state: RisikoState, code: int) -> str:
    """Return a move or chance outcome in words; an attack with its chance to conquer (RIS-22.5)."""
    move = decode(code)
    amount = move.amount
    match move.kind:
        case "attack" | "assault" | "safe_assault":
            return f"{_attack_words(move)}, {_chance_words(state, move)}"
        case "place" | "fortify" | "occupy":
            return _army_words(move)
        case "end_trade" | "end_attack" | "end_turn":
            return pgettext("risiko", _END_TOLD[move.kind])
        case "defend":
            return _("defends with {dice}").format(dice=counted(amount, "die", "dice"))
        case "trade":
            return _("trades {cards}").format(cards=", ".join(_card_words(one) for one in move.cards))
        case "color":
            return _("takes {color}").format(color=named(style.color_row(amount)).lower())
    return _luck_words(state, move)


def _army_words(move: Move) -> str:
    if move.kind == "occupy":
        if not move.amount:
            return _("moves no more armies in")
        return _("moves {armies} in").format(armies=counted(move.amount, "more army", "more armies"))
    armies, target = counted(move.amount, "army", "armies"), style.territory_name(move.target)
    if move.kind == "place":
        return _("{armies} on {place}").format(armies=armies, place=target)
    return _("moves {armies} from {origin} to {target}").format(
        armies=armies, origin=style.territory_name(move.origin), target=target)


def _attack_words(move: Move) -> str:
    told = (_("attacks {target} from {origin} with {dice}") if move.kind == "attack"
            else _("assaults {target} from {origin} to the end") if move.kind == "assault"
            else _("assaults {target} from {origin}, keeping a reserve"))
    return told.format(target=style.territory_name(move.target), origin=style.territory_name(move.origin),
                       dice=counted(move.amount, "die", "dice"))


def _luck_words(state: RisikoState, move: Move) -> str:
    """Return a chance outcome in words."""
    amount, seat_name = move.amount, state.game.seat_name
    match move.kind:
        case "roll":
            return _("the attacker loses {armies}, the defender {lost}").format(
                armies=counted(amount >> 2, "army", "armies"), lost=amount & 3)
        case "assault_end":
            return _("the attacker has {armies} left, the defender {left}").format(
                armies=counted(amount >> 8, "army", "armies"), left=amount & 255)
        case "start":
            return _("{seat} moves first").format(seat=seat_name(amount))
        case "deal":
            return _("{place} is dealt").format(place=style.territory_name(move.target))
        case "close":
            return _("the closing dice show {sum}").format(sum=amount)
        case "draw":
            told = (_("{seat} draws a card") if amount == HIDDEN else pgettext("risiko", "{seat} draws {card}")
                    if amount < len(codes()) else _("{seat} draws a joker"))
            return told.format(seat=seat_name(state.seat_on_turn), card=_card_words(min(amount, len(codes()))))
    seat = seat_name(state.just_dealt)
    if amount == HIDDEN:
        return _("{seat} gets an objective").format(seat=seat)
    return _("{seat} gets the objective {objective}").format(seat=seat, objective=state.rules.objectives[amount])


def _chance_words(state: RisikoState, move: Move) -> str:
    """Return the chance to conquer if the attacker continues to throw as in the move."""
    _chance, told = chance_text(state, position_of(state), move.origin, move.target,
                                reserve=move.kind == "safe_assault",
                                dice=move.amount if move.kind == "attack" else 0, digits=1)
    return _("{chance} to conquer").format(chance=told)


def _card_words(card: int) -> str:
    return style.territory_name(card) if card < len(codes()) else _("a joker")


# ---- numbers to type ----------------------------------------------------------------------------------


def move_labels(state: RisikoState, moves: Sequence[int]) -> list[str] | None:
    """Return the numbers of moves that are numbers: dice of a defence, armies that move on, seats and sums of dice.

    None for other moves.

    The losses of a throw have numbers that cannot be dice.
    """
    decoded = [decode(code) for code in moves]
    if all(move.kind in ("defend", "occupy", "start", "close") for move in decoded):
        return [str(move.amount) for move in decoded]
    if all(move.kind == "roll" for move in decoded):
        return [str(NO_DIE + number) for number in range(1, len(moves) + 1)]
    return None


# ---- from text --------------------------------------------------------------------------------------


def parse_move(state: RisikoState, text: str) -> int:
    """Return the legal move of a text; raises InvalidNotation if it is no move at all, IllegalMove if it is illegal."""
    move = read(state, text)

    def alike(shown: str) -> bool:
        if move.kind not in PAIRS:
            return move.kind == "place" and shown.startswith(f"+{codes()[move.target]} ")
        return f"{codes()[move.origin]}>{codes()[move.target]}" in shown.replace(">>", ">")

    return legal_code(state, encode(move), text, alike, why=lambda: why_not(state, move))


def read(state: RisikoState, text: str) -> Move:
    """Return the move of a text in a position, legal or not; raises InvalidNotation.

    Missing parts of a text come from the position: the dice of an attack (the most), the phase that ``=`` ends.
    """
    bare = plain(text)
    readers = (_read_end, _read_due, _read_luck, _read_place, _read_fortify, _read_attack, _read_trade, _read_small,
               _read_bare)
    move = first_meaning(readers, state, bare)
    if move is None:
        raise no_move(state, text, bare.lower(), typed(_END_WORDS),
                      "+CIN 5, ALK>KAM 3, ALK>>KAM, T ALK QUE PER, d2, x KAM 3+4, ~UCR>EUM 4, =",
                      lambda word: parse_move(state, word))
    return move


def _refused(text: str, why: Reason | None) -> None:
    """Refuse a text that contradicts the position, if there is a reason to.

    Raises
    ------
    IllegalMove
    """
    if why is not None:
        raise IllegalMove(_("{text} is not legal here: {why}").format(text=quoted(text), why=why))


def _most(state: RisikoState, kind: str, origin: int, target: int) -> int:
    """Return the largest legal amount of a move between two territories, or else the amount that the armies allow."""
    legal = map(decode, state.legal_moves())
    spare = max(1, position_of(state).armies[origin] - 1)
    return max((move.amount for move in legal if (move.kind, move.origin, move.target) == (kind, origin, target)),
               default=min(3, spare) if kind == "attack" else spare)


def _number(text: str, default: int | None = None) -> int:
    """Return the number in a part of a move."""
    if not text and default is not None:
        return default
    if not re.fullmatch(r"\d{1,5}", text):
        raise InvalidNotation(_("{text} is no number of armies").format(text=quoted(text)))
    return min(int(text), 65535)


def _read_end(state: RisikoState, text: str) -> Move | None:
    if text.lower() not in ("=", *typed(_END_WORDS)):
        return None
    return Move(ENDS.get(state.phase, "end_turn"))


def _read_place(state: RisikoState, text: str) -> Move | None:
    found = re.fullmatch(r"\+(.+?)\s*(\d*)", text)
    if found is None:
        return None
    return Move("place", target=style.territory(found[1]), amount=_number(found[2], 1))


def _read_fortify(state: RisikoState, text: str) -> Move | None:
    found = re.fullmatch(r"~(.+?)>(.+?)\s*(\d*)", text)
    if found is None:
        return None
    origin = style.territory(found[1])
    target = style.territory(found[2])
    amount = _number(found[3]) if found[3] else _most(state, "fortify", origin, target)
    return Move("fortify", origin, target, amount)


def _read_attack(state: RisikoState, text: str) -> Move | None:
    found = re.fullmatch(r"([^>]+?)(>>?)([^>]+?)\s*(\d*)", text)
    if found is None:
        return None
    origin, target = style.territory(found[1]), style.territory(found[3])
    if found[2] == ">>":
        if found[4] not in ("", str(RESERVE)):
            pair = f"{codes()[origin]}>>{codes()[target]}"
            raise InvalidNotation(_("an assault goes to the end, or keeps {reserve} armies: {pair}, {pair} {reserve}"
                                    ).format(pair=pair, reserve=RESERVE))
        return Move("safe_assault" if found[4] else "assault", origin, target)
    dice = _number(found[4]) if found[4] else _most(state, "attack", origin, target)
    return Move("attack", origin, target, dice)


def _read_trade(state: RisikoState, text: str) -> Move | None:
    words = text.replace(",", " , ").split()
    if words[0].lower() not in ("t", *typed(_TRADE_WORDS)):
        return None
    if len(words) < 2 and state.phase != "trade":
        return Move("trade", cards=(0, 1, 2))           # any cards: it is not the time to trade
    cards = tuple(sorted(map(style.card, _card_names(words[1:]))))
    if len(cards) != 3 or len(set(cards)) != 3:
        raise InvalidNotation(_("a set has three different cards, as in T ALK QUE PER, not {text}").format(
            text=quoted(text)))
    return Move("trade", cards=cards)


def _card_names(words: list[str]) -> list[str]:
    """Join the words of names: the words between commas, or else the longest sequences that are a name."""
    if "," in words:
        return [part.strip() for part in " ".join(words).split(",")]
    found = []
    while words:
        long = next((n for n in range(len(words), 1, -1) if style.is_territory(" ".join(words[:n]))), 1)
        found.append(" ".join(words[:long]))
        words = words[long:]
    return found


def _read_small(state: RisikoState, text: str) -> Move | None:
    found = re.fullmatch(r"d(?:efend|ifendi|ifesa)? ?(\d)", text.lower())
    if found:
        return Move("defend", amount=int(found[1]))
    found = re.fullmatch(r"x ?([^\d\s+][^\d+]*?)? ?(?:(\d+) ?\+ ?)?(\d+)", text, re.IGNORECASE)
    if found:
        place = style.territory(found[1]) if found[1] else None
        _refused(text, wrong_conquest(state, place, int(found[2]) if found[2] else None))
        return Move("occupy", amount=_number(found[3]))
    found = re.fullmatch(r"col(?:ou?r|ore)[ =](.+)", text.lower())
    return Move("color", amount=style.color(found[1])) if found else None


def _read_bare(state: RisikoState, text: str) -> Move | None:
    """Read territories without a sign, by the phase: ``Alaska 2`` places, ``Alaska Kamchatka 3`` attacks."""
    found = re.fullmatch(r"(\D+?)\s*(\d*)", text)
    if found is None:
        return None
    if state.phase in ("setup_place", "place"):
        return _read_place(state, f"+{text}") if style.is_territory(found[1]) else None
    if state.phase == "colors":
        return Move("color", amount=style.color(text)) if style.is_color(text) else None
    if state.phase in ("attack", "fortify") and text.replace(" ", "").isalpha() and style.is_territory(text):
        _refused(text, nothing_from(state, style.territory(text)))
    words = [word for word in found[1].split() if word.lower() not in typed(_TO_WORDS)]
    for i in range(1, len(words)):
        origin, target = " ".join(words[:i]), " ".join(words[i:])
        if style.is_territory(origin) and style.is_territory(target):
            if state.phase == "fortify":
                return _read_fortify(state, f"~{origin}>{target} {found[2]}".rstrip())
            return _read_attack(state, f"{origin}>{target} {found[2]}".rstrip())
    return None


def _read_due(state: RisikoState, text: str) -> Move | None:
    """Read a chance outcome without a sign: the dice, a card, a territory, a seat or its colour, an objective."""
    low = text.lower()
    if low in typed(_DRAW_WORDS):
        if state.phase == "draw":
            raise InvalidNotation(_("{text}: the card that was drawn has a name, as in c:CIN or c:J1").format(
                text=quoted(text)))
        return Move("draw")
    match state.phase:
        case "chance_roll" if "|" in text or re.fullmatch(r"[\d ,;.+-]+", text):
            return _read_roll(state, text)
        case "chance_deal" if style.is_territory(text):
            return Move("deal", target=style.territory(text))
        case "draw" if style.is_card(text):
            return Move("draw", amount=style.card(text))
        case "chance_objectives" if low in state.rules.objectives:
            return Move("objective", amount=state.rules.objectives.index(low))
        case "chance_start":
            seats = (str(seat) for seat in range(state.players))
            seat = style.color(text) if style.is_color(text) else int(text) if text in seats else None
            return None if seat is None else Move("start", amount=seat)
        case "sdadata":
            return _read_sum(text)
    return None


def _read_sum(text: str) -> Move | None:
    """Read the closing dice, one by one or as their sum."""
    found = re.fullmatch(r"(\d)(?: ?[+,] ?| )(\d)|(\d{1,2})", text)
    if found is None:
        return None
    if not found[3]:
        _check_dice(text, found[1] + found[2])
    return Move("close", amount=int(found[3] or int(found[1]) + int(found[2])))


def _check_dice(text: str, dice: str) -> None:
    """Refuse numbers that no die shows; raises InvalidNotation."""
    for die in dice:
        if die not in "123456":
            raise InvalidNotation(_("{text}: a die shows 1 to 6, not {die}").format(text=quoted(text), die=die))


def _read_luck(state: RisikoState, text: str) -> Move | None:
    found = re.fullmatch(r"c ?: ?(.+)", text, re.IGNORECASE)
    if found:
        return Move("draw", amount=style.card(found[1]))
    if text.startswith(("[", "-")):
        return _read_roll(state, text)
    plain = text.replace(" ", "")
    if not plain.startswith("#"):
        return None
    kind, _sign, value = plain[1:].partition("=")
    left = re.fullmatch(r"(\d{1,3})\|(\d{1,3})", value)
    if kind == "left" and left and int(left[1]) < 256 and int(left[2]) < 256:
        return Move("assault_end", amount=int(left[1]) << 8 | int(left[2]))
    if kind == "deal":
        return Move("deal", target=style.territory(value))
    if kind == "objective":
        deck = state.rules.objectives
        if value.lower() not in deck:
            raise InvalidNotation(_("{text}: luck is written like #objective={one}; there is no objective {name} in "
                                    "this game{hint}").format(text=quoted(text), one=deck[0], name=quoted(value),
                                                              hint=did_you_mean(value.lower(), deck)))
        return Move("objective", amount=deck.index(value.lower()))
    if kind in ("first", "dice") and re.fullmatch(r"\d{1,2}", value):
        return Move("start" if kind == "first" else "close", amount=int(value))
    raise InvalidNotation(_("{text}: luck is written like #first=2, #objective=o24, #deal=CIN, #dice=7, -1-1, c:CIN"
                            ).format(text=quoted(text)))


def _read_roll(state: RisikoState, text: str) -> Move:
    """Read a throw: its losses, the dice, or both."""
    found = _ROLL.fullmatch(text.replace(" ", ""))
    if found is None or not any(found.groups()):
        raise InvalidNotation(_("{text}: a throw is written like -1-1, losses of the attacker first, or [6 5 2|6 4]"
                                ).format(text=quoted(text)))
    losses = None if found[3] is None else (int(found[3]), int(found[4]))
    if found[1] or found[5]:
        sides = [re.sub(r"\D", "", dice) for dice in (found[1] or found[5], found[2] or found[6])]
        _check_dice(text, "".join(sides))
        attack, defence = (sorted(map(int, dice), reverse=True) for dice in sides)
        _refused(text, wrong_dice(state, len(attack), len(defence)))
        if not (1 <= len(attack) <= 3 and 1 <= len(defence) <= 3):
            raise InvalidNotation(_("{text}: each side throws one to three dice").format(text=quoted(text)))
        lost = sum(a > d for a, d in zip(attack, defence, strict=False))
        shown = (min(len(attack), len(defence)) - lost, lost)
        if losses not in (None, shown):
            raise InvalidNotation(_("{text}: these dice cost the attacker {attacker}, the defender {defender}").format(
                text=quoted(text), attacker=shown[0], defender=shown[1]))
        losses = shown
    assert losses is not None
    return Move("roll", amount=losses[0] << 2 | losses[1])


# ---- whole lines ------------------------------------------------------------------------------------

_TOKEN = re.compile(r"""
    \+[^+~=>\[\d]+\d*                   # +CIN 5
    | ~[^>]+>[^+~=>\[\d]+\d*            # ~UCR>EUM 4
    | [tT](?:\s+[A-Za-z][A-Za-z0-9]{1,2}){3}(?=\s|$)
    | \[[^\]]*\](?:\s*-\d-\d)? | -\d-\d
    | [xX]\s*[A-Za-z]*\s*\d+(?:\s*\+\s*\d+)?
    | [cC]\s*:\s*\S+ | [dD]\d | =
    | [A-Za-z]+\s*>>?\s*[A-Za-z]+(?:\s*\d+)?
    """, re.VERBOSE)


def parse_turn(state: RisikoState, text: str) -> list[int]:
    """Return the moves of one line, such as ``+CIN 3 +MOR 2``: decisions of the seat up to the next chance event.

    Raises
    ------
    InvalidNotation, IllegalMove
    """
    line = plain(text)
    tokens = [found[0] for found in _TOKEN.finditer(line)]
    rest = _TOKEN.sub("", line).replace(" ", "")
    if len(tokens) < 2 or rest:
        return [parse_move(state, text)]
    return played_through(state, tokens, parse_move,
                          lambda work: _("luck decides") if work.is_chance else _("another seat decides"))
