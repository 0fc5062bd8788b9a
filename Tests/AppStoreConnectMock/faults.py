"""Scripted faults: which request goes wrong, when, and how."""

import re
import time

# What a fault may do to a request that matches it:
#   status     answer with this HTTP status, and do nothing; with `headers` and `code` of one's own
#   cut        close the connection without an answer, before anything is done
#   hang       do nothing for so many seconds, then close the connection
#   hold       do nothing until the faults are replaced, then do what was asked
#   review     the review is done with all submissions ("approve" or "reject") first
#   lost       do what was asked, then close the connection without an answer
#   late       do what was asked, and answer after so many seconds
#   midway     read half of the body, then close the connection
#   redirect   answer 302 to this address
#   garbage    answer 200 with a body that is not JSON
#   event      somebody adds an in-app event to the open submission first
#   echo       answer with this HTTP status, the Authorization header and addresses in the text
ACTIONS = {"status", "cut", "hang", "hold", "review", "lost", "late", "midway", "redirect", "garbage",
           "event", "echo"}


def parse(fault):
    """A fault from its JSON object: `on` (a regular expression for 'METHOD path'), `skip` (how many
    matches go well first; 0), `times` (how many go wrong; 1), and one of ACTIONS."""
    unknown = set(fault) - ACTIONS - {"on", "skip", "times", "headers", "code", "detail", "pointer"}
    if unknown or "on" not in fault or len(ACTIONS & set(fault)) != 1:
        raise ValueError(f"not a fault: {fault}")
    return dict(fault, skip=fault.get("skip", 0), times=fault.get("times", 1))


def hold(store, fault):
    """Waits until the faults are replaced."""
    while any(other is fault for other in store.faults):
        time.sleep(0.01)


def take(store, method, path):
    """The fault that this request meets, if any."""
    with store.lock:
        for fault in store.faults:
            if not re.search(fault["on"], f"{method} {path}"):
                continue
            if fault["skip"] > 0:
                fault["skip"] -= 1
                continue
            if fault["times"] > 0:
                fault["times"] -= 1
                return fault
    return None
