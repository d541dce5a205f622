"""Hand-made positions of Attila, for the tests of its pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from sfida.engines.attila.map import Island, Land, Province, ProvinceLink
from sfida.engines.attila.position import NOTHING, Battle, Position, SeatPosition, Six
from sfida.engines.attila.tables import load_data


@cache
def land() -> Land:
    """Return the map of the data file."""
    data = load_data()
    board = data["board"]
    number = {row["id"]: row["index"] for row in data["provinces"]}
    return Land(
        tuple(Province(row["id"], row["code"], row["name_en"], row["start"], row["x"], row["y"], row["row"], row["col"])
              for row in data["provinces"]),
        tuple(ProvinceLink(number[row["a"]], number[row["b"]], row["kind"] == "water") for row in data["links"]),
        tuple(Island(row["name_en"], row["x"], row["y"]) for row in data["excluded_areas"]),
        board["picture_width"], board["picture_height"], board["text_rows"], board["text_columns"],
        data["influence_chart"]["last_space"], board["confidence"] == "reconstructed")


CODE = {one.code: number for number, one in enumerate(land().provinces)}
TILES = ("double_turn", "exchange", "influence_2")
LETTERS = "FHGSTV"


def six(letters: str) -> Six:
    """Return the counts of letters such as "FFHV"."""
    counts = [letters.count(letter) for letter in LETTERS]
    return (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])


def on_map(where: Land, standing: str) -> tuple[Six, ...]:
    """Return tokens by province from a text such as "GER:VV RAE:S"."""
    found = dict(part.split(":") for part in standing.split())
    return tuple(six(found.get(one.code, "")) for one in where.provinces)


def seats_of(players: int, viewer: int | None) -> tuple[SeatPosition, ...]:
    """Return seats with hands that only the viewer knows."""
    hands = ("FFHGST", "VVGHTF", "SSSHVT", "FTTVGG", "HHGSSV")
    return tuple(SeatPosition(six(hands[seat]) if seat == viewer else None, 6, 0, None, NOTHING, 0, 0, TILES)
                 for seat in range(players))


def opening(players: int = 3, viewer: int | None = 0) -> Position:
    """Return the first decision of a game, an empty board."""
    return Position(land(), players, "play", 1, 0, 0, on_map(land(), ""), (False,) * 25, (20,) * 6, (1, 2, 3, 4), 1,
                    54 - 6 * players, NOTHING, 0, 0, False, -1, (), NOTHING, (), seats_of(players, viewer))


def battle_of(viewer: int | None = 0, players: int = 5) -> Position:
    """Return a conflict in the 6th century, with cards laid face down."""
    standing = ("GER:FVVHH RAE:FFS NOR:T PAN:HHGG DAC:H MOE:GG LUG:VF BEL:V BRI:V ITS:FS ITI:GGG GRA:T DAL:HS "
                "AFR:VVS BAE:V CRE:F ASI:T")
    tokens = on_map(land(), standing)
    calm = tuple(one.code in ("PAN", "MOE", "ITI", "AFR") for one in land().provinces)
    influence = ((3, 7, 0, 4, 5, 9), (3, 0, 11, 4, 1, 8), (1, 7, 0, 4, 0, 0), (5, 0, 0, 4, 5, 22), (0, 1, 0, 4, 2, 0))
    seats = []
    for seat, one in enumerate(seats_of(players, viewer)):
        laid = (2, 1, 0, 0, 0)[seat]
        own = seat == viewer
        hand = None if one.hand is None else six(("FGST", "VGHTF", "SSSHVT", "FTTVGG", "HHGSSV")[seat])
        seats.append(replace(one, hand=hand, hand_size=6 - laid, laid=laid,
                             laid_cards=six(("FH", "V")[seat]) if own and laid else None, influence=influence[seat],
                             score=(38, 31, 38, 104, 7)[seat], prospect=(14, 12, 3, 9, 0)[seat],
                             tiles=(TILES, TILES[:1], (), TILES[1:], TILES)[seat]))
    down = tuple(sum(column) for column in zip(*tokens, strict=True))
    supply = tuple(20 - count for count in down)
    return replace(opening(players, viewer), phase="commit", turn=31, seat_to_move=1, tokens=tokens, pacified=calm,
                   supply=(supply[0], supply[1], supply[2], supply[3], supply[4], supply[5]), peace=(0, 0, 2, 4),
                   gain=3, pile=11, discards=(3, 1, 4, 2, 0, 3), reshuffles=1, card=0,
                   queue=(CODE["GER"],), seats=tuple(seats), last=("at", CODE["GER"]))


def over(players: int = 2) -> Position:
    """Return the end of a game, with all hands open."""
    standing = ("GER:FFV RAE:S NOR:TTT PAN:HHG DAC:H MOE:GGF LUG:VFF BEL:VV BRI:VVF AQU:FFS NAR:TT TAR:G LUS:SSS BAE:H "
                "ITS:FS ITI:GGG SIC:VV DAL:HS GRA:TTVV THR:H AFR:VVS NUM:T MAU:FF CRE:F ASI:TG")
    tokens = on_map(land(), standing)
    peaceful = ("GER", "RAE", "NOR", "PAN", "DAC", "MOE", "ITS", "GRA", "LUG", "AFR")
    calm = tuple(one.code in peaceful for one in land().provinces)
    seats = [replace(one, hand=six("FFHGS" if seat else "VVT"), hand_size=5 if seat else 3,
                     score=(93, 103)[seat % 2], influence=(9, 4, 22, 0, 3, 8) if seat else (7, 4, 0, 6, 3, 14),
                     tiles=())
             for seat, one in enumerate(seats_of(players, None))]
    return replace(opening(players, None), phase="game_over", turn=29, seat_to_move=-4, seat_on_turn=0, tokens=tokens,
                   pacified=calm, supply=(8, 12, 11, 10, 9, 8), peace=(0, 0, 0, 0), gain=4, pile=20,
                   discards=(5, 6, 4, 4, 3, 4), seats=tuple(seats), ending=("peace", "influence"), winners=(1,),
                   last=("end_turn", -1), battle=Battle(CODE["GER"], (3, 1, 0, 0, 0, 2), (0, 1, 0, 0, 0, 0)))


def grid() -> Land:
    """Return a map of 12 provinces in three rows, none of them from the data file."""
    provinces = tuple(Province(f"land_{i}", f"L{chr(65 + i)}{chr(65 + i)}", f"Land {i}", i < 4, 20.0 + 40 * (i % 4),
                               18.0 + 36 * (i // 4), i // 4, i % 4) for i in range(12))
    links = [ProvinceLink(i, i + 1, i == 5) for i in range(12) if i % 4 < 3]
    links += [ProvinceLink(i, i + 4, i == 7) for i in range(8) if i != 1]
    return Land(provinces, tuple(links), (Island("Thule", 148.0, 116.0),), 170.0, 120.0, 3, 4, 12)


def elsewhere() -> Position:
    """Return a position on another map, whose chart is longer than any marker needs."""
    there = grid()
    return replace(battle_of(0, 3), land=there, tokens=on_map(there, "LAA:FFHG LBB:V LFF:SSSTT LLL:G"),
                   pacified=tuple(i in (0, 11) for i in range(12)), queue=(5,), last=("second", 5),
                   battle=Battle(1, six("FFHV"), six("HV")))


POSITIONS = {"opening": opening(), "two": opening(2, 1), "conflict": battle_of(), "seat 1": battle_of(1),
             "public": battle_of(None), "over": over(), "elsewhere": elsewhere()}
