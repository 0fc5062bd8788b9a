"""Runs a command on a terminal of 60 columns and prints what appears on it, control characters as
`\\e` and `\\r`: terminal.py [--interrupt-at TEXT] COMMAND...

With --interrupt-at, SIGINT is sent as soon as TEXT has appeared, and of the lines that were drawn
over one another only the last is printed, with numbers as `0` and without their units: all of that
is a matter of speed.
"""

import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

arguments = sys.argv[1:]
until = None
if arguments[0] == "--interrupt-at":
    until, arguments = arguments[1].encode(), arguments[2:]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    os.execvp(arguments[0], arguments)
output = b""
sent = False
while True:
    try:
        data = os.read(terminal, 1 << 16)
    except OSError:
        break
    if not data:
        break
    output += data
    if until and not sent and until in output:
        os.kill(process, signal.SIGINT)
        sent = True
status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
text = output.decode().replace("\r\n", "\n")
if until:
    text = re.sub(r"[0-9.]+", "0", text)
    text = re.sub(r"[kMG]B", "B", text)
    text = re.sub(r"0 (h|min) 0 (min|s) left", "0 s left", text)
    text = re.sub(r"(\r[^\r\n]*)+(?=\r[^\r\n]*\r)", "", text)
print(text.replace("\x1b", "\\e").replace("\r", "\\r"), end="")
sys.exit(status)
