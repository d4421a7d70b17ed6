internal import CZlib
internal import CZstd

/// What unpacks a file as it is read.
protocol Unpacker: AnyObject {
    /// The bytes that are packed in the next ones.
    func unpack(_ bytes: [UInt8], path: String) throws(BacktestError) -> [UInt8]
    /// Whether what was read may be the end.
    var isAtEnd: Bool { get }
}

/// Files of gzip, be it several behind each other.
@safe final class GzipUnpacker: Unpacker {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private(set) var isAtEnd = true

    init() {
        // 32 and 15 bits: gzip or zlib, by what the file says.
        unsafe stream.initialize(to: z_stream())
        unsafe inflateInit2_(stream, 47, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func unpack(_ bytes: [UInt8], path: String) throws(BacktestError) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        let isFine = unsafe input.withUnsafeMutableBufferPointer { buffer in
            unsafe stream.pointee.next_in = buffer.baseAddress
            unsafe stream.pointee.avail_in = UInt32(buffer.count)
            return inflateAll(into: &output)
        }
        guard isFine else { throw .damaged(path) }
        return output
    }

    private func inflateAll(into output: inout [UInt8]) -> Bool {
        var isFull = false
        while unsafe stream.pointee.avail_in > 0 || isFull {
            var code: Int32 = Z_OK
            let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(buffer.count)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                count = unsafe buffer.count - Int(stream.pointee.avail_out)
            }
            output += part
            isFull = unsafe stream.pointee.avail_out == 0
            // It is said so that there was nothing more to do.
            if code == Z_BUF_ERROR { return true }
            isAtEnd = code == Z_STREAM_END
            if isAtEnd {
                // Another file may follow behind this one.
                guard unsafe inflateReset(stream) == Z_OK else { return false }
            } else if code != Z_OK {
                return false
            }
        }
        return true
    }
}

/// Files of zstd, be it several behind each other.
@safe final class ZstdUnpacker: Unpacker {
    private let stream: OpaquePointer?
    private(set) var isAtEnd = true

    init() { unsafe stream = ZSTD_createDStream() }

    deinit { unsafe ZSTD_freeDStream(stream) }

    func unpack(_ bytes: [UInt8], path: String) throws(BacktestError) -> [UInt8] {
        var output: [UInt8] = []
        var place = 0
        var isFull = false
        while place < bytes.count || isFull {
            var code = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { memory, count in
                unsafe bytes.withUnsafeBytes { source in
                    var input = unsafe ZSTD_inBuffer(
                        src: source.baseAddress, size: source.count, pos: place)
                    var result = unsafe ZSTD_outBuffer(
                        dst: memory.baseAddress, size: memory.count, pos: 0)
                    code = unsafe ZSTD_decompressStream(stream, &result, &input)
                    place = unsafe input.pos
                    count = unsafe result.pos
                }
            }
            guard ZSTD_isError(code) == 0 else { throw .damaged(path) }
            output += part
            isFull = part.count == 1 << 18
            isAtEnd = code == 0
        }
        return output
    }
}
