#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Reads the files of time zones; other systems have no such files.
enum ZoneFile {
    /// Returns the bytes of a file; nil if they can't be read.
    ///
    /// - Parameters:
    ///   - start: The number of bytes to skip.
    ///   - limit: The maximum number of bytes to read.
    static func bytes(of path: String, from start: Int64 = 0, atMost limit: Int) -> [UInt8]? {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            guard let start = off_t(exactly: start) else { return nil }
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var hasFailed = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                while count < limit {
                    let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
                    let read = unsafe pread(
                        file, rest.baseAddress, rest.count, start + off_t(count))
                    guard read > 0 else { return hasFailed = read < 0 }
                    count += read
                }
            }
            return hasFailed ? nil : bytes
        #else
            return nil
        #endif
    }
}
