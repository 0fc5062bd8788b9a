"""A strict decoder of LZFSE streams: 'bvx-', 'bvxn', 'bvx1', 'bvx2' and 'bvx$'.

decode(data, limit) gives the raw bytes or raises Damage. Every check that the description of the
format asks for is made, those of the final coder states included. As a command:

    python3 -m packlib.lzfse FILE [LIMIT] > RAW
"""

import struct
import sys

from packlib.damage import Damage

MAX_LITERALS = 40_000
MAX_MATCHES = 10_000
TABLE_VALUES = 360
L_COUNT, M_COUNT, D_COUNT, LITERAL_COUNT = 20, 20, 64, 256
L_STATES, M_STATES, D_STATES, LITERAL_STATES = 64, 64, 256, 1024


def _values(extra):
    """Base values of symbols whose extra bits are given: each follows on the one before."""
    base, bases = 0, []
    for bits in extra:
        bases.append(base)
        base += 1 << bits
    return bases


L_EXTRA = [0] * 16 + [2, 3, 5, 8]
M_EXTRA = [0] * 16 + [3, 5, 8, 11]
D_EXTRA = [symbol // 4 for symbol in range(D_COUNT)]
L_BASE, M_BASE, D_BASE = _values(L_EXTRA), _values(M_EXTRA), _values(D_EXTRA)


def decode(data, limit):
    """The raw bytes of the LZFSE stream `data`, at most `limit` of them."""
    output = bytearray()
    at = 0
    while True:
        magic = bytes(data[at:at + 4])
        if len(magic) < 4:
            raise Damage("lzfse-cut", "the stream ends where a block's magic should stand", file=at)
        if magic == b"bvx$":
            if at + 4 != len(data):
                raise Damage("lzfse-after-end", "bytes follow the end of the stream", file=at + 4)
            return bytes(output)
        kind = KINDS.get(magic)
        if kind is None:
            raise Damage("lzfse-magic", f"unknown LZFSE block {magic!r}", file=at)
        at = kind(data, at, output, limit)


def _need(data, at, size, what):
    if len(data) - at < size:
        raise Damage("lzfse-cut", f"{what} is cut: {size} bytes wanted, {len(data) - at} left",
                     file=at)


def _fits(raw_size, output, limit, at):
    if raw_size > limit - len(output):
        raise Damage("lzfse-limit", f"a block of {raw_size} raw bytes, room for "
                     f"{limit - len(output)}", file=at)


def _not_empty(raw_size, at):
    if raw_size == 0:
        raise Damage("lzfse-empty-block", "a coded block of 0 raw bytes", file=at)


def _stored(data, at, output, limit):
    _need(data, at, 8, "a 'bvx-' header")
    raw_size = struct.unpack_from("<I", data, at + 4)[0]
    _need(data, at + 8, raw_size, "a 'bvx-' block")
    _fits(raw_size, output, limit, at)
    output += data[at + 8:at + 8 + raw_size]
    return at + 8 + raw_size


# LZVN


def _lzvn(data, at, output, limit):
    _need(data, at, 12, "a 'bvxn' header")
    raw_size, payload_size = struct.unpack_from("<II", data, at + 4)
    _need(data, at + 12, payload_size, "a 'bvxn' payload")
    _fits(raw_size, output, limit, at)
    _not_empty(raw_size, at)
    start, end = at + 12, at + 12 + payload_size
    goal = len(output) + raw_size
    previous = None
    at = start
    while True:
        def need(count):
            if end - at < count:
                raise Damage("lzvn-cut", "an opcode is cut by the end of the payload", file=at)

        need(1)
        op = data[at]
        literals = match = 0
        distance = previous
        if op == 0x06:
            need(8)
            if at + 8 != end:
                raise Damage("lzvn-end", "the end mark is not the last of the payload", file=at)
            if any(data[at + 1:at + 8]):
                raise Damage("lzvn-end", "the end mark is not followed by seven 0 bytes", file=at)
            if len(output) != goal:
                raise Damage("lzvn-raw-size", f"{goal - len(output)} raw bytes are missing", file=at)
            return end
        if op in (0x0E, 0x16):
            at += 1
            continue
        if op in (0x1E, 0x26, 0x2E, 0x36, 0x3E) or op >> 4 in (0x7, 0xD):
            raise Damage("lzvn-opcode", f"undefined opcode {op:02X}", file=at)
        if op >> 5 == 0b101:
            need(3)
            low = data[at + 1] | data[at + 2] << 8
            literals, match = op >> 3 & 3, (op & 7) * 4 + (low & 3) + 3
            distance, size = low >> 2, 3
        elif op == 0xE0:
            need(2)
            literals, size = data[at + 1] + 16, 2
        elif op >> 4 == 0xE:
            literals, size = op & 15, 1
        elif op == 0xF0:
            need(2)
            match, size = data[at + 1] + 16, 2
        elif op >> 4 == 0xF:
            match, size = op & 15, 1
        else:
            literals, match = op >> 6, (op >> 3 & 7) + 3
            if op & 7 == 7:
                need(3)
                distance, size = data[at + 1] | data[at + 2] << 8, 3
            elif op & 7 == 6:
                size = 1
            else:
                need(2)
                distance, size = (op & 7) << 8 | data[at + 1], 2
        need(size + literals)
        if literals + match > goal - len(output):
            raise Damage("lzvn-raw-size", "more output than the block's raw size", file=at)
        output += data[at + size:at + size + literals]
        if match:
            if distance is None:
                raise Damage("lzvn-distance", "a match before any distance", file=at)
            _copy(output, match, distance, "lzvn-distance", at)
            previous = distance
        at += size + literals


def _copy(output, count, distance, reason, at):
    """Appends `count` bytes from `distance` back, as if one after the other."""
    if not 0 < distance <= len(output):
        raise Damage(reason, f"distance {distance} after {len(output)} bytes of output", file=at)
    start = len(output) - distance
    if distance >= count:
        output += output[start:start + count]
    else:
        pattern = bytes(output[start:])
        output += (pattern * (count // distance + 1))[:count]


# FSE


class _Header:
    """What both kinds of FSE headers say."""

    __slots__ = ("at", "raw_size", "literals", "literal_payload", "literal_bits", "literal_states",
                 "matches", "payload", "bits", "l_state", "m_state", "d_state", "frequencies",
                 "body")


def _plain(data, at, output, limit):
    _need(data, at, 772, "a 'bvx1' header")
    h = _Header()
    h.at, h.body = at, at + 772
    (h.raw_size, payload, h.literals, h.matches, h.literal_payload, h.payload,
     h.literal_bits) = struct.unpack_from("<6Ii", data, at + 4)
    h.literal_states = struct.unpack_from("<4H", data, at + 32)
    h.bits = struct.unpack_from("<i", data, at + 40)[0]
    h.l_state, h.m_state, h.d_state = struct.unpack_from("<3H", data, at + 44)
    h.frequencies = struct.unpack_from("<360H", data, at + 50)
    if payload != h.literal_payload + h.payload:
        raise Damage("lzfse-payload-size", "'bvx1' payload sizes do not add up", file=at)
    return _fse(data, h, output, limit)


def _packed(data, at, output, limit):
    _need(data, at, 32, "a 'bvx2' header")
    h = _Header()
    h.at = at
    h.raw_size, a, b, c = struct.unpack_from("<IQQQ", data, at + 4)
    size = c & 0xFFFFFFFF
    if not 122 <= size <= 662:
        raise Damage("lzfse-header-size", f"'bvx2' header of {size} bytes", file=at)
    _need(data, at, size, "a 'bvx2' header with its tables")
    h.body = at + size
    h.literals, h.literal_payload, h.matches = a & 0xFFFFF, a >> 20 & 0xFFFFF, a >> 40 & 0xFFFFF
    h.literal_bits = (a >> 60 & 7) - 7
    h.literal_states = [b >> shift & 0x3FF for shift in (0, 10, 20, 30)]
    h.payload = b >> 40 & 0xFFFFF
    h.bits = (b >> 60 & 7) - 7
    h.l_state, h.m_state, h.d_state = c >> 32 & 0x3FF, c >> 42 & 0x3FF, c >> 52 & 0x3FF
    h.frequencies = _frequencies(bytes(data[at + 32:at + size]), at + 32)
    return _fse(data, h, output, limit)


def _frequencies(table, at):
    """The 360 values of the packed tables, which must use up their bytes."""
    bits, left, values = int.from_bytes(table, "little"), len(table) * 8, []
    for _ in range(TABLE_VALUES):
        low = bits & 15
        if low & 1 == 0:
            size, value = 2, low >> 1 & 1
        elif low & 3 == 1:
            size, value = 3, 2 + (low >> 2 & 1)
        elif low & 7 == 3:
            size, value = 5, 4 + (bits >> 3 & 3)
        elif low == 7:
            size, value = 8, 8 + (bits >> 4 & 15)
        else:
            size, value = 14, 24 + (bits >> 4 & 0x3FF)
        left -= size
        if left < 0:
            raise Damage("lzfse-tables", "the frequency tables are cut", file=at)
        values.append(value)
        bits >>= size
    if left >= 8:
        raise Damage("lzfse-tables", f"{left} bits are left over after the tables", file=at)
    if bits:
        raise Damage("lzfse-tables", "the filler bits of the tables are not 0", file=at)
    return values


def _table(frequencies, states, extra=None, bases=None):
    """The decoder's table: for each state (bits, base) and its symbol, or with extra bits
    (bits + extra, extra, base, value)."""
    table = []
    for symbol, count in enumerate(frequencies):
        if count == 0:
            continue
        log = count.bit_length() - 1
        k = states.bit_length() - 1 - log
        first = (2 << log) - count
        for j in range(count):
            if j < first:
                bits, base = k, (count + j << k) - states
            else:
                bits, base = k - 1, j - first << k - 1
            if extra is None:
                table.append((bits, base, symbol))
            else:
                table.append((bits + extra[symbol], extra[symbol], base, bases[symbol]))
    return table


def _fse(data, h, output, limit):
    """Checks the header, then decodes the block; returns the offset after it."""
    at = h.at
    _need(data, h.body, h.literal_payload + h.payload, "the payload of an FSE block")
    _fits(h.raw_size, output, limit, at)
    _not_empty(h.raw_size, at)
    if h.literals > MAX_LITERALS or h.literals % 4:
        raise Damage("lzfse-literals", f"{h.literals} literals", file=at)
    if h.matches > MAX_MATCHES:
        raise Damage("lzfse-matches", f"{h.matches} triplets", file=at)
    if h.literals > h.raw_size + 3 or h.matches > h.raw_size:
        raise Damage("lzfse-work", f"{h.literals} literals and {h.matches} triplets for "
                     f"{h.raw_size} raw bytes", file=at)
    if h.l_state >= L_STATES or h.m_state >= M_STATES or h.d_state >= D_STATES:
        raise Damage("lzfse-state", "a start state lies outside its table", file=at)
    if max(h.literal_states) >= LITERAL_STATES:
        raise Damage("lzfse-state", "a literal start state lies outside its table", file=at)
    parts, start = [], 0
    for count in (L_COUNT, M_COUNT, D_COUNT, LITERAL_COUNT):
        parts.append(h.frequencies[start:start + count])
        start += count
    used = (h.matches, h.matches, h.matches, h.literals)
    for part, states, name, use in zip(
            parts, (L_STATES, M_STATES, D_STATES, LITERAL_STATES), ("L", "M", "D", "literal"), used):
        if use and sum(part) != states:
            raise Damage("lzfse-sum", f"the {name} frequencies add up to {sum(part)}", file=at)
    if h.payload < 8:
        raise Damage("lzfse-triplet-payload", f"a triplet payload of {h.payload} bytes", file=at)
    middle, end = h.body + h.literal_payload, h.body + h.literal_payload + h.payload
    literal_payload, payload = bytes(data[h.body:middle]), bytes(data[middle:end])
    literal_p = _first_bit(literal_payload, h.literal_bits, h.body)
    p = _first_bit(payload, h.bits, middle)
    if any(payload[:8]):
        raise Damage("lzfse-zero-bytes", "the triplet payload does not begin with 8 zero bytes",
                     file=middle)
    literals = _literals(literal_payload, literal_p, h, parts[3])
    _triplets(payload, p, h, parts, literals, output)
    return end


def _first_bit(payload, bits, at):
    """Where the reader starts: the padding bits above it are 0."""
    if not -7 <= bits <= 0 or not payload and bits:
        raise Damage("lzfse-padding", f"{-bits} padding bits", file=at)
    if bits and payload[-1] >> 8 + bits:
        raise Damage("lzfse-padding", "the padding bits are not 0", file=at)
    return 8 * len(payload) + bits


def _literals(payload, p, h, frequencies):
    if not h.literals:
        if p or any(h.literal_states):
            raise Damage("lzfse-final-state", "no literals, yet bits or states for them", file=h.body)
        return b""
    table = _table(frequencies, LITERAL_STATES)
    states = list(h.literal_states)
    literals = bytearray()
    add, integer = literals.append, int.from_bytes
    for _ in range(h.literals // 4):
        # Four literals need at most 40 bits; 6 bytes contain any 41 of them.
        low = p - 40 >> 3 if p > 40 else 0
        window, base = integer(payload[low:low + 6], "little"), low * 8
        for i in 0, 1, 2, 3:
            bits, start, symbol = table[states[i]]
            p -= bits
            if p < 0:
                raise Damage("lzfse-bits", "the literals read before their payload", file=h.body)
            states[i] = start + (window >> p - base & (1 << bits) - 1)
            add(symbol)
    if p or any(states):
        raise Damage("lzfse-final-state", "the literal coder does not end where it began",
                     file=h.body)
    return bytes(literals)


def _triplets(payload, p, h, parts, literals, output):
    where = h.body + h.literal_payload
    goal = len(output) + h.raw_size
    used, previous = 0, None
    l_state, m_state, d_state = h.l_state, h.m_state, h.d_state
    if h.matches:
        l_table = _table(parts[0], L_STATES, L_EXTRA, L_BASE)
        m_table = _table(parts[1], M_STATES, M_EXTRA, M_BASE)
        d_table = _table(parts[2], D_STATES, D_EXTRA, D_BASE)
    integer = int.from_bytes
    for _ in range(h.matches):
        # A triplet needs at most 54 bits; 8 bytes contain any 57 of them.
        low = p - 54 >> 3 if p > 54 else 0
        window, base = integer(payload[low:low + 8], "little"), low * 8

        bits, extra, start, value = l_table[l_state]
        p -= bits
        read = window >> p - base & (1 << bits) - 1 if p >= base else 0
        l_state, length = start + (read >> extra), value + (read & (1 << extra) - 1)

        bits, extra, start, value = m_table[m_state]
        p -= bits
        read = window >> p - base & (1 << bits) - 1 if p >= base else 0
        m_state, match = start + (read >> extra), value + (read & (1 << extra) - 1)

        bits, extra, start, value = d_table[d_state]
        p -= bits
        if p < 0:
            raise Damage("lzfse-bits", "the triplets read before their payload", file=where)
        read = window >> p - base & (1 << bits) - 1
        d_state, distance = start + (read >> extra), value + (read & (1 << extra) - 1)

        if length > len(literals) - used:
            raise Damage("lzfse-literals-run-out", "a triplet wants more literals than are left",
                         file=where)
        if length + match > goal - len(output):
            raise Damage("lzfse-raw-size", "more output than the block's raw size", file=where)
        if distance == 0:
            if previous is None:
                raise Damage("lzfse-distance", "the first triplet repeats a distance", file=where)
            distance = previous
        previous = distance
        if length:
            output += literals[used:used + length]
            used += length
        if match:
            _copy(output, match, distance, "lzfse-distance", where)
        elif distance > len(output):
            raise Damage("lzfse-distance", f"distance {distance} after {len(output)} bytes",
                         file=where)
    if len(output) != goal:
        raise Damage("lzfse-raw-size", f"{goal - len(output)} raw bytes are missing", file=where)
    if len(literals) - used >= 4:
        raise Damage("lzfse-raw-size", f"{len(literals) - used} literals are left over", file=where)
    if p != 64 or l_state or m_state or d_state:
        raise Damage("lzfse-final-state", "the triplet coder does not end where it began",
                     file=where)


KINDS = {b"bvx-": _stored, b"bvxn": _lzvn, b"bvx1": _plain, b"bvx2": _packed}


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 64
    with open(arguments[0], "rb") as file:
        data = file.read()
    try:
        raw = decode(data, int(arguments[1]) if len(arguments) == 2 else 1 << 30)
    except Damage as damage:
        print(f"lzfse: {arguments[0]}: {damage}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(raw)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
