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

    /// What standard input has.
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

    /// Opens a file for writing behind its end, and for reading; makes it when it is not there.
    convenience init(appendingTo path: String) throws(BacktestError) {
        try self.init(path, flags: O_RDWR | O_APPEND | O_CREAT)
    }

    private convenience init(_ path: String, flags: Int32) throws(BacktestError) {
        let number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(path, code: errno) }
        self.init(number: number, isOwned: true)
    }

    /// A new file without a name, for what is kept only while the program runs: it is gone with the
    /// program, however that ends.
    convenience init(temporaryIn folder: String) throws(BacktestError) {
        var name = Array((folder + "/poprules-backtest-XXXXXX").utf8CString)
        let number = unsafe mkstemp(&name)
        guard number >= 0 else { throw .system(folder, code: errno) }
        _ = unsafe unlink(name)
        self.init(number: number, isOwned: true)
    }

    /// Goes to the beginning, and says how many bytes there are from there on.
    func rewind() -> Int {
        let size = lseek(number, 0, SEEK_END)
        _ = lseek(number, 0, SEEK_SET)
        return Int(max(size, 0))
    }

    /// Puts the next bytes behind those of an array; fewer than are asked for at the end only.
    func read(_ wanted: Int, path: String, behind bytes: inout [UInt8]) throws(BacktestError) {
        var code: Int32 = 0
        let head = bytes
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: head.count + wanted) { buffer, count in
            count = unsafe buffer.initialize(fromContentsOf: head)
            while count < buffer.count {
                let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
                let length = unsafe systemRead(number, place, buffer.count - count)
                if length < 0, errno == EINTR { continue }
                if length < 0 { code = errno }
                if length <= 0 { break }
                count += length
            }
        }
        guard code == 0 else { throw .system(path, code: code) }
    }

    /// Writes all of it.
    func write(_ bytes: [UInt8], path: String) throws(BacktestError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = unsafe rest.withUnsafeBytes {
                unsafe systemWrite(number, $0.baseAddress, $0.count)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .system(path, code: errno) }
            rest = rest.dropFirst(length)
        }
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

/// What the system says of paths.
enum SystemPaths {
    /// The size of a file and when it was changed; nil for what is not there, and for a folder.
    static func identity(of path: String) -> (size: Int, changed: Int)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            return nil
        }
        #if canImport(Darwin)
            return (Int(status.st_size), status.st_mtimespec.tv_sec)
        #else
            return (Int(status.st_size), status.st_mtim.tv_sec)
        #endif
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether it is a file that can be read again.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Makes a folder that is not there.
    static func makeFolder(_ path: String) throws(BacktestError) {
        if isFolder(path) { return }
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw errno == EEXIST ? .noFolder(path) : .system(path, code: errno)
        }
    }

    /// Whether a folder holds nothing, but for a file of a name.
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

    /// What cannot be removed stays.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    static func rename(_ path: String, to other: String) throws(BacktestError) {
        guard systemRename(path, other) == 0 else { throw .system(other, code: errno) }
    }

    static func message(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

private func systemRename(_ path: String, _ other: String) -> Int32 {
    unsafe rename(path, other)
}
