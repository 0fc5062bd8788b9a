"""Checks the tokens of requests as App Store Connect does."""

import base64
import json

import p256


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def problem(header, options, keys, now):
    """What is wrong with an Authorization header; None if nothing is."""
    if not header or not header.startswith("Bearer "):
        return "there is no bearer token"
    parts = header[len("Bearer "):].split(".")
    if len(parts) != 3 or any("=" in part for part in parts):
        return "the token is not three parts in base64url without padding"
    try:
        head, payload = json.loads(decode(parts[0])), json.loads(decode(parts[1]))
        signature = decode(parts[2])
    except ValueError:
        return "the token can't be decoded"
    if head.get("alg") != "ES256" or head.get("typ") != "JWT":
        return "the token is not ES256"
    point = keys.get(head.get("kid"))
    if point is None:
        return "the key is not known"
    if not p256.verify(point, f"{parts[0]}.{parts[1]}".encode(), signature):
        return "the signature is wrong"
    if payload.get("aud") != "appstoreconnect-v1":
        return "the audience is wrong"
    if options.individual:
        if payload.get("sub") != "user" or "iss" in payload:
            return "an individual key has sub 'user' and no iss"
    elif payload.get("iss") != options.issuer or "sub" in payload:
        return "the issuer is wrong"
    issued, expires = payload.get("iat", 0), payload.get("exp", 0)
    if expires - issued > 20 * 60:
        return "the token lives longer than 20 minutes"
    if issued > now + 60:
        return "the token is from the future"
    if expires <= now:
        return "the token has expired"
    return None
