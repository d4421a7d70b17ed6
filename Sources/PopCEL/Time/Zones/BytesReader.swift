/// Reads bytes from the front, and big-endian numbers; never beyond the end.
struct BytesReader {
    struct Malformed: Error {}

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = ArraySlice(bytes) }

    mutating func bytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int) throws(Malformed) { _ = try bytes(count) }

    mutating func int32() throws(Malformed) -> Int32 {
        Int32(bitPattern: try bytes(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    mutating func int64() throws(Malformed) -> Int64 {
        Int64(bitPattern: try bytes(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
