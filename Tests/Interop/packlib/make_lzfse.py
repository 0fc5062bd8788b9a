"""Small LZFSE encoders for fixtures: stored, LZVN and both FSE block kinds, no cleverness.

Each function gives blocks without the end mark; stream(...) puts blocks together.
"""

import struct

from packlib.lzfse import (D_BASE, D_COUNT, D_EXTRA, D_STATES, L_BASE, L_COUNT, L_EXTRA, L_STATES,
                           LITERAL_COUNT, LITERAL_STATES, M_BASE, M_COUNT, M_EXTRA, M_STATES)


def stream(*blocks):
    return b"".join(blocks) + b"bvx$"


def stored(raw):
    return b"bvx-" + struct.pack("<I", len(raw)) + raw


def runs(raw):
    """Triplets (literals, match length, distance) that code runs of one byte and nothing else."""
    triplets, start, at = [], 0, 0
    while at < len(raw):
        end = at
        while end < len(raw) and raw[end] == raw[at]:
            end += 1
        if end - at >= 8:
            triplets.append((raw[start:at + 1], end - at - 1, 1))
            start = end
        at = end
    if start < len(raw) or not triplets:
        triplets.append((raw[start:], 0, 1))
    return triplets


def lzvn(raw):
    payload, previous = b"", None
    for literals, match, distance in runs(raw):
        while literals:
            part, literals = literals[:271], literals[271:]
            short = len(part) < 16
            payload += bytes([0xE0 + len(part)] if short else [0xE0, len(part) - 16]) + part
        if match and previous != distance:
            # A small match sets the distance: 3 to 10 bytes.
            count = min(match, 10)
            payload += bytes([count - 3 << 3 | distance >> 8, distance & 0xFF])
            match, previous = match - count, distance
        while match:
            count = min(match, 271)
            payload += bytes([0xF0 + count] if count < 16 else [0xF0, count - 16])
            match -= count
    payload += b"\x06" + bytes(7)
    return b"bvxn" + struct.pack("<II", len(raw), len(payload)) + payload


class _Bits:
    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count

    def finish(self):
        """The payload, and the padding bits as a number from -7 to 0."""
        size = (self.count + 7) // 8
        return self.value.to_bytes(size, "little"), self.count - 8 * size


def _normalized(counts, states):
    """Frequencies that add up to `states`, at least 1 for each symbol that occurs."""
    total = sum(counts)
    if not total:
        return [states] + [0] * (len(counts) - 1)
    frequencies = [max(1, count * states // total) if count else 0 for count in counts]
    while sum(frequencies) != states:
        top = frequencies.index(max(frequencies))
        over = sum(frequencies) - states
        frequencies[top] -= min(over, frequencies[top] // 2) if over > 0 else over
    return frequencies


class _Coder:
    def __init__(self, frequencies, states):
        self.frequencies, self.states = frequencies, states
        self.offsets = [sum(frequencies[:symbol]) for symbol in range(len(frequencies))]

    def encode(self, bits, state, symbol):
        count = self.frequencies[symbol]
        k = self.states.bit_length() - count.bit_length()
        size = k if state >= (count << k) - self.states else k - 1
        bits.put(state & (1 << size) - 1, size)
        return self.offsets[symbol] - count + (self.states + state >> size)


def _symbol(value, bases):
    return max(symbol for symbol, base in enumerate(bases) if base <= value)


def _pieces(raw):
    """The triplets of `raw`, split to what one triplet can express, with relative distances."""
    pieces, previous = [], None
    for literals, match, distance in runs(raw):
        cut = []
        while len(literals) > 315:
            cut.append((literals[:315], 0, distance))
            literals = literals[315:]
        while match > 2359:
            cut.append((literals, 2359, distance))
            literals, match = b"", match - 2359
        cut.append((literals, match, distance))
        for literals, match, distance in cut:
            pieces.append((literals, match, 0 if distance == previous else distance))
            previous = distance
    return pieces


def _packed_tables(frequencies):
    bits = _Bits()
    for value in frequencies:
        if value < 2:
            bits.put(value << 1, 2)
        elif value < 4:
            bits.put(0b001 | value - 2 << 2, 3)
        elif value < 8:
            bits.put(0b011 | value - 4 << 3, 5)
        elif value < 24:
            bits.put(0b0111 | value - 8 << 4, 8)
        else:
            bits.put(0b1111 | value - 24 << 4, 14)
    return bits.finish()[0]


def fse(raw, plain=False):
    """One 'bvx2' block, or with `plain` one 'bvx1' block: at most 40,000 literals."""
    pieces = _pieces(raw)
    literals = b"".join(piece[0] for piece in pieces)
    literals += bytes(-len(literals) % 4)
    assert len(literals) <= 40_000 and len(pieces) <= 10_000
    symbols = [(_symbol(len(l), L_BASE), _symbol(m, M_BASE), _symbol(d, D_BASE))
               for l, m, d in pieces]

    def coder(values, count, states):
        return _Coder(_normalized([values.count(s) for s in range(count)], states), states)

    l_coder = coder([s[0] for s in symbols], L_COUNT, L_STATES)
    m_coder = coder([s[1] for s in symbols], M_COUNT, M_STATES)
    d_coder = coder([s[2] for s in symbols], D_COUNT, D_STATES)
    literal_coder = coder(list(literals), LITERAL_COUNT, LITERAL_STATES)
    bits, states = _Bits(), [0, 0, 0, 0]
    for i in reversed(range(len(literals))):
        states[i % 4] = literal_coder.encode(bits, states[i % 4], literals[i])
    literal_payload, literal_bits = bits.finish()
    bits, l_state, m_state, d_state = _Bits(), 0, 0, 0
    bits.put(0, 64)
    for (text, match, distance), (l, m, d) in zip(reversed(pieces), reversed(symbols)):
        bits.put(distance - D_BASE[d], D_EXTRA[d])
        d_state = d_coder.encode(bits, d_state, d)
        bits.put(match - M_BASE[m], M_EXTRA[m])
        m_state = m_coder.encode(bits, m_state, m)
        bits.put(len(text) - L_BASE[l], L_EXTRA[l])
        l_state = l_coder.encode(bits, l_state, l)
    payload, payload_bits = bits.finish()
    frequencies = (l_coder.frequencies + m_coder.frequencies + d_coder.frequencies
                   + literal_coder.frequencies)
    sizes = len(literal_payload), len(payload)
    if plain:
        header = b"bvx1" + struct.pack(
            "<6Ii4Hi3H360H2x", len(raw), sum(sizes), len(literals), len(pieces), *sizes,
            literal_bits, *states, payload_bits, l_state, m_state, d_state, *frequencies)
    else:
        tables = _packed_tables(frequencies)
        a = len(literals) | sizes[0] << 20 | len(pieces) << 40 | literal_bits + 7 << 60
        b = (states[0] | states[1] << 10 | states[2] << 20 | states[3] << 30 | sizes[1] << 40
             | payload_bits + 7 << 60)
        c = 32 + len(tables) | l_state << 32 | m_state << 42 | d_state << 52
        header = b"bvx2" + struct.pack("<IQQQ", len(raw), a, b, c) + tables
    return header + literal_payload + payload
