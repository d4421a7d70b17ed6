import PopRuleFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Another program, run to its end.
enum ChildProcess {
    struct Failure: Error {}

    /// What it writes to its standard output; a failure when it ends with another code than 0.
    static func output(of words: [String]) throws -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure() }
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
        var child: pid_t = 0
        let code = unsafe posix_spawnp(&child, words[0], &actions, nil, arguments, environ)
        close(ends[1])
        guard code == 0 else {
            reading.end()
            throw Failure()
        }
        let limit = RuleFileLimits.standard.fileBytes + 1
        let bytes = (try? reading.bytes(atMost: limit)) ?? []
        reading.end()
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 || bytes.count == limit else { throw Failure() }
        return bytes
    }
}
