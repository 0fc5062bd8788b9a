"""Verifies ES256 signatures: ECDSA on the curve P-256 with SHA-256, in plain Python."""

import base64
import functools
import hashlib

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    """The sum of two points; None is the point at infinity."""
    if p is None:
        return q
    if q is None:
        return p
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0:
            return None
        slope = 3 * (p[0] * p[0] - 1) * pow(2 * p[1], -1, P) % P
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P) % P
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def multiply(scalar, point):
    """A multiple of a point."""
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def public_key(pem):
    """The point of a public key in PEM (SubjectPublicKeyInfo, uncompressed)."""
    lines = [line for line in pem.split() if b"-" not in line and line not in (b"BEGIN", b"END")]
    der = base64.b64decode(b"".join(line for line in lines if line not in (b"PUBLIC", b"KEY")))
    if len(der) < 65 or der[-65] != 4:
        raise ValueError("not an uncompressed point of P-256")
    return int.from_bytes(der[-64:-32], "big"), int.from_bytes(der[-32:], "big")


# A token is sent with many requests.
@functools.lru_cache(maxsize=64)
def verify(point, message, signature):
    """Whether `signature`, r and s with 32 bytes each, is the point's signature of `message`."""
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, N)
    sum_ = add(multiply(digest * inverse % N, G), multiply(r * inverse % N, point))
    return sum_ is not None and sum_[0] % N == r
