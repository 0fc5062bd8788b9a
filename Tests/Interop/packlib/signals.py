"""Signals that are ignored while the tests run."""

import signal


def stop_children():
    """Lets signals stop the programs that are started from now on. Under nohup and in the background
    of a script some are ignored, which programs inherit; handlers, such as these, are not inherited."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
