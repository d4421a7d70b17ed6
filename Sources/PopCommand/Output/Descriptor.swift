import PopRuleFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file, read and written by the C library of the system.
struct Descriptor: Sendable {
    /// The reason why a system call fails.
    struct Failure: Error {
        let code: Int32
        /// Indicates whether no process has opened the named pipe for reading.
        var isUnread = false
        /// Indicates whether a link of the project leads out of the project.
        var leadsOut = false

        /// Indicates whether no reader is left.
        var isBrokenPipe: Bool { code == EPIPE }

        /// The system's words for it.
        var words: String {
            leadsOut
                ? "it is a symbolic link that leads out of the project"
                : unsafe String(cString: strerror(code))
        }
    }

    static let standardInput = Descriptor(number: STDIN_FILENO)
    static let standardOutput = Descriptor(number: STDOUT_FILENO)
    static let standardError = Descriptor(number: STDERR_FILENO)

    let number: Int32

    private init(number: Int32) { self.number = number }

    /// One that is open already.
    init(open number: Int32) { self.number = number }

    /// Opens a file for reading.
    init(reading path: String) throws(Failure) { try self.init(path, flags: O_RDONLY) }

    /// The maximum time to wait for a reader of a named pipe, in milliseconds.
    private static let longestWait: UInt32 = 5_000
    /// The time between two attempts to open it, in milliseconds.
    private static let waitStep: UInt32 = 20

    /// Opens an existing file for writing from its beginning. Waits some seconds for a reader of a
    /// named pipe.
    init(writing path: String) throws(Failure) {
        guard Self.isNamedPipe(path) else {
            try self.init(path, flags: O_WRONLY)
            return
        }
        try Self.refuseLinkOut(path)
        var code = ENXIO
        for _ in 0..<Self.longestWait / Self.waitStep {
            let opened = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            code = opened < 0 ? errno : 0
            if code == 0 {
                _ = fcntl(opened, F_SETFL, fcntl(opened, F_GETFL) & ~O_NONBLOCK)
                self.init(open: opened)
                return
            }
            guard code == ENXIO else { break }
            usleep(Self.waitStep * 1_000)
        }
        throw Failure(code: code, isUnread: code == ENXIO)
    }

    private static func isNamedPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Opens a file for appending; creates it if it doesn't exist.
    init(appendingTo path: String) throws(Failure) {
        try self.init(path, flags: O_WRONLY | O_APPEND | O_CREAT)
    }

    private init(_ path: String, flags: Int32) throws(Failure) {
        try Self.refuseLinkOut(path)
        number = unsafe open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw Failure(code: errno) }
    }

    private static func refuseLinkOut(_ path: String) throws(Failure) {
        if ProtectedFolders.refuses(path) { throw Failure(code: ELOOP, leadsOut: true) }
    }

    /// Gives a file the name of another one, which is replaced.
    static func rename(_ path: String, over other: String) throws(Failure) {
        guard systemRename(path, to: other) == 0 else { throw Failure(code: errno) }
    }

    func end() { close(number) }

    var isTerminal: Bool { isatty(number) == 1 }

    /// Waits for input and returns the bytes that are available then; empty at the end.
    func nextBytes(atMost limit: Int) throws(Failure) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var length: Int
            repeat {
                length = unsafe read(number, buffer.baseAddress, limit)
            } while length < 0 && mayGoOn(once: POLLIN)
            code = length < 0 ? errno : 0
            count = max(length, 0)
        }
        guard code == 0 else { throw Failure(code: code) }
        return bytes
    }

    /// Returns true if there is input, or the end; waits at most that many milliseconds, forever if
    /// nil.
    func hasInput(within milliseconds: Int32?) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        var count: Int32
        repeat {
            count = unsafe poll(&request, 1, milliseconds ?? -1)
        } while count < 0 && errno == EINTR
        return count != 0
    }

    /// Returns whether a call that failed can be made again: a signal came in between, or another
    /// process made the file nonblocking, as Node.js does with pipes. Then it waits for the event.
    private func mayGoOn(once event: Int32) -> Bool {
        if errno == EINTR { return true }
        guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
        var request = pollfd(fd: number, events: Int16(event), revents: 0)
        return unsafe poll(&request, 1, -1) > 0 || errno == EINTR
    }

    /// All that follows, but no more than the limit.
    func bytes(atMost limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let next = try nextBytes(atMost: min(limit - bytes.count, 65_536))
            guard !next.isEmpty else { break }
            bytes += next
        }
        return bytes
    }

    /// Writes all of it. A missing reader is an ordinary failure, not a signal.
    func put(_ bytes: [UInt8]) throws(Failure) {
        _ = Self.brokenPipesAreFailures
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = unsafe rest.withUnsafeBytes {
                unsafe write(number, $0.baseAddress, $0.count)
            }
            if length < 0, mayGoOn(once: POLLOUT) { continue }
            guard length >= 0 else { throw Failure(code: errno) }
            rest = rest.dropFirst(length)
        }
    }

    private static let brokenPipesAreFailures: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}

/// Inside of `Descriptor` its own function of that name hides the system's.
private func systemRename(_ path: String, to other: String) -> Int32 {
    unsafe rename(path, other)
}
