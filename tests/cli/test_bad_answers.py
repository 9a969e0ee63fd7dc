"""`caveat agree` and `check` on answers in every bad shape: figures, or an error that helps."""

import csv
import json
import zipfile

import pytest

COLUMNS = ("benchmark", "item", "model", "prediction", "target")


def rows(cells, *, n=40, benchmark="b"):
    """Rows of models; `cells[model]` gives prediction and target of the k-th item."""
    return [
        dict(zip(COLUMNS, (benchmark, f"q{k}", model, *cell(k)), strict=True))
        for model, cell in cells.items()
        for k in range(n)
    ]


def right(k):
    return ("ABCD"[k % 4], "ABCD"[k % 4])


def half(k):
    return ("ABCD"[(k + k // 4 % 2) % 4], "ABCD"[k % 4])


def wrong(k):
    return ("ABCD"[(k + 1) % 4], "ABCD"[k % 4])


def unparsed(k):
    return ("", "ABCD"[k % 4])


SOUND = {"x": right, "y": half, "z": wrong}
READABLE = {
    "all right": rows(dict.fromkeys("xyz", right)),
    "all wrong": rows(dict.fromkeys("xyz", wrong)),
    "one item": rows(SOUND, n=1),
    "one model unparsed": rows({**SOUND, "z": unparsed}),
    "all unparsed": rows(dict.fromkeys("xyz", unparsed)),
    "no targets": [{k: v for k, v in row.items() if k != "target"} for row in rows(SOUND)],
    "no predictions": [
        {**{k: row[k] for k in COLUMNS[:3]}, "score": float(row["prediction"] == row["target"])}
        for row in rows(SOUND)
    ],
    "off the scale": [{**row, "score": 7.5 * (k % 9)} for k, row in enumerate(rows(SOUND))],
    "several golds": [
        {**row, "target": "A" if row["model"] == "x" else row["target"]} for row in rows(SOUND)
    ],
    "NaN as text": [
        {**row, "prediction": "NaN" if k % 3 == 0 else row["prediction"]}
        for k, row in enumerate(rows(SOUND))
    ],
    "a row twice": [*rows(SOUND), rows(SOUND)[0]],
    "two benchmarks with the same ids": [*rows(SOUND), *rows(SOUND, benchmark="c")],
    "one model": rows({"x": half}),
    "ids as numbers": [{**row, "item": row["item"][1:]} for row in rows(SOUND)],
    "columns of nothing": [
        {**row, "n_options": "", "task": "", "cost_usd": "", "split": "", "doc_hash": ""}
        for row in rows(SOUND)
    ],
}


def write(path, table):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    return path


@pytest.mark.parametrize("name", READABLE)
def test_figures_or_a_reason(name, run, folder):
    path = write(folder / "answers.csv", READABLE[name])
    for command in ("agree", "check", "report"):
        arguments = ["--json"] if command != "report" else ["--out", "report.html"]
        ran = run(command, path, *arguments)
        assert ran.code in (0, 1, 2), ran.err
        assert "Traceback" not in ran.err
        if command != "report":
            answer = json.loads(ran.out, parse_constant=pytest.fail)
            assert ("error" in answer) == (ran.code == 2)
    assert run("check", path).code in (0, 1)
    shown = run("agree", path)
    assert shown.code in (0, 1, 2)
    assert " nan" not in shown.out


def test_a_wide_file(run, folder):
    lines = ["item,x,y,z", *(f"q{k},{k % 2},{k % 3 % 2},1" for k in range(40))]
    (folder / "wide.csv").write_text("\n".join(lines) + "\n")
    assert run("agree", "wide.csv", "--json").code in (0, 1)
    assert run("check", "wide.csv").code in (0, 1)


def test_no_common_items(run, folder):
    table = rows({"x": right})
    table += [{**row, "item": f"p{row['item']}"} for row in rows({"y": half})]
    write(folder / "apart.csv", table)
    ran = run("agree", "apart.csv")
    assert ran.code == 2
    assert "ids must be spelt alike" in ran.err
    assert run("check", "apart.csv").code in (0, 1)


def test_a_key_with_two_answers(run, folder):
    first = rows(SOUND)
    write(folder / "twice.csv", [*first, {**first[0], "prediction": "Z"}])
    ran = run("agree", "twice.csv")
    assert ran.code == 2
    assert "must have one answer" in ran.err
    assert run("agree", "twice.csv", "--bad-rows", "drop").code in (0, 1)


def test_lists_as_targets(run, folder):
    table = [{**row, "target": [row["target"], "E"]} for row in rows(SOUND)]
    (folder / "lists.jsonl").write_text("\n".join(map(json.dumps, table)))
    ran = run("agree", "lists.jsonl")
    assert ran.code == 2
    assert "leave the column out and give a score" in ran.err


def test_numbers_in_one_file_and_text_in_another(run, folder):
    here = [{**row, "item": int(row["item"][1:])} for row in rows({"x": right, "y": half})]
    there = [{**row, "item": row["item"][1:]} for row in rows({"z": wrong})]
    (folder / "numbers.jsonl").write_text("\n".join(map(json.dumps, here)))
    (folder / "texts.jsonl").write_text("\n".join(map(json.dumps, there)))
    ran = run("agree", "numbers.jsonl", "texts.jsonl", "--json")
    assert {pair["n"] for pair in json.loads(ran.out)["pairs"]} == {40}


def test_a_damaged_member_of_an_archive(run, folder):
    path = folder / "logs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("good.csv", "bad.csv"):
            lines = [",".join(COLUMNS), *(",".join(row.values()) for row in rows(SOUND))]
            archive.writestr(name, "\n".join(lines))
    data = bytearray(path.read_bytes())
    start = data.find(b"bad.csv") + len("bad.csv")
    data[start + 4 : start + 14] = b"\xff" * 10
    path.write_bytes(bytes(data))
    ran = run("agree", path)
    assert ran.code == 2
    assert "logs.zip!bad.csv" in ran.err


def test_a_log_cut_short(run, folder):
    text = json.dumps(rows(SOUND))
    (folder / "cut.json").write_text(text[: len(text) // 2])
    ran = run("agree", "cut.json")
    assert ran.code == 2
    assert "get the file again" in ran.err


def test_a_log_of_a_version_to_come_is_named_and_tried(run, folder):
    def sample(k):
        return {
            "id": k,
            "epoch": 1,
            "input": "?",
            "target": "A",
            "output": {"completion": "A", "model": "m"},
            "scores": {"match": {"value": "C" if k % 2 else "I", "answer": "A"}},
        }

    log = {
        "version": 99,
        "status": "success",
        "eval": {"task": "t", "model": "m", "dataset": {"name": "d"}, "created": "2030-01-01"},
        "results": {"total_samples": 4, "completed_samples": 4, "scores": []},
        "samples": [sample(k) for k in range(4)],
    }
    (folder / "log.json").write_text(json.dumps(log))
    ran = run("check", "log.json", "--json")
    assert ran.code in (0, 1), ran.err
    assert any("99 is not among those tested here" in n for n in json.loads(ran.out)["notices"])
