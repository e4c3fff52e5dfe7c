"""What commands do with certificates: they play by them, and say what is proved."""

import json
from pathlib import Path

import pytest
from cli_runs import invoke
from tool_modules import load_tool

from fanorona_cli import sentences
from fanorona_cli.analysis_report import _value_text
from fanorona_cli.opponent import EnginePlayer, PlayerSpec
from fanorona_cli.players import PlayerError
from fanorona_cli.players import PlayerSpec as MatchPlayer
from fanorona_cli.session import Session
from fanorona_cli.tui.panel import ScoreBar
from fanorona_cli.ugi import UgiSession
from fanorona_cli.words import hint_text, proved_text
from fanorona_core import Board, Limit, Position, RuleSet, Score, Side, Tables
from fanorona_core.findings import NOTHING, Findings
from fanorona_core.proof import Proofs
from fanorona_core.proofbook import PROOFS_VARIABLE, ProofBook

ROOT = Path(__file__).resolve().parents[1]
RULES = RuleSet.parse("theory,board=5x5")
START = Position.start(RULES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates that 5x5 is drawn."""
    place = tmp_path_factory.mktemp("proofs")
    proofs = Proofs(RULES, Tables().load(RULES, 4), hash_mib=64)
    for side in Side:
        made = proofs.certificate(START, side)
        assert made is not None
        made.write(place / f"{side}.proof")
    return place


@pytest.fixture(scope="module")
def kept(folder: Path) -> list[str]:
    """The first turns that keep the draw."""
    return [str(turn) for turn in ProofBook(folder).keeping(START) or ()]


@pytest.fixture(autouse=True)
def no_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (PROOFS_VARIABLE, "FANORONA_TABLES_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FANORONA_DATA_DIR", str(tmp_path / "data"))


GAME = '[Rules "dimy"]\n\n1. {} *\n'


def test_analyze(folder: Path, kept: list[str]) -> None:
    lost = [str(each) for each in START.legal_turns() if str(each) not in kept]
    text = GAME.format(kept[0])
    result = invoke("analyze", "-", "--depth", "2", "--proofs", str(folder), text=text)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "What tables and certificates prove is so marked." in result.stdout
    assert " drawn (proved)" in next(x for x in result.stdout.splitlines() if kept[0] in x)
    one = ("analyze", "-", "--depth", "2", "--json")
    (game,) = json.loads(invoke(*one, "--proofs", str(folder), text=text).stdout)["games"]
    assert (game["turns"][0]["proved_before"], game["proved_final"]) == ("drawn", "drawn")
    assert game["turns"][0]["best"] in kept
    (game,) = json.loads(invoke(*one, text=text).stdout)["games"]
    assert (game["turns"][0]["proved_before"], game["proved_final"]) == (None, None)
    text = GAME.format(lost[0])
    (game,) = json.loads(invoke(*one, "--proofs", str(folder), text=text).stdout)["games"]
    assert game["turns"][0]["proved_after"] in (None, "at most drawn")


def test_analyze_in_two_processes_and_without(folder: Path, kept: list[str]) -> None:
    text = GAME.format(kept[0])
    command = ("analyze", "-", "--depth", "2", "--proofs", str(folder))
    both = [invoke(*command, "--jobs", str(jobs), text=text).stdout for jobs in (1, 2)]
    assert both[0] == both[1]
    without = invoke(*command, "--no-book", text=text).stdout
    assert "prove" not in without


def test_a_single_position(folder: Path) -> None:
    result = invoke(
        "analyze", "-", "--depth", "1", "--proofs", str(folder), text='[Rules "dimy"]\n\n*\n'
    )
    assert "No turns. Value: drawn (proved)." in result.stdout


def test_the_usual_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROOFS_VARIABLE, str(folder))
    found = invoke("play", "--plain", "--board", "5x5", "--two", text="hint\n").stdout
    assert "Drawn\n(proved)." in found or "Drawn (proved)." in found
    found = invoke(
        "play", "--plain", "--board", "5x5", "--two", "--no-book", "--new", text="hint\n"
    )
    assert "proved" not in found.stdout


def test_folders_that_are_not_there(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    for command in (("play", "--plain"), ("analyze", "-")):
        result = invoke(*command, "--proofs", nowhere, text='[Rules "dimy"]\n\n*\n')
        assert result.exit_code == 1
        assert nowhere in result.stderr
        assert "Traceback" not in result.stderr
    with pytest.raises(PlayerError, match="nowhere"):
        MatchPlayer.parse(f"proofs={nowhere}").open()
    with pytest.raises(PlayerError, match="tables or proofs"):
        MatchPlayer.parse("books=x")


def test_a_broken_certificate(tmp_path: Path) -> None:
    (tmp_path / "x.proof").write_text("something else")
    result = invoke("play", "--plain", "--proofs", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "x.proof: not a proof" in result.stderr


def test_the_engine_of_play(folder: Path, kept: list[str]) -> None:
    """Full strength and advice go by the book, weak levels do not."""
    book = ProofBook(folder)
    player = EnginePlayer(PlayerSpec(True, 1), book=book)
    board = Board(START)
    assert player.choose(board).findings is None
    assert str(player.advise(board).turn) in kept
    strong = EnginePlayer(PlayerSpec(True, None, 20), book=book)
    assert str(strong.choose(board).turn) in kept
    session = Session(board, (PlayerSpec(True, None, 20), PlayerSpec()), book=book)
    session.engine_turn()
    assert str(session.board.turns[0]) in kept


def test_words_of_hints() -> None:
    turn = START.legal_turns()[0]
    drawn = hint_text(START, turn, Score(40), Findings(True, True))
    assert drawn.endswith(". Drawn (proved).")
    half = hint_text(START, turn, Score(4), Findings(None, True))
    assert half.endswith(". Black at least draws (proved). The game looks even.")
    sure = hint_text(START, turn, Score.win(3), Findings(True, False))
    assert sure.endswith("White wins in 3 turns.")
    assert hint_text(START, turn, Score(4), NOTHING) == hint_text(START, turn, Score(4))
    assert proved_text(NOTHING) == ""
    on_screen = [
        sentences.proved_text(Findings(*pair))
        for pair in ((True, False), (False, None), (True, True), (True, None), (None, True))
    ]
    assert on_screen == [
        "White wins (proved).",
        "Black wins (proved).",
        "Drawn (proved).",
        "White at least draws (proved).",
        "Black at least draws (proved).",
    ]
    hint = sentences.hint_text(START, turn, Score(4), Findings(True, None))
    assert hint.endswith(". White at least draws (proved). The game looks even.")


def test_the_evaluation_bar() -> None:
    bar = ScoreBar()
    for score, findings, text, share in (
        (Score(40), Findings(True, True), "Drawn (proved)", 0.5),
        (Score(40), Findings(None, False), "White wins (proved)", 1.0),
        (Score(0), Findings(True, None), "+0.00  3", 0.5),
        (Score.win(2), Findings(None, False), "+#2  3", 1.0),
    ):
        bar.show_score(Side.WHITE, score, 3, findings)
        assert (bar._text, bar._share) == (text, share)
    for side, text in ((Side.WHITE, "+#"), (Side.BLACK, "-#")):
        bar.show_score(side, Score(20_140), 3)
        assert (bar._text, round(bar._share)) == (text, side is Side.WHITE)


def test_a_win_that_tables_know_without_its_distance_is_no_number() -> None:
    values = [_value_text(Score(value)) for value in (20_140, -20_140, 15_000)]
    assert values == ["White wins", "Black wins", "+150.00"]


class Talk:
    """A session of UGI and what it said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.session = UgiSession(self.said.append)

    def say(self, *lines: str) -> list[str]:
        self.said.clear()
        for line in lines:
            self.session.handle(line)
        if lines[-1].startswith("go"):
            while not self.said or not self.said[-1].startswith("bestmove"):
                thread = self.session._thread
                assert thread is not None
                thread.join(0.01)
        return list(self.said)


def test_ugi(folder: Path, kept: list[str]) -> None:
    talk = Talk()
    said = talk.say("ugi")
    assert "option name ProofsDir type string default <empty>" in said
    assert "option name Book type check default true" in said
    said = talk.say(
        "setoption name Rules value dimy", f"setoption name ProofsDir value {folder}", "go depth 2"
    )
    assert said[0] == "info string drawn (proved)"
    assert said[-1].split()[1] in kept
    lines = talk.say("setoption name MultiPV value 9", "go depth 1")
    assert len(lines) == 2 + len(kept)
    said = talk.say("setoption name book value False", "go depth 1")
    assert not said[0].startswith("info string")
    assert len(said) > 1 + len(kept)
    for option in ("Level value 10", "Openings value true"):
        said = talk.say(f"setoption name {option}", "go nodes 1000")
        assert not said[0].startswith("info string")
    talk.say("setoption name Level value 0", "setoption name Openings value false")
    assert "expected true or false" in talk.say("setoption name Book value perhaps")[0]
    missing = talk.say(
        "setoption name TablesDir value <empty>", "setoption name ProofsDir value /no/x"
    )
    assert missing == ["info string option ProofsDir: '/no/x': No such file or directory"]
    assert (
        talk.say("setoption name Book value true", "go depth 1")[0] == "info string drawn (proved)"
    )
    empty = talk.say("setoption name ProofsDir value <empty>", "go depth 1")
    assert not empty[0].startswith("info string")


def test_ugi_reads_before_it_is_ready(folder: Path, tmp_path: Path) -> None:
    data = (folder / "White.proof").read_bytes()
    (tmp_path / "altered.proof").write_bytes(data[:-1] + b"x")
    talk = Talk()
    set_up = ("setoption name Rules value dimy", f"setoption name ProofsDir value {tmp_path}")
    said = talk.say(*set_up, "isready")
    assert "altered.proof: the checksum is wrong" in said[0]
    assert said[1:] == ["readyok"]
    said = talk.say("go depth 1")
    assert "altered.proof" in said[0]
    assert said[-1].startswith("bestmove ")
    assert talk.say(f"setoption name ProofsDir value {folder}", "isready") == ["readyok"]


def test_ugi_by_tables() -> None:
    said = Talk().say(
        "setoption name TablesDir value .", "position fen 8b/9/9/9/wb7 w", "go depth 1"
    )
    assert said[0] == "info string drawn (proved)"


def test_players_of_matches(folder: Path, kept: list[str]) -> None:
    player = MatchPlayer.parse(f"proofs={folder},nodes=100,hash=1").open()
    player.new_game(1)
    assert str(player.choose(Board(START), Limit(nodes=100), None).turn) in kept
    assert MatchPlayer.parse(f"tables={folder}").book() is not None
    for named in ("tables=x", "proofs=x"):
        with pytest.raises(FileNotFoundError):
            MatchPlayer.parse(named).book()
    assert MatchPlayer.parse("engine").book() is None
    program = MatchPlayer.parse("ProofsDir=x,proofs=y,cmd:z")
    assert (program.options, program.proofs) == ((("ProofsDir", "x"), ("proofs", "y")), None)


def test_folders_in_the_home_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kept: list[str]
) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    monkeypatch.setenv("USERPROFILE", str(folder.parent))
    player = MatchPlayer.parse(f"proofs=~/{folder.name},nodes=100,hash=1").open()
    player.new_game(1)
    assert str(player.choose(Board(START), Limit(nodes=100), None).turn) in kept
    book = MatchPlayer.parse(f"tables=~/{folder.name}").book()
    assert book is not None and book.tables.directory == folder


def test_a_match_by_the_book(folder: Path, tmp_path: Path) -> None:
    match = ("match", "--games", "4", "--plies", "0", "--board", "5x5", "--nodes", "100", "--json")
    played = invoke(*match, f"proofs={folder}", "level:1")
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["losses"] == 0
    (tmp_path / "x.proof").write_bytes((folder / "White.proof").read_bytes()[:-1])
    broken = invoke(*match, f"proofs={tmp_path}", "level:1")
    assert broken.exit_code == 1
    assert "x.proof: " in broken.stderr
    assert "Traceback" not in broken.stderr


def test_games_that_are_not_lost(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = load_tool("book_games")
    options = ["--rules", "dimy", "--games", "12", "--time-ms", "2"]
    assert tool.main([*options, "--proofs", str(folder)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "White by the book"
    assert out[1].startswith("Black by the book after ")
    assert out[-1].startswith("12 games, none lost; ")
    assert tool.main([*options, "--proofs", str(tmp_path)]) == 1
    assert "no certificate covers the start" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "status", "reason"),
    [
        (["--games", "0"], 2, "--games 0: expected 1 to"),
        (["--time-ms", "-5"], 2, "--time-ms -5: expected 1 to"),
        (["--proofs", "nowhere"], 2, "--proofs nowhere: there is no such folder"),
        (["--tables", "nowhere"], 2, "--tables nowhere: there is no such folder"),
        (["--rules", "nonsense"], 1, "'nonsense' is not one of the profiles"),
    ],
)
def test_wrong_arguments_of_the_tool(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    status: int,
    reason: str,
) -> None:
    with pytest.raises(SystemExit) as caught:
        load_tool("book_games").main(["--proofs", str(folder), *options])
    assert caught.value.code == status
    assert reason in capsys.readouterr().err.splitlines()[-1]


def test_a_game_that_goes_wrong(folder: Path) -> None:
    """A book that the engine does not use: the tool sees that it is left."""
    from fanorona_core import Engine, Score

    tool = load_tool("book_games")
    book, engine = ProofBook(folder), Engine(hash_mib=1)
    wrong = next(each.turn for each in book.turns(START) if not each.findings.holds(Side.WHITE))
    board = Board(START)
    engine.best = lambda *_: type("Info", (), {"turn": wrong, "score": Score(0)})  # type: ignore[assignment]
    with pytest.raises(tool.Failure, match="does not know that White holds"):
        tool.play(engine, book, Side.WHITE, board, lambda b: b.legal_turns[0], Limit(nodes=1))
