#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The identity of the file that a path leads to, by any name and links; nil if it isn't a file.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64
    /// The size when the identity was read, in bytes.
    let bytes: Int

    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        bytes = Int(status.st_size)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.device == right.device && left.number == right.number
    }
}
