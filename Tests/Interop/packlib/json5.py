"""A small reader of JSON5, for manifests that are more than plain JSON."""

import json
import re

SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
NAME = re.compile(r"[^\W\d]\w*|[$_][\w$]*")
NUMBER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
LINE_ENDS = "\n\r\u2028\u2029"


def is_plain(data):
    """Whether the bytes are JSON as RFC 8259 has it."""
    def refuse(constant):
        raise ValueError(constant)

    try:
        json.loads(data.decode("utf-8"), parse_constant=refuse)
        return True
    except ValueError:
        return False


def parse(text, pairs=dict):
    """The value of a JSON5 text; `pairs` makes an object of its (key, value) pairs."""
    reader = _Reader(text, pairs)
    value = reader.value()
    reader.space()
    if reader.at != len(text):
        raise reader.error("something follows the value")
    return value


class _Reader:
    def __init__(self, text, pairs):
        self.text, self.pairs, self.at = text, pairs, 0

    def error(self, message):
        return ValueError(f"{message}, character {self.at}")

    def space(self):
        self.at = SPACE.match(self.text, self.at).end()

    def takes(self, character):
        self.space()
        if self.text.startswith(character, self.at):
            self.at += 1
            return True
        return False

    def value(self):
        self.space()
        first = self.text[self.at:self.at + 1]
        if first == "{":
            return self.pairs(self.items("{", "}", self.member))
        if first == "[":
            return self.items("[", "]", self.value)
        if first and first in "'\"":
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def items(self, opening, closing, item):
        self.takes(opening)
        items = []
        while not self.takes(closing):
            items.append(item())
            if not self.takes(","):
                if not self.takes(closing):
                    raise self.error(f"',' or '{closing}' is missing")
                break
        return items

    def member(self):
        self.space()
        if self.text[self.at:self.at + 1] in ("'", '"'):
            key = self.string()
        else:
            name = NAME.match(self.text, self.at)
            if name is None:
                raise self.error("no key")
            key, self.at = name.group(), name.end()
        if not self.takes(":"):
            raise self.error("':' is missing")
        return key, self.value()

    def number(self):
        found = NUMBER.match(self.text, self.at)
        if found is None:
            raise self.error("no value")
        self.at = found.end()
        sign = -1 if found.group(1) == "-" else 1
        digits = found.group(2)
        if digits[:2] in ("0x", "0X"):
            return sign * int(digits, 16)
        return sign * (int(digits) if digits.isdigit() else float(digits))

    def string(self):
        quote, self.at, parts = self.text[self.at], self.at + 1, []
        while True:
            character = self.text[self.at:self.at + 1]
            self.at += 1
            if character == "" or character in "\n\r":
                raise self.error("a string has no end")
            if character == quote:
                text = "".join(parts)
                return text.encode("utf-16", "surrogatepass").decode("utf-16")
            parts.append(self.escape() if character == "\\" else character)

    def escape(self):
        character = self.text[self.at:self.at + 1]
        self.at += 1
        if character in ("x", "u"):
            count = 2 if character == "x" else 4
            self.at += count
            return chr(int(self.text[self.at - count:self.at], 16))
        if character == "\r" and self.text.startswith("\n", self.at):
            self.at += 1
        return "" if character in LINE_ENDS else ESCAPES.get(character, character)
