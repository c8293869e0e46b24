"""The lines of the protocol: what is read from them, and how replies are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.engines import (
    Command,
    Reply,
    cleaned,
    read_command,
    read_reply,
    write_reply,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("", "name")),
        ("name\n", Command("", "name")),
        ("name\r\n", Command("", "name")),
        ("12 name", Command("12", "name")),
        ("007 name", Command("007", "name")),
        ("play black D5", Command("", "play", ("black", "D5"))),
        ("  play\tblack \t D5  ", Command("", "play", ("black", "D5"))),
        ("3 play black D5 # the answer", Command("3", "play", ("black", "D5"))),
        ("na\x07me\x00", Command("", "name")),
        ("12", Command("12", "")),
        ("12#name", Command("12", "")),
        ("12name", Command("", "12name")),
        ("٣ name", Command("", "٣", ("name",))),
        ("-3 name", Command("", "-3", ("name",))),
        ("9" * 5000 + " name", Command("9" * 5000, "name")),
    ],
)
def test_commands(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize("line", ["", "\n", "  \t \r\n", "# name", "   # 1 name", "\x01\x02"])
def test_lines_without_a_command(line):
    assert read_command(line) is None


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (write_reply(), "= \n\n"),
        (write_reply("D5"), "= D5\n\n"),
        (write_reply("D5", "7"), "=7 D5\n\n"),
        (write_reply("unknown command", "7", succeeded=False), "?7 unknown command\n\n"),
        (write_reply("\na\n\nb\n"), "= \na\nb\n\n"),
        (write_reply("a\r\nb\tc\n \nd"), "= a\nb c\nd\n\n"),
    ],
)
def test_replies_as_they_are_sent(reply, text):
    assert reply == text


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (["="], Reply(True, "", "")),
        (["= "], Reply(True, "", "")),
        (["=3"], Reply(True, "3", "")),
        (["=3 D5\r"], Reply(True, "3", "D5")),
        (["?3 illegal move"], Reply(False, "3", "illegal move")),
        (["= ", "a", "b"], Reply(True, "", "a\nb")),
        (["=D5"], None),
        (["D5"], None),
        ([""], None),
        ([], None),
    ],
)
def test_replies_as_they_are_read(lines, reply):
    assert read_reply(lines) == reply


@given(st.text(), st.from_regex(r"[0-9]{0,12}", fullmatch=True), st.booleans())
def test_a_reply_is_one_block_that_can_be_read_back(text, number, succeeded):
    written = write_reply(text, number, succeeded)
    assert written.endswith("\n\n")
    assert "\n\n" not in written[:-2]
    reply = read_reply(written[:-2].split("\n"))
    assert reply is not None
    assert (reply.succeeded, reply.number) == (succeeded, number)
    assert reply.text.split() == cleaned(text).split()


@given(st.text())
def test_no_line_is_too_odd_to_be_read(line):
    command = read_command(line)
    assert command is None or "#" not in command.name
