internal import PopRuleFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file of the system, read and written block by block.
final class SystemFile: Sendable {
    private let number: Int32
    private let isOwned: Bool

    /// Standard input.
    static let standardInput = SystemFile(number: STDIN_FILENO, isOwned: false)

    private init(number: Int32, isOwned: Bool) {
        self.number = number
        self.isOwned = isOwned
    }

    deinit { if isOwned { close(number) } }

    /// Opens a file for reading.
    convenience init(reading path: String) throws(BacktestError) {
        try self.init(path, flags: O_RDONLY)
    }

    /// Creates a file, for writing and reading. The path must not exist, not even as a link.
    convenience init(making path: String) throws(BacktestError) {
        try self.init(path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// Opens a regular file: not a pipe, which may never get data, nor a device or a link.
    convenience init(regular path: String) throws(BacktestError) {
        try self.init(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard let state = FileState(number), state.isRegular else { throw .damaged(path) }
    }

    /// Opens a folder, and prevents every other process from doing the same until this one has
    /// ended; nil if another process has already opened it.
    static func locking(folder: String) throws(BacktestError) -> SystemFile? {
        let file = try SystemFile(folder, flags: O_RDONLY | O_DIRECTORY)
        if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return file }
        // A file system without locks excludes nobody.
        return errno == EWOULDBLOCK ? nil : file
    }

    private convenience init(_ path: String, flags: Int32) throws(BacktestError) {
        guard !ProtectedFolders.refuses(path) else { throw .leadsOut(path) }
        let number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(path, code: errno) }
        self.init(number: number, isOwned: true)
    }

    /// Creates a file without a name, for data that is kept only while the program runs: it is
    /// removed when the program ends, however that happens.
    convenience init(temporaryIn folder: String) throws(BacktestError) {
        var name = Array((folder + "/poprules-backtest-XXXXXX").utf8CString)
        let number = unsafe mkstemp(&name)
        guard number >= 0 else { throw .system(folder, code: errno) }
        _ = unsafe unlink(name)
        self.init(number: number, isOwned: true)
    }

    /// The size in bytes.
    var size: Int { FileState(number)?.size ?? 0 }

    /// Appends the next bytes to an array; fewer than requested only at the end.
    func read(_ wanted: Int, path: String, behind bytes: inout [UInt8]) throws(BacktestError) {
        unsafe try read(wanted, path: path, behind: &bytes) { memory, count, _ in
            unsafe systemRead(number, memory, count)
        }
    }

    /// Appends the bytes from a place on, independently of other readers.
    func read(
        _ wanted: Int, at start: Int, path: String, behind bytes: inout [UInt8]
    ) throws(BacktestError) {
        unsafe try read(wanted, path: path, behind: &bytes) { memory, count, done in
            unsafe pread(number, memory, count, off_t(start + done))
        }
    }

    private func read(
        _ wanted: Int, path: String, behind bytes: inout [UInt8],
        by readSome: (UnsafeMutableRawPointer?, _ count: Int, _ done: Int) -> Int
    ) throws(BacktestError) {
        var code: Int32 = 0
        let head = bytes
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: head.count + wanted) { buffer, count in
            count = unsafe buffer.initialize(fromContentsOf: head)
            while count < buffer.count {
                let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
                let length = unsafe readSome(place, buffer.count - count, count - head.count)
                if length < 0, errno == EINTR { continue }
                if length < 0 { code = errno }
                if length <= 0 { break }
                count += length
            }
        }
        guard code == 0 else { throw .system(path, code: code) }
    }

    /// Writes all of it after the bytes that were written before.
    func write(_ bytes: [UInt8], path: String) throws(BacktestError) {
        unsafe try write(bytes, path: path) { memory, count, _ in
            unsafe systemWrite(number, memory, count)
        }
    }

    /// Writes all of it from a place on.
    func write(_ bytes: [UInt8], at start: Int, path: String) throws(BacktestError) {
        unsafe try write(bytes, path: path) { memory, count, done in
            unsafe pwrite(number, memory, count, off_t(start + done))
        }
    }

    private func write(
        _ bytes: [UInt8], path: String,
        by writeSome: (UnsafeRawPointer?, _ count: Int, _ done: Int) -> Int
    ) throws(BacktestError) {
        var done = 0
        while done < bytes.count {
            let length = unsafe bytes[done...].withUnsafeBytes {
                unsafe writeSome($0.baseAddress, $0.count, done)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .system(path, code: errno) }
            done += length
        }
    }

    /// Waits until what was written is on disk.
    func sync(path: String) throws(BacktestError) {
        #if canImport(Darwin)
            // There fsync only passes it to the disk.
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(number) == 0 else { throw .system(path, code: errno) }
    }

    fileprivate convenience init(folder path: String) throws(BacktestError) {
        try self.init(path, flags: O_RDONLY | O_DIRECTORY)
    }
}

/// The system's information about a file.
struct FileState: Sendable, Hashable {
    private(set) var device: UInt64
    private(set) var inode: UInt64
    private(set) var size: Int
    /// When its content was changed, in seconds and nanoseconds.
    private(set) var modified: [Int]
    /// When anything of it was changed, even its time.
    private(set) var changed: [Int]
    private let kind: mode_t

    var isRegular: Bool { kind == S_IFREG }
    var isFolder: Bool { kind == S_IFDIR }

    /// Nil for what is not there.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns the state of an open file.
    fileprivate init?(_ number: Int32) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        kind = status.st_mode & S_IFMT
        #if canImport(Darwin)
            let times = [status.st_mtimespec, status.st_ctimespec]
        #else
            let times = [status.st_mtim, status.st_ctim]
        #endif
        modified = [Int(times[0].tv_sec), Int(times[0].tv_nsec)]
        changed = [Int(times[1].tv_sec), Int(times[1].tv_nsec)]
    }
}

/// The place of the next such byte, or `end`.
func place(of byte: UInt8, from start: Int, to end: Int, in block: [UInt8]) -> Int {
    unsafe block.withUnsafeBytes { bytes in
        guard start < end, let base = bytes.baseAddress,
            let found = unsafe memchr(base + start, Int32(byte), end - start)
        else { return end }
        return unsafe base.distance(to: UnsafeRawPointer(found))
    }
}

private func systemRead(_ number: Int32, _ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, memory, count)
}

private func systemWrite(_ number: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, memory, count)
}

/// Functions of the system on paths.
enum SystemPaths {
    /// Returns the state of a file; nil if the path doesn't exist, and for a folder.
    static func identity(of path: String) -> FileState? {
        FileState(path).flatMap { $0.isFolder ? nil : $0 }
    }

    static func isFolder(_ path: String) -> Bool { FileState(path)?.isFolder ?? false }

    /// Returns true if it is a file that can be read again.
    static func isRegular(_ path: String) -> Bool { FileState(path)?.isRegular ?? false }

    /// Returns true if an error means that the path doesn't exist.
    static func isMissing(_ code: Int32) -> Bool { code == ENOENT }

    /// Returns true for the error of a symbolic link that was not followed.
    static func isLinkLoop(_ code: Int32) -> Bool { code == ELOOP }

    /// Waits until the names in a folder are on disk.
    static func sync(folder path: String) throws(BacktestError) {
        try SystemFile(folder: path).sync(path: path)
    }

    /// Makes a folder that is not there.
    static func makeFolder(_ path: String) throws(BacktestError) {
        guard !ProtectedFolders.refuses(path) else { throw .leadsOut(path) }
        if isFolder(path) { return }
        guard unsafe mkdir(path, 0o700) == 0 else {
            let code = errno
            // Another run may have made it since.
            if code == EEXIST, isFolder(path) { return }
            throw code == EEXIST ? .noFolder(path) : .system(path, code: code)
        }
    }

    /// Returns true if a folder contains nothing, except for a file of a name.
    static func isEmptyFolder(_ path: String, but name: String) -> Bool {
        guard let folder = unsafe opendir(path) else { return true }
        defer { unsafe closedir(folder) }
        let known: Set<String> = [".", "..", name]
        while let entry = unsafe readdir(folder) {
            let length = MemoryLayout.size(ofValue: unsafe entry.pointee.d_name)
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: length) {
                    unsafe String(cString: $0)
                }
            }
            if !known.contains(name) { return false }
        }
        return true
    }

    /// The folder for what is kept only while the program runs.
    static var temporaryFolder: String {
        unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    }

    /// Removes a file; if that fails, it stays.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    static func rename(_ path: String, to other: String) throws(BacktestError) {
        guard !ProtectedFolders.refuses(other) else { throw .leadsOut(other) }
        guard systemRename(path, other) == 0 else { throw .system(other, code: errno) }
    }

    static func message(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

private func systemRename(_ path: String, _ other: String) -> Int32 {
    unsafe rename(path, other)
}

/// Returns true if this number of further files can be opened: without a descriptor left, Dispatch
/// ends the program.
func hasDescriptors(_ count: Int) -> Bool {
    let descriptors = (0..<count).map { _ in dup(STDERR_FILENO) }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    return descriptors.allSatisfy { $0 >= 0 }
}
