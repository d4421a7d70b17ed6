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
        /// It ended with another code than 0.
        case failed
        /// It wrote more than it may.
        case tooLarge
    }

    /// Returns the bytes that a program writes to its standard output, at most `limit`. The first
    /// word is the path of the program, which `ProgramPath` finds: PATH isn't asked here.
    ///
    /// `environment` is all that the program gets to see of the environment: no token or setting
    /// of the caller reaches it by accident.
    static func output(
        of words: [String], environment: [String: String], limit: Int
    ) throws(Failure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .notStarted }
        let reading = Descriptor(open: ends[0])
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
        unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
        unsafe posix_spawn_file_actions_addopen(
            &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var variables = unsafe environment.map { name, value in unsafe strdup("\(name)=\(value)") }
        unsafe variables.append(nil)
        defer { unsafe variables.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, words[0], &actions, nil, arguments, variables)
        close(ends[1])
        guard code == 0 else {
            reading.end()
            throw .notStarted
        }
        let bytes = (try? reading.bytes(atMost: limit + 1)) ?? []
        // A program that goes on writing ends by a signal here.
        reading.end()
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard bytes.count <= limit else { throw .tooLarge }
        guard status == 0 else { throw .failed }
        return bytes
    }
}
