"""The command in a process of its own: streams, pipes, signals and the cost of starting."""

import errno
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from caveat import __version__

COMMAND = [sys.executable, "-m", "caveat"]


def test_version(spawn):
    ran = spawn("--version")
    assert (ran.code, ran.out.strip(), ran.err) == (0, __version__, "")


@pytest.mark.parametrize("arguments", [["--help"], ["report", "--help"], ["--version"], []])
def test_help_loads_nothing_heavy(folder, arguments):
    script = (
        "import sys; from caveat.cli import main; code = main(sys.argv[1:]);"
        "print(sorted({'numpy', 'scipy', 'pyarrow', 'jinja2', 'vl_convert'} & set(sys.modules)));"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_streams_are_split_and_exit_codes_real(spawn, votes, apart):
    fine = spawn("check", votes)
    assert fine.code == 0
    grave = spawn("check", apart)
    assert grave.code == 1
    assert "RNK202" in grave.out
    assert "RNK202" not in grave.err
    wrong = spawn("check", "none.csv")
    assert (wrong.code, wrong.out) == (2, "")
    assert "Traceback" not in wrong.err


def test_piped_text_has_no_colours(spawn, votes):
    ran = spawn("report", votes)
    assert "\x1b" not in ran.out + ran.err


def test_no_color_holds_against_forced_colours(spawn, votes):
    assert "\x1b[1m" in spawn("rank", votes, FORCE_COLOR="1").out
    plain = spawn("check", votes, "--no-color", FORCE_COLOR="1").out
    assert "\x1b[3" not in plain  # no colour; bold and dim are none


def test_a_long_line_is_not_cut_when_piped(spawn, folder):
    name = "f" * 150
    (folder / f"{name}.csv").write_text("model_a,model_b,winner\nx,y,a\nx,y,b\n")
    assert f"{name}.csv: RNK" in spawn("check", f"{name}.csv").out


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["rank", "votes.csv"],
        ["rank", "votes.csv", "--json"],
        ["check", "votes.csv", "--output", "sarif"],
        ["rules", "RNK201"],
        ["--help"],
    ],
)
def test_a_full_standard_output_is_told(folder, votes, arguments):
    with FULL.open("w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    said = "error: cannot write to the standard output: No space left on device"
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == said
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_an_error_is_told_once_when_its_json_finds_no_room(folder):
    with FULL.open("w") as full:
        done = subprocess.run(
            [*COMMAND, "rank", "none.csv", "--json"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("error: none.csv: no such file")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("more", ["", " --json"])
def test_a_closed_standard_output_is_told(folder, votes, more):
    line = f"{shlex.join(COMMAND)} rank votes.csv{more} >&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to the standard output: it is closed\n"


def test_talk_that_nobody_hears_is_no_error(folder, votes):
    for target in ("2>&-", "2>/dev/full" if FULL.exists() else "2>/dev/null"):
        line = f"{shlex.join(COMMAND)} rank votes.csv {target}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert "Ratings" in done.stdout


@pytest.mark.parametrize("arguments", [["rules", "DAT104"], ["--help"], ["rules", "--json"]])
def test_a_reader_that_goes_away_is_no_error(folder, arguments):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, *arguments], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [(signal.SIGINT, 130, "interrupted; no file was written half\n"), (signal.SIGTERM, 143, "")],
)
def test_a_stopped_run_leaves_nothing(folder, sent, code, said):
    source = folder / "votes.csv"
    os.mkfifo(source)  # a source that never ends
    with subprocess.Popen(
        [*COMMAND, "report", str(source), "--json", "r.json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        preexec_fn=heed_interrupts,
    ) as process:
        try:
            writer = open_when_read(source)
            process.send_signal(sent)
            out, err = process.communicate(timeout=30)
            os.close(writer)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (code, "", said)
    assert sorted(path.name for path in folder.iterdir()) == [".git", "votes.csv"]


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"]
)
@pytest.mark.parametrize("moment", [0.1, 0.4])
def test_a_run_stopped_while_arrow_reads_ends_clean(folder, sent, code, moment):
    rows = "x,y,model_a\ny,z,model_b\nz,x,tie\n" * 1_000_000
    (folder / "big.csv").write_text("model_a,model_b,winner\n" + rows)
    script = (  # one thread says that Arrow is loaded, which is when reading begins
        "import sys, threading, time\n"
        "from caveat.cli import main\n"
        "def tell():\n"
        "    while 'caveat.importers.csv_table' not in sys.modules: time.sleep(0.01)\n"
        "    sys.stderr.write('reading\\n'); sys.stderr.flush()\n"
        "threading.Thread(target=tell, daemon=True).start()\n"
        "sys.exit(main(['import', 'big.csv', '--out', 'new', '--json', 'r.json']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        preexec_fn=heed_interrupts,
    ) as process:  # fmt: skip
        try:
            assert process.stderr.readline() == "reading\n"
            time.sleep(moment)
            process.send_signal(sent)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert sorted(path.name for path in folder.iterdir()) == [".git", "big.csv"]


def heed_interrupts() -> None:
    """A shell lets what it runs in the background ignore Ctrl-C; these tests may run there."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def open_when_read(path) -> int:
    """Open a pipe for writing once the other side waits for what it holds."""
    for _ in range(600):
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.05)
    raise AssertionError("the source was never opened")


def test_completion_is_written_for_a_shell(spawn, folder):
    ran = spawn("--install-completion", "--shell", "bash", HOME=str(folder))
    assert ran.code == 0
    written = folder / ".local" / "share" / "bash-completion" / "completions" / "caveat"
    text = written.read_text()
    assert "report" in text
    assert "--fail-on" in text
