"""Runs a command on a pseudo-terminal of 80 columns and 24 rows: our standard input is what is typed, our standard
output is what is shown. With --until TEXT it prints the milliseconds from the start until TEXT is shown and stops; with
--rest SECONDS before it, it then waits and adds the MB of memory that the command holds."""
import fcntl, os, pty, select, signal, struct, sys, termios, time

until = None
rest = None
command = sys.argv[1:]
if command[:1] == ["--rest"]:
    rest, command = float(command[1]), command[2:]
if command[:1] == ["--until"]:
    until, command = command[1].encode(), command[2:]

started = time.monotonic()
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(name, lambda number, _frame: os.kill(child, number))

shown = b""
sources = [terminal] if until else [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            data = b""
        if not data:
            break
        if until:
            shown += data
            if until in shown:
                print(round((time.monotonic() - started) * 1000, 1))
                if rest is not None:
                    end = time.monotonic() + rest
                    while time.monotonic() < end:
                        if select.select([terminal], [], [], end - time.monotonic())[0]:
                            os.read(terminal, 65536)
                    with open(f"/proc/{child}/statm") as sizes:
                        print(round(int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1048576, 1))
                # Ended and not killed: what Node has compiled is kept for the next start, as when a person leaves.
                os.kill(child, signal.SIGTERM)
                os.waitpid(child, 0)
                sys.exit(0)
        else:
            os.write(1, data)
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed:
            os.write(terminal, typed)
        else:
            sources.remove(0)

_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
