"""Runs a program in a pseudo-terminal and plays a session with it.

Arguments: a file with the session in JSON, then the program and its arguments. Each step is a list:
  ["see", TEXT], ["gone", TEXT]   waits until the screen has the text, or has it no more
  ["type", TEXT]                  sends keys
  ["write", PATH, TEXT]           writes a file
  ["resize", COLUMNS, ROWS]       changes the size of the terminal
  ["signal", NUMBER]              sends the program a signal
  ["screen"]                      prints the screen
Ends with the program's exit status and what it left of the terminal.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

# Only a program that never does what is waited for is given up: a busy machine is slow.
PATIENCE = 900


class Screen:
    """What a terminal shows: only the sequences that the program writes are known, others are told."""

    def __init__(self, columns, rows):
        self.modes = {"1049": False, "25": True, "7": True}
        self.resize(columns, rows)
        self.rest = ""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.row = self.column = 0
        self.cells = [[" "] * columns for _ in range(rows)]

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                end = at + 2
                while end < len(text) and not "@" <= text[end] <= "~":
                    end += 1
                if end >= len(text):
                    self.rest = text[at:]
                    return
                self.obey(text[at + 2 : end], text[end])
                at = end + 1
            else:
                self.put(text[at])
                at += 1

    def obey(self, arguments, final):
        if final == "H":
            row, column = arguments.split(";")
            self.row, self.column = int(row) - 1, int(column) - 1
        elif final == "K" and self.row < self.rows:
            self.cells[self.row] = [" "] * self.columns
        elif final == "J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
        elif final in "hl":
            self.modes[arguments[1:]] = final == "h"
        elif final not in "Km":
            print("unknown sequence", arguments, final)

    def put(self, character):
        if character < " ":
            print("unknown control", repr(character))
        elif self.row < self.rows and self.column < self.columns:
            self.cells[self.row][self.column] = character
            self.column += 1

    @property
    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def main():
    steps = json.load(open(sys.argv[1], encoding="utf-8"))
    may_start, start = os.pipe()
    process, terminal = pty.fork()
    if process == 0:
        # The size is set before the program looks at it.
        os.read(may_start, 1)
        os.execvp(sys.argv[2], sys.argv[2:])
    resize(terminal, 80, 24)
    before = termios.tcgetattr(terminal)
    os.write(start, b"!")
    screen = Screen(80, 24)
    pending = b""

    def read(seconds):
        nonlocal pending
        if not select.select([terminal], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return False
        if not piece:
            return False
        pending += piece
        text = pending.decode("utf-8", "ignore")
        # A character that is cut in two waits for its other bytes.
        try:
            pending.decode("utf-8")
            pending = b""
        except UnicodeDecodeError as error:
            text = pending[: error.start].decode("utf-8")
            pending = pending[error.start :]
        screen.feed(text)
        return True

    def wait(condition, step):
        end = time.monotonic() + PATIENCE
        while not condition():
            if not read(0.1) or time.monotonic() > end:
                print("in vain:", step)
                print(screen.text)
                os.kill(process, signal.SIGKILL)
                sys.exit(1)

    for step in steps:
        verb, arguments = step[0], step[1:]
        if verb == "see":
            wait(lambda: arguments[0] in screen.text, step)
        elif verb == "gone":
            wait(lambda: arguments[0] not in screen.text, step)
        elif verb == "type":
            os.write(terminal, arguments[0].encode())
        elif verb == "write":
            # In one step: who watches the file never sees half of it.
            with open(arguments[0] + ".new", "w", encoding="utf-8") as file:
                file.write(arguments[1])
            os.replace(arguments[0] + ".new", arguments[0])
        elif verb == "resize":
            screen.resize(*arguments)
            resize(terminal, *arguments)
        elif verb == "signal":
            os.kill(process, arguments[0])
        elif verb == "screen":
            # What was begun to be drawn comes in pieces.
            while select.select([terminal], [], [], 0.2)[0] and read(0.1):
                pass
            print(screen.text)

    # On Linux what the terminal is set to can be read as long as this side is open.
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        read(0.05)
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            print("exit", os.waitstatus_to_exitcode(status))
            break
    else:
        print("did not end")
        os.kill(process, signal.SIGKILL)
    while select.select([terminal], [], [], 0.1)[0] and read(0.1):
        pass
    print("settings", "as before" if termios.tcgetattr(terminal) == before else "changed")
    print("modes", "as before" if screen.modes == {"1049": False, "25": True, "7": True} else screen.modes)


main()
