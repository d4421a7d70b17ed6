import PopValidation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The terminal of standard input, in a mode that passes on each key immediately and without an
/// echo.
struct RawTerminal {
    /// The previous settings.
    private let saved: termios

    init() throws {
        var settings = termios()
        guard Descriptor.standardInput.isTerminal, Descriptor.standardOutput.isTerminal,
            unsafe tcgetattr(STDIN_FILENO, &settings) == 0
        else { throw EnvironmentFailure(message: "`play` needs a terminal") }
        saved = settings
        // Control-C comes as a key, so that the terminal is always left as it was.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            unsafe keys[Int(VMIN)] = 1
            unsafe keys[Int(VTIME)] = 0
        }
        guard Self.set(settings) else {
            throw EnvironmentFailure(message: "cannot set the terminal")
        }
    }

    func restore() { _ = Self.set(saved) }

    /// Columns and rows, nil when the terminal does not say.
    var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        let numbers = (columns: Int(size.ws_col), rows: Int(size.ws_row))
        let usual = 1...1000
        return usual.contains(numbers.columns) && usual.contains(numbers.rows) ? numbers : nil
    }

    /// Changes the settings. In the background, that would stop the process with SIGTTOU unless it
    /// is ignored.
    private static func set(_ settings: termios) -> Bool {
        let before = signal(SIGTTOU, SIG_IGN)
        defer { signal(SIGTTOU, before) }
        var settings = settings
        return unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0
    }
}
