#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Another program, run to its end.
enum ChildProcess {
    /// The reasons for which a program has no output.
    enum Failure: Error {
        /// The system couldn't start it, for example because it isn't installed.
        case notStarted
        /// It ended with another code than 0; nil if a signal ended it.
        case failed(code: Int32?)
        /// It wrote more than it may.
        case tooLarge
        /// It wrote nothing for longer than it may.
        case tooSlow
    }

    /// The longest time in which a program may write nothing, in milliseconds: one that waits for
    /// a named pipe would never end.
    static let longestSilence: Int32 = 8_000
    /// The maximum number of bytes of memory that a program may allocate, if the system can limit
    /// it.
    static let memory = 512 << 20
    /// The most bytes of input: what fits into a pipe on every system.
    static let mostInput = 16 << 10

    /// Returns the bytes that a program writes to its standard output, at most `limit`. The first
    /// word is the path of the program, which `ProgramPath` finds: PATH isn't asked here.
    ///
    /// `environment` is all that the program gets to see of the environment: no token or setting
    /// of the caller reaches it by accident. `input` is its standard input, at most `mostInput`
    /// bytes.
    static func output(
        of words: [String], input: [UInt8] = [], environment: [String: String], limit: Int
    ) throws(Failure) -> [UInt8] {
        precondition(input.count <= mostInput)
        let (entrance, exit) = (try Pipe(), try Pipe())
        defer { exit.reading.end() }
        // The pipe holds all of it: neither side waits for the other, and no signal reports a
        // closed end.
        let isGiven = (try? entrance.writing.put(input)) != nil
        entrance.writing.end()
        let child =
            isGiven
            ? start(words, environment: environment, input: entrance.reading, output: exit.writing)
            : nil
        entrance.reading.end()
        exit.writing.end()
        guard let child else { throw .notStarted }
        let (bytes, failure) = output(from: exit.reading, limit: limit)
        // Nobody reads further output.
        if failure != nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        if let failure { throw failure }
        // The lowest seven bits name the signal, and the code follows them.
        guard status == 0 else {
            throw .failed(code: status & 0x7f == 0 ? status >> 8 & 0xff : nil)
        }
        return bytes
    }

    private static func output(
        from reading: Descriptor, limit: Int
    ) -> (bytes: [UInt8], failure: Failure?) {
        var bytes: [UInt8] = []
        while true {
            guard reading.hasInput(within: longestSilence) else { return (bytes, .tooSlow) }
            guard let next = try? reading.nextBytes(atMost: 65_536), !next.isEmpty else {
                return (bytes, nil)
            }
            bytes += next
            if bytes.count > limit { return (bytes, .tooLarge) }
        }
    }

    /// Both ends of a pipe, which no other program inherits.
    private struct Pipe {
        let reading: Descriptor
        let writing: Descriptor

        init() throws(Failure) {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw .notStarted }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (Descriptor(open: ends[0]), Descriptor(open: ends[1]))
        }
    }

    /// Starts a program; nil if the system couldn't.
    private static func start(
        _ words: [String], environment: [String: String], input: Descriptor, output: Descriptor
    ) -> pid_t? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(
            &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var variables = unsafe environment.map { name, value in unsafe strdup("\(name)=\(value)") }
        unsafe variables.append(nil)
        defer { unsafe variables.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = withLimitedMemory {
            unsafe posix_spawn(&child, words[0], &actions, nil, arguments, variables)
        }
        return code == 0 ? child : nil
    }

    /// Runs with a bound on what is allocated, which a program that is started inherits.
    private static func withLimitedMemory<Result>(_ body: () -> Result) -> Result {
        #if canImport(Glibc)
            let data = __rlimit_resource_t(RLIMIT_DATA.rawValue)
        #else
            let data = RLIMIT_DATA
        #endif
        var before = rlimit()
        guard unsafe getrlimit(data, &before) == 0 else { return body() }
        defer { unsafe setrlimit(data, &before) }
        var most = before
        most.rlim_cur = min(before.rlim_cur, rlim_t(memory))
        unsafe setrlimit(data, &most)
        return body()
    }
}
