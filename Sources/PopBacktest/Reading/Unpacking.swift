internal import CZlib
internal import CZstd

/// Decompresses a file piece by piece: it keeps its input, and returns no more output than is
/// requested, however much the file contains.
protocol Unpacker: AnyObject {
    /// Indicates whether all input is used up, and all of its output was returned.
    var needsInput: Bool { get }
    /// Indicates whether the file may end after the bytes read so far.
    var isAtEnd: Bool { get }
    /// The input that is kept, in bytes.
    var heldBytes: Int { get }
    /// Takes the next bytes of the file, once `needsInput`.
    func take(_ input: [UInt8])
    /// Returns at most `limit` of the next bytes; none only if it needs input.
    func unpack(_ limit: Int, path: String) throws(BacktestError) -> [UInt8]
}

/// Decompresses gzip files, also several that follow each other.
@safe final class GzipUnpacker: Unpacker {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var input: [UInt8] = []
    private var place = 0
    /// Indicates whether the last piece was full, so that more output may remain.
    private var isFull = false
    private(set) var isAtEnd = true

    init() {
        // 32 and 15 bits: gzip or zlib, detected from the file.
        unsafe stream.initialize(to: z_stream())
        unsafe inflateInit2_(stream, 47, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    var needsInput: Bool { place == input.count && !isFull }
    var heldBytes: Int { input.count }

    func take(_ input: [UInt8]) {
        self.input = input
        place = 0
    }

    func unpack(_ limit: Int, path: String) throws(BacktestError) -> [UInt8] {
        while !needsInput {
            let (output, isFine) = unpackOnce(limit)
            guard isFine else { throw .damaged(path) }
            if !output.isEmpty { return output }
        }
        return []
    }

    private func unpackOnce(_ limit: Int) -> (output: [UInt8], isFine: Bool) {
        var code: Int32 = Z_OK
        var used = 0
        let rest = input.count - place
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeMutableBufferPointer { source in
                unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + place }
                unsafe stream.pointee.avail_in = UInt32(rest)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(buffer.count)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                used = unsafe rest - Int(stream.pointee.avail_in)
                count = unsafe buffer.count - Int(stream.pointee.avail_out)
            }
        }
        place += used
        isFull = output.count == limit
        switch code {
        case Z_OK: isAtEnd = false
        case Z_BUF_ERROR: break  // There was nothing more to do.
        case Z_STREAM_END:
            isAtEnd = true
            isFull = false
            // Another file may follow this one.
            return (output, unsafe inflateReset(stream) == Z_OK)
        default: return (output, false)  // Any other code says that the file is damaged.
        }
        return (output, true)
    }
}

/// Decompresses zstd files, also several that follow each other.
@safe final class ZstdUnpacker: Unpacker {
    private let stream: OpaquePointer?
    private let window: Int
    private var input: [UInt8] = []
    private var place = 0
    private var isFull = false
    private(set) var isAtEnd = true

    /// `memory` is how much the window, the past that frames refer to, may take.
    init(memory: Int) {
        window = min(Self.largestWindow, max(memory, 1 << 10))
        unsafe stream = ZSTD_createDStream()
        let bits = Int.bitWidth - 1 - window.leadingZeroBitCount
        unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(bits))
    }

    /// As much as `zstd` itself takes unless it is asked to.
    private static let largestWindow = 128 << 20

    deinit { unsafe ZSTD_freeDStream(stream) }

    var needsInput: Bool { place == input.count && !isFull }
    var heldBytes: Int { input.count }

    func take(_ input: [UInt8]) {
        self.input = input
        place = 0
    }

    func unpack(_ limit: Int, path: String) throws(BacktestError) -> [UInt8] {
        while !needsInput {
            let output = try unpackOnce(limit, path: path)
            if !output.isEmpty { return output }
        }
        return []
    }

    private func unpackOnce(_ limit: Int, path: String) throws(BacktestError) -> [UInt8] {
        var code = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
            unsafe input.withUnsafeBytes { source in
                var input = unsafe ZSTD_inBuffer(
                    src: source.baseAddress, size: source.count, pos: place)
                var result = unsafe ZSTD_outBuffer(
                    dst: memory.baseAddress, size: memory.count, pos: 0)
                code = unsafe ZSTD_decompressStream(stream, &result, &input)
                place = unsafe input.pos
                count = unsafe result.pos
            }
        }
        if ZSTD_isError(code) != 0 {
            guard ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge else {
                throw .damaged(path)
            }
            throw .windowTooLarge(path, window)
        }
        isAtEnd = code == 0
        // At the end of a frame everything was given out.
        isFull = output.count == limit && !isAtEnd
        return output
    }
}
