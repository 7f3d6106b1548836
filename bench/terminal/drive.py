"""Runs a command on a pseudo-terminal of 80 columns and 24 rows and prints figures of it, with spaces between.
`until TEXT COMMAND...`: ms until TEXT is shown, and ms of CPU up to then.
`keys COUNT COMMAND...`: once READY is shown, types letters one by one; for each the ms until it is shown, at last the ms of
CPU that a key took."""
import fcntl, os, pty, select, signal, struct, sys, termios, time

what, wanted, *command = sys.argv[1:]
# The stream is in small letters, so that a capital is the echo; the line is cleared before one comes again.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PAUSE_S = 0.03


def cpu_ms():
    fields = open(f"/proc/{child}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def wait(text, seconds):
    shown, end = b"", time.monotonic() + seconds
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit(f"never shown: {text!r} in {shown[-300:]!r}")
        shown += os.read(terminal, 65536)


started = time.monotonic()
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
if what == "until":
    wait(wanted.encode(), 60)
    shown_ms = (time.monotonic() - started) * 1000
    os.kill(child, signal.SIGKILL)
    _, _, used = os.wait4(child, 0)
    print(round(shown_ms, 1), round((used.ru_utime + used.ru_stime) * 1000, 1))
else:
    wait(b"READY", 60)
    time.sleep(0.5)
    before, times = cpu_ms(), []
    for key in range(int(wanted)):
        end = time.monotonic() + PAUSE_S
        while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            os.read(terminal, 65536)
        if key % len(LETTERS) == 0:
            os.write(terminal, b"\x15")
            time.sleep(0.1)
            while select.select([terminal], [], [], 0)[0]:
                os.read(terminal, 65536)
        letter = LETTERS[key % len(LETTERS)].encode()
        typed = time.monotonic()
        os.write(terminal, letter)
        wait(letter, 10)
        times.append(round((time.monotonic() - typed) * 1000, 2))
    print(*times, round((cpu_ms() - before) / int(wanted), 3))
    os.kill(child, signal.SIGKILL)
