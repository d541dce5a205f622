"""The report of a tournament: the contents of the page and the CSV files, and a page without external parts."""

import csv
import dataclasses
import io
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import matplotlib
import pytest

from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.evaluate import evaluate
from sfida.ai.arena.outcome import Forfeit, GameOutcome, forfeited
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.standings import SprtState
from sfida.ai.luck.value import Value, luck_of
from sfida.ai.report.figures import seat_words
from sfida.ai.report.html import (
    AGENTS_DARK, AGENTS_LIGHT, duration, fixed, interval, own_ids, percent, picture, short_labels
)
from sfida.ai.report.material import Material, csv_files, families, per_doubling, steps
from sfida.ai.report.page import chosen, game_list, section, write_report
from sfida.ai.table import play
from sfida.engines.acres.style import RGB as ACRES_RGB
from sfida.engines.attila.style import seat_rgb as attila_rgb
from sfida.engines.data_files import packaged
from sfida.engines.files import write_whole
from sfida.engines.registry import make_game
from sfida.engines.risiko.tables import load_data as risiko_data
from sfida.engines.zarahemla.style import SEAT_RGB as ZARAHEMLA_RGB

VOID = {"meta", "img", "wbr", "br", "input", "link", "hr"}
FIGURES = {"rating", "cross", "scores", "seats", "length", "walls", "decisions"}


class Page(HTMLParser):
    """A parsed page; an unbalanced tag fails at once."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.attributes, self.words = [], [], [], [], {}
        self.rows, self.tables = [], {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.rows = self.tables.setdefault(len(self.tables), [])
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *attr) for attr in attrs]
        self.ids += [value for key, value in attrs if key == "id"]

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data):
        for tag in set(self.open):
            self.words.setdefault(tag, []).append(data)
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data

    def said(self, tag):
        """Return all text within the elements of a name."""
        return "".join(self.words.get(tag, []))

    def values(self, *keys):
        return [value for _, key, value in self.attributes if key in keys and value is not None]


def outcome(record, block=0, rotation=0, agents=(0, 1), forfeit=None, **changes):
    """The outcome of a record, with the same times on every machine."""
    players, result = len(agents), record.result
    utilities, ranks = (result.utilities, result.ranks) if forfeit is None else forfeited(players, forfeit.seat)
    scores = result.scores if result is not None else (0,) * players
    chance = len(record.chance)
    each = (len(record.moves) - chance) // players + 1
    played = GameOutcome(block, rotation, tuple(agents), record, tuple(utilities), tuple(ranks), tuple(scores),
                         (each,) * players, tuple(0.01 * each * (1 + 7 * agent) for agent in agents),
                         0.01 * len(record.moves), forfeit)
    return dataclasses.replace(played, **changes)


def tournament(setup, real=None, forfeits=None, until=None):
    """Play the schedule of a setup with the agents `real` in place of its own."""
    schedule, outcomes = Schedule(setup), []
    for block in schedule:
        for rotation in range(setup.players):
            seating = block.seating(rotation)
            record = play(setup.game, [(real or setup.agents)[agent] for agent in seating],
                          schedule.game_seed(block.index, rotation))
            lost = (forfeits or {}).get(len(outcomes))
            if lost is not None:
                cut = len(record.moves) // 2
                record = dataclasses.replace(record, moves=record.moves[:cut], result=None,
                                             chance=tuple(ply for ply in record.chance if ply < cut))
            outcomes.append(outcome(record, block.index, rotation, seating, lost))
    return outcomes[:until]


def table_of(setup, outcomes):
    return evaluate(Tally.of(outcomes, setup.players), setup, resamples=40)


def report(folder, setup, outcomes, standings=None, **options):
    """Write a report and return its parsed page and its text."""
    path = write_report(folder, setup, standings or table_of(setup, outcomes), outcomes, **options)
    assert path == folder / "report.html"
    text = path.read_text("utf-8")
    return Page(text), text


def lab(rgb):
    """Return a colour in CIE Lab (D65), in which distances are perceptual."""
    red, green, blue = ((level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4)
                        for level in (int(rgb[i:i + 2], 16) / 255 for i in (1, 3, 5)))
    x, y, z = ((t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116) for t in (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047, 0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def rows_of(path):
    text = path.read_bytes().decode()
    assert text.endswith("\r\n")
    return list(csv.DictReader(text.splitlines()))


def alone(page, text):
    """Assert the properties of every page."""
    assert len(page.ids) == len(set(page.ids))
    ids = set(page.ids)
    for link in page.values("href", "xlink:href"):
        assert link.startswith("#"), link
        assert link[1:] in ids, link
    assert {name for names in page.values("aria-labelledby") for name in names.split()} <= ids
    assert set(re.findall(r"url\(['\"]?#([^)'\"]+)", text)) <= ids
    assert all(source.startswith("data:") for source in page.values("src"))
    assert not re.search(r"url\(['\"]?(?!#)|@import", text)
    assert not [value for tag, key, value in page.attributes if re.search(r"(https?:)?//", value or "")
                and not key.startswith("xmlns") and key != "aria-label"]
    assert not {"iframe", "link", "object", "embed", "base", "form"} & set(page.tags)
    assert page.attributes.count(("svg", "role", "img")) >= page.tags.count("figure") == page.tags.count("figcaption")
    assert 'name="viewport"' in text
    assert '<html lang="en">' in text
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)


LEDUC = Setup("leduc_poker", 1, 2, ("random", "greedy", "flat:iterations=8"), 24, 5)


@pytest.fixture(scope="module")
def leduc():
    return tournament(LEDUC)


@pytest.fixture(scope="module")
def told(leduc, tmp_path_factory):
    """Return folder, standings, page and page text of the report that most tests check."""
    folder, standings = tmp_path_factory.mktemp("told"), table_of(LEDUC, leduc)
    page, text = report(folder, LEDUC, leduc, standings, store=Path("runs/leduc.jsonl"))
    return folder, standings, page, text


@pytest.fixture(scope="module")
def carcassonne():
    setup = Setup("carcassonne:players=3", 1, 3, ("random", "greedy"), 3, 2)
    return setup, tournament(setup, forfeits={1: Forfeit(1, "raised", "ValueError: no idea")})


# ---- the page ---------------------------------------------------------------------------------------


def test_page_stands_alone_and_has_all_figures(told):
    folder, _, page, text = told
    alone(page, text)
    assert {ident.removeprefix("figure-") for ident in page.ids if ident.startswith("figure-")} == FIGURES
    assert sorted(path.name for path in folder.iterdir()) == ["agents.csv", "games.csv", "pairs.csv",
                                                                "report.html", "seats.csv"]
    assert page.tags.count("figcaption") == len(FIGURES)
    assert "leduc_poker" in page.said("h1")


def test_page_with_boards_of_one_game_shares_no_ids(tmp_path, carcassonne):
    setup, outcomes = carcassonne
    page, text = report(tmp_path, setup, outcomes)
    alone(page, text)
    boards = [ident for ident in page.ids if ident.endswith("-car-square")]
    assert len(boards) == page.tags.count("article") >= 2
    assert "ValueError: no idea" in page.said("td")


def test_standings_table_says_what_the_standings_say(told):
    _, standings, page, _ = told
    rows = page.tables[0][1:]
    assert [row[1] for row in rows] == [standings.agents[index].label for index in standings.ranking]
    for row, index in zip(rows, standings.ranking, strict=True):
        agent = standings.agents[index]
        assert row[2:5] == [fixed(agent.elo, sign=True), interval(agent.elo_ci95, sign=True), str(agent.games)]
        assert row[5] == f"{100 * agent.win_share:.1f}\u202f%"
        assert row[7:9] == [f"{agent.mean_rank:.2f}", f"{agent.mean_score:.2f}".replace("-", "−")]
        assert row[-1] == "0"


def test_figures_are_described_in_words(told):
    _, standings, page, _ = told
    said = page.values("aria-label")
    best = standings.agents[standings.ranking[0]]
    assert any(f"Ratings. {best.label} {fixed(best.elo, sign=True)}" in words for words in said)
    pair = standings.pairs[0]
    names = {standings.agents[pair.a].label, standings.agents[pair.b].label}
    cross = next(words for words in said if words.startswith("Cross table"))
    assert all(name in cross for name in names)
    assert f"of {pair.games}" in cross


def test_agents_that_never_met_get_a_dash(tmp_path):
    setup = Setup("leduc_poker", 1, 2, ("random", "greedy", "flat:iterations=8"), 8, 5, "gauntlet")
    page, text = report(tmp_path, setup, tournament(setup))
    cross = next(words for words in page.values("aria-label") if words.startswith("Cross table"))
    assert cross.count("never met") == 1
    assert cross.count("% of 4") == 2
    drawn = text[text.index(cross):]
    assert drawn[:drawn.index("</svg>")].count("–</text>") == 2         # from both sides
    pairs = next(rows for rows in page.tables.values() if rows[0][:3] == ["agent", "against", "meetings"])
    strangers, = (row for row in pairs[1:] if "random" not in row[:2])
    assert strangers[2:] == ["0", *["–"] * 5]
    told, = (row for row in rows_of(tmp_path / "pairs.csv") if row["games"] == "0")
    assert {told[key] for key in told if key not in ("a", "b", "games")} == {""}


def test_no_agent_has_the_colour_of_a_seat():
    seats = {*ACRES_RGB, *ZARAHEMLA_RGB.values(), *map(attila_rgb, range(5)),
             *(entry["rgb"] for entry in packaged("sfida.engines.carcassonne")["players"]["colors"]),
             *(entry["hex"] for entry in risiko_data()["color"])}
    for agent in (*AGENTS_LIGHT, *AGENTS_DARK):
        assert min(math.dist(lab(agent), lab(seat)) for seat in seats) > 25, agent
    for agents in (AGENTS_LIGHT, AGENTS_DARK):
        assert min(math.dist(lab(a), lab(b)) for i, a in enumerate(agents) for b in agents[:i]) > 18


def test_every_cell_of_a_stacked_table_names_its_column(told):
    _, _, _, text = told
    standings = text[text.index('<table class="stacks">'):]
    standings = standings[:standings.index("</table>")]
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', standings)
    rows = standings[standings.index("<tbody>"):].split("</tr>")[:-1]
    assert len(rows) == len(LEDUC.agents)
    for row in rows:
        assert re.findall(r'data-head="([^"]*)"', row) == [head for head in heads if head != "agent"]


def test_page_needs_no_script_and_allows_no_other(told):
    _, _, page, text = told
    assert page.tags.count("script") == 1
    assert text.index("<script>") > text.index("</main>")
    policy = next(value for value in page.values("content") if "default-src" in value)
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


def test_verdict_and_odd_pairs_are_told_in_words(tmp_path, told, leduc):
    _, standings, _, plain = told
    verdict = SprtState(0.0, 5.0, 0.05, 0.05, 3.01, -2.94, 2.94, 1.0, 12, "H1", "random leads by 5 Elo or more.")
    odd = dataclasses.replace(standings.pairs[0], score=0.9, expected=0.5, residual=0.4, z=4.5)
    changed = dataclasses.replace(standings, sprt=verdict, pairs=(odd, *standings.pairs[1:]))
    page, _ = report(tmp_path, LEDUC, leduc, changed)
    words = page.said("p")
    assert "random leads by 5 Elo or more." in words
    assert "log likelihood ratio 3.01 between −2.94 and 2.94 after 12 blocks" in words
    assert "1 pair does not fit the ratings: random scores 90\u202f% against greedy, 50\u202f% expected" in words
    assert "No pair lies more than 3 standard errors" in plain


@pytest.mark.parametrize(("p", "words"), [(0.0004, "Seats matter (p < 0.001"), (0.03, "some evidence"),
                                          (0.4, "No evidence that seats matter (p = 0.40"),
                                          (math.nan, "Too little was played")])
def test_seat_effect_is_told_in_words(p, words):
    assert words in seat_words(p)


def test_equal_arguments_give_equal_files(tmp_path, told, leduc):
    files = ("report.html", "agents.csv", "pairs.csv", "seats.csv", "games.csv")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        mine = dict(matplotlib.rcParams)
        report(tmp_path, LEDUC, leduc[::-1], store=Path("runs/leduc.jsonl"))
        assert dict(matplotlib.rcParams) == mine
    for name in files:
        assert (tmp_path / name).read_bytes() == (told[0] / name).read_bytes()


# ---- CSV --------------------------------------------------------------------------------------------


def test_csv_files_hold_the_standings(told):
    folder, standings, _, _ = told
    agents = rows_of(folder / "agents.csv")
    assert [row["rank"] for row in agents] == ["1", "2", "3"]
    for row, index in zip(agents, standings.ranking, strict=True):
        agent = standings.agents[index]
        assert (row["agent"], row["label"], int(row["games"])) == (agent.agent, agent.label, agent.games)
        assert (float(row["elo"]), float(row["elo_low"]), float(row["elo_high"])) == (agent.elo, *agent.elo_ci95)
        assert (float(row["win_share"]), float(row["mean_score"])) == (agent.win_share, agent.mean_score)
    for row, pair in zip(rows_of(folder / "pairs.csv"), standings.pairs, strict=True):
        assert (row["a"], row["b"]) == (LEDUC.agents[pair.a], LEDUC.agents[pair.b])
        assert (int(row["games"]), float(row["score"]), float(row["z"])) == (pair.games, pair.score, pair.z)
    for row, seat in zip(rows_of(folder / "seats.csv"), standings.seats, strict=True):
        assert (int(row["seat"]), float(row["win_share"]), float(row["elo"])) == (seat.seat, seat.win_share, seat.elo)


def test_games_csv_holds_every_game_in_order(tmp_path, leduc):
    reason = 'said "no",\nthen left'
    lost = outcome(dataclasses.replace(leduc[3].record, result=None), 1, 1, leduc[3].agents,
                   Forfeit(0, "died", reason))
    outcomes = [*leduc[:3], lost, *leduc[4:-1]]         # one forfeit, and the last block unfinished
    text = csv_files(Material.of(LEDUC, table_of(LEDUC, outcomes), outcomes[::-1]))["games.csv"]
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [int(row["game"]) for row in rows] == list(range(1, len(outcomes) + 1))
    assert [row["counted"] for row in rows] == ["1"] * (len(outcomes) - 1) + ["0"]
    assert (rows[3]["forfeit_seat"], rows[3]["forfeit_kind"], rows[3]["forfeit_reason"]) == ("0", "died", reason)
    for row, game in zip(rows, outcomes, strict=True):
        assert (int(row["block"]), int(row["rotation"]), int(row["plies"])) == (game.block, game.rotation,
                                                                               len(game.record.moves))
        for seat in range(2):
            assert row[f"agent_{seat}"] == LEDUC.agents[game.agents[seat]]
            assert float(row[f"score_{seat}"]) == game.scores[seat]
            assert int(row[f"rank_{seat}"]) == game.ranks[seat]
            assert float(row[f"seconds_{seat}"]) == game.seconds[seat]


# ---- luck -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lucky(leduc):
    """Return the same games with their luck."""
    value = Value(make_game("leduc_poker"))
    outcomes = [dataclasses.replace(game, luck=luck_of(game.record, value)) for game in leduc]
    return evaluate(Tally.of(outcomes, 2), LEDUC, resamples=40, value=value.key), outcomes


def test_luck_has_a_table_and_a_figure(lucky, tmp_path):
    standings, outcomes = lucky
    page, text = report(tmp_path, LEDUC, outcomes, standings)
    alone(page, text)
    assert {"luck", "figure-luck"} <= set(page.ids)
    head, *rows = next(rows for rows in page.tables.values() if "win share with luck" in rows[0])
    assert head[:2] == ["agent", "Elo"]
    for row, index in zip(rows, standings.ranking, strict=True):
        fair = standings.adjusted.agents[index]
        assert row[0] == standings.agents[index].label
        assert row[1] == fixed(fair.elo, sign=True)
        assert row[3] == percent(fair.win_share)
        assert row[5] == fixed(100 * fair.luck, 1, sign=True)
    assert standings.adjusted.value in text
    figure = text[text.index('id="figure-luck"'):]
    figure = figure[:figure.index("</figure>")]
    assert "Luck against result" in figure
    for index in standings.ranking:
        assert f"var(--agent-{index})" in figure
        assert f"mean {fixed(100 * standings.adjusted.agents[index].luck, 1, sign=True)}" in figure


def test_csv_files_hold_the_luck(lucky, told, tmp_path):
    standings, outcomes = lucky
    report(tmp_path, LEDUC, outcomes, standings)
    for row, index in zip(rows_of(tmp_path / "agents.csv"), standings.ranking, strict=True):
        fair = standings.adjusted.agents[index]
        assert float(row["luck"]) == fair.luck
        assert (float(row["fair_win_share"]), float(row["fair_elo"])) == (fair.win_share, fair.elo)
        assert (float(row["fair_elo_low"]), float(row["fair_elo_high"])) == fair.elo_ci95
    for row, game in zip(rows_of(tmp_path / "games.csv"), outcomes, strict=True):
        assert (float(row["luck_0"]), float(row["luck_1"])) == game.luck.seats
    for name, column in (("agents.csv", "fair_elo"), ("games.csv", "luck_0")):
        assert {row[column] for row in rows_of(told[0] / name)} == {""}        # not measured


# ---- text that is not ours --------------------------------------------------------------------------


def test_text_of_others_is_escaped(tmp_path, leduc):
    nasty = "exec:./weird <name> & \"co\" '$x$' <script>alert(1)</script>"
    setup = dataclasses.replace(LEDUC, agents=(nasty, "exec:將棋 \udcff", "greedy"))
    lost = outcome(leduc[0].record, 0, 0, leduc[0].agents,
                   Forfeit(0, "raised", "<img src=x onerror=alert(1)> &amp; \0 \a \ud83d 將棋"))
    page, text = report(tmp_path, setup, [lost, *leduc[1:]], title="A <b>bold</b> & \"quoted\" title",
                        store=Path("my runs/it's <here>.jsonl"))
    alone(page, text)
    assert page.tags.count("script") == 1
    assert "b" not in page.tags
    assert "img" not in page.tags
    assert page.said("h1") == 'A <b>bold</b> & "quoted" title'
    assert nasty in page.said("th")
    assert "exec:將棋 \ufffd" in page.said("th")
    assert "<img src=x onerror=alert(1)> &amp; \ufffd \ufffd \ufffd 將棋" in page.said("td")
    assert "sfida replay 'my runs/it'\"'\"'s <here>.jsonl' --game 1" in page.said("code")


# ---- little to show ---------------------------------------------------------------------------------


def test_no_games_at_all(tmp_path):
    page, text = report(tmp_path, LEDUC, [])
    alone(page, text)
    assert "figure" not in page.tags
    assert "No block has been played to its end yet" in text
    assert [row[2:6] for row in page.tables[0][1:]] == [["–", "–", "0", "–"]] * 3
    assert rows_of(tmp_path / "games.csv") == []


def test_games_of_an_unfinished_block_are_listed_and_not_counted(tmp_path, leduc):
    page, text = report(tmp_path, LEDUC, leduc[:3])
    alone(page, text)
    assert "2 games in 1 block (1 of unfinished blocks left out)" in text
    listed = page.tables[max(page.tables)][1:]
    assert [row[-1] for row in listed] == ["", "", "not counted: its block is not finished"]


def test_every_game_forfeited(tmp_path, leduc):
    outcomes = [outcome(dataclasses.replace(game.record, moves=(), chance=(), result=None), game.block, game.rotation,
                        game.agents, Forfeit(0, "died", "gone")) for game in leduc]
    standings = table_of(LEDUC, outcomes)
    assert standings.agents[0].mean_score is None
    page, text = report(tmp_path, LEDUC, outcomes, standings)
    alone(page, text)
    assert not {"figure-scores", "figure-length"} & set(page.ids)
    assert {"figure-rating", "figure-seats"} <= set(page.ids)
    assert page.tables[0][1][8] == "–"
    assert rows_of(tmp_path / "agents.csv")[0]["mean_score"] == ""
    assert page.tags.count("article") == 3              # of 24 forfeits


def test_figures_that_are_not_finite(tmp_path, leduc):
    standings = table_of(LEDUC, leduc)
    wild = [dataclasses.replace(standings.agents[0], elo=math.nan, elo_ci95=(math.nan, math.nan)),
            dataclasses.replace(standings.agents[1], elo=120.0, elo_ci95=(-math.inf, math.inf)), standings.agents[2]]
    pairs = [dataclasses.replace(pair, z=math.nan) for pair in standings.pairs]
    page, text = report(tmp_path, LEDUC, leduc,
                        dataclasses.replace(standings, agents=tuple(wild), pairs=tuple(pairs)))
    alone(page, text)
    assert [row[2] for row in page.tables[0][1:]][-1] == "–"
    assert "[−∞, ∞]" in text
    unknown = {row["agent"]: row["elo_high"] == "" for row in rows_of(tmp_path / "agents.csv")}
    assert unknown == {"random": True, "greedy": True, "flat:iterations=8": False}


def test_ten_agents_with_budgets(tmp_path):
    agents = ("random", "greedy", *(f"ismcts:iterations={10 * 2**k},cutoff=4,priors=false" for k in range(6)),
              "flat:iterations=50", "random:x=1")
    setup = Setup("leduc_poker", 1, 2, agents, 180, 4)
    page, text = report(tmp_path, setup, tournament(setup, ["random"] * 10))
    alone(page, text)
    assert {f"figure-{name}" for name in (*FIGURES, "budget-iterations")} <= set(page.ids)
    held = next(rows for rows in page.tables.values() if rows[0][0] == "iterations")
    assert [row[0] for row in held[1:]] == ["10", "20", "40", "80", "160", "320"]


# ---- the games --------------------------------------------------------------------------------------


def test_games_worth_a_look(leduc):
    base = leduc[0].record
    short, long = (dataclasses.replace(base, moves=base.moves[:1] * count) for count in (2, 99))
    games = [outcome(base, 0, 0, scores=(5, 4), ranks=(1, 2)), outcome(base, 0, 1, scores=(7, 7), ranks=(1, 1)),
             outcome(short, 1, 0, scores=(1, 9), ranks=(2, 1)), outcome(long, 1, 1, scores=(12, 11), ranks=(1, 2))]
    games += [outcome(base, block, 0, forfeit=Forfeit(0, "died", "gone")) for block in range(2, 7)]
    standings = table_of(LEDUC, [])
    picked = {game.number: why for game, why in chosen(Material.of(LEDUC, standings, games).games)}
    assert picked == {1: ["the first"], 2: ["the closest"], 3: ["the clearest win", "the shortest"],
                      4: ["the longest", "the best score, 12"], 5: ["a forfeit"], 6: ["a forfeit"], 7: ["a forfeit"]}


def test_section_of_a_game_shows_board_moves_and_command(told, leduc):
    _, _, page, text = told
    section = text[text.index('id="game-1"'):]
    section = section[:section.index("</article>")]
    assert "sfida replay runs/leduc.jsonl --game 1" in section
    assert "betting:" in section
    assert re.findall(r"<li[^>]*>([^<]*)</li>", section) == list(leduc[0].record.moves)
    assert section.count('<li class="luck">') == len(leduc[0].record.chance)
    assert "#game-1" in page.values("href")


def test_record_that_cannot_be_replayed_says_why(told, leduc):
    record = dataclasses.replace(leduc[0].record, rules_version=99)
    material = Material.of(LEDUC, told[1], [dataclasses.replace(leduc[0], record=record)])
    text = section(material, material.games[0], ["the first"])
    Page(text)
    assert "The board cannot be drawn: " in text
    assert "played by rules version 99" in text


def test_long_list_of_games_is_cut_and_says_so(told, leduc):
    games = [dataclasses.replace(leduc[0], block=number // 2, rotation=number % 2) for number in range(2006)]
    material = Material.of(LEDUC, told[1], games)
    page = Page(game_list(material, [2]))
    assert [row[0] for row in page.tables[0][1:]] == [str(number) for number in range(1, 2001)]
    assert page.values("href") == ["#game-2"]
    assert "6 games more are not listed here; games.csv has them all." in page.said("p")
    assert csv_files(material)["games.csv"].count("\r\n") == 2007


# ---- strength against budget ------------------------------------------------------------------------


@pytest.mark.parametrize(("agents", "found"), [
    (["ismcts:iterations=200", "ismcts:iterations=50"], [("iterations", "ismcts", (1, 0), (50.0, 200.0))]),
    (["ismcts", "ismcts:iterations=50"], [("iterations", "ismcts", (1, 0), (50.0, 1000.0))]),
    (["ismcts:seconds=0.5", "ismcts:seconds=2"], [("seconds", "ismcts", (0, 1), (0.5, 2.0))]),
    (["ismcts:iterations=50,c=1.0", "ismcts:c=1.0,iterations=99"],
     [("iterations", "ismcts:c=1.0", (0, 1), (50.0, 99.0))]),
    (["flat:iterations=1", "flat:iterations=2", "flat:iterations=4", "random"],
     [("iterations", "flat", (0, 1, 2), (1.0, 2.0, 4.0))]),
    (["flat:iterations=1", "flat:iterations=2", "random"], []),                        # two are no family
    (["flat:iterations=1", "flat:iterations=1", "flat:iterations=1"], []),              # one budget
    (["ismcts:iterations=50", "flat:iterations=90"], []),
    (["ismcts:iterations=50,c=1.0", "ismcts:iterations=90"], []),
    (["ismcts:seconds=1", "ismcts:iterations=90"], []),
    (["exec:./bot --iterations 9", "exec:./bot --iterations 12", "random"], []),
    (["random", "random"], []),
])
def test_agents_that_differ_by_budget_only(agents, found):
    assert [(family.kind, family.label, family.members, family.budgets) for family in families(agents)] == found


def test_two_families_stand_side_by_side():
    agents = [f"{name}:iterations={size}" for size in (10, 20, 40) for name in ("flat", "ismcts")]
    assert [(family.label, family.members) for family in families(agents)] == [("flat", (0, 2, 4)),
                                                                             ("ismcts", (1, 3, 5))]


def test_doubling_is_measured_on_a_logarithmic_scale(leduc):
    standings = table_of(LEDUC, leduc)
    elo = {"flat:iterations=800": 300.0, "flat:iterations=100": 0.0, "flat:iterations=200": 100.0}
    agents = tuple(dataclasses.replace(standings.agents[0], agent=spec, elo=value) for spec, value in elo.items())
    standings = dataclasses.replace(standings, agents=agents)
    (family,) = families(list(elo))
    assert per_doubling(family, standings) == pytest.approx(100)
    assert steps(family, standings) == (None, pytest.approx(100), pytest.approx(100))


# ---- pieces -----------------------------------------------------------------------------------------


def test_short_labels_keep_what_tells_agents_apart():
    long = "ismcts:iterations={},cutoff=8,informed=80,priors=true"
    labels = short_labels([long.format(100), long.format(200), "greedy", "exec:" + "x" * 90, "exec:" + "x" * 95])
    assert labels[:3] == ("ismcts:iterations=100", "ismcts:iterations=200", "greedy")
    assert len(set(labels)) == 5
    assert all(len(label) <= 33 for label in labels)


def test_numbers_for_people():
    assert [fixed(-0.001, 1), fixed(-12.34, 1), fixed(1234567), fixed(None), fixed(math.inf, sign=True)] == [
        "0.0", "−12.3", "1\u202f234\u202f567", "–", "∞"]
    assert [duration(seconds) for seconds in (0, 2.5e-5, 0.0123, 3.21, 600, 9000)] == [
        "0\u202fs", "25\u202fµs", "12\u202fms", "3.2\u202fs", "10\u202fmin", "2.5\u202fh"]


def test_ids_of_a_picture_become_its_own():
    svg = ('<?xml version="1.0"?><svg><defs><g id="a" data-id="a"/></defs><use href="#a" xlink:href="#a"/>'
           '<p clip-path="url(#a)"/></svg>\n')
    assert own_ids(svg, "x-") == ('<svg><defs><g id="x-a" data-id="a"/></defs><use href="#x-a" xlink:href="#x-a"/>'
                                  '<p clip-path="url(#x-a)"/></svg>')


def test_picture_with_a_style_of_its_own_is_kept_apart():
    drawn = picture("<svg><style>p{color:red}</style></svg>", "x-", "a board")
    assert drawn.startswith('<img alt="a board" src="data:image/svg+xml;base64,')


# ---- failures ---------------------------------------------------------------------------------------


def test_without_matplotlib_only_the_figures_are_missing_and_the_page_says_so(tmp_path):
    code = ("import sys; sys.modules['matplotlib'] = None\n"
            "from sfida.cli.start import main\n"
            "sys.argv = 'sfida tournament carcassonne random greedy -n 2 --no-luck --report'.split()\n"
            f"sys.argv.append({str(tmp_path)!r})\n"
            "main()\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    words = "The figures are left out: they need matplotlib (pip install 'sfida[report]')."
    assert words in done.stderr.replace("\n", " ")
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page(text)
    alone(page, text)
    assert words in page.said("p")
    assert "figure" not in page.tags
    assert page.tags.count("article") == len([ident for ident in page.ids if ident.endswith("-car-square")]) > 0
    assert {"standings", "pairs", "chosen", "games"} <= set(page.ids)


def test_folder_that_cannot_be_made(tmp_path, leduc):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(OSError, match="taken"):
        report(tmp_path / "taken", LEDUC, leduc)
    assert (tmp_path / "taken").read_text() == "a file"


def test_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OSError, match=r"report\.html"):
        write_whole(tmp_path / "report.html", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
