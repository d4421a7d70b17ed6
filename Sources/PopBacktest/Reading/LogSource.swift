internal import PopSource

/// Rows that are whole, of one file.
struct LogBlock: Sendable {
    /// The rows, each with the end of its line but for the last one of the file.
    var bytes: [UInt8] = []
    /// The place in the block up to which it continues a broken row from before the block.
    var brokenUntil = 0
    /// The lines before the block that were too long, and are left out.
    var longLines = LongLines()
}

/// Lines that were too long.
struct LongLines: Sendable, Hashable {
    var count = 0
    /// The beginning of the first such line.
    var first = ""

    mutating func note(_ start: ArraySlice<UInt8>) {
        count += 1
        if count == 1 { first = String(decoding: start.prefix(256), as: UTF8.self) }
    }
}

/// A log, read block by block, each with whole rows.
///
/// It keeps at most a row and a block of the file in memory. `BacktestLimits` bounds both,
/// regardless of the compression and of the length of lines.
struct LogSource {
    let path: String
    /// Finds the ends of rows; by default each line is a row.
    var columns = ColumnReader(separator: 0, isQuoted: false)
    private let file: SystemFile
    private var unpacker: (any Unpacker)?
    /// The bytes that were read after the last returned row.
    private var rest: [UInt8] = []
    /// Indicates whether nothing follows `rest`.
    private var isAtEnd = false
    /// Indicates whether the file has been read to its end.
    private var isFileAtEnd = false
    private var isBegun = false
    /// Indicates whether the end of a line that is too long is being looked for.
    private var isPassingOver = false
    private var longLines = LongLines()
    /// The number of bytes of the file that were read, before decompression.
    private(set) var bytesRead = 0
    /// The number of bytes that were unpacked.
    private var bytesUnpacked = 0
    private let limits: BacktestLimits
    private let memory: Int

    /// Opens a log; `-` is standard input. `memory` is the value of `--memory`.
    init(
        _ path: String, limits: BacktestLimits = .standard, memory: Int? = nil
    ) throws(BacktestError) {
        self.path = path
        self.limits = limits
        self.memory = memory ?? limits.memory
        if path == "-" {
            file = .standardInput
        } else {
            guard SystemPaths.identity(of: path) != nil else { throw .noLog(path) }
            file = try SystemFile(reading: path)
        }
    }

    /// The number of bytes that it holds, compressed or not.
    var heldBytes: Int { rest.count + (unpacker?.heldBytes ?? 0) }

    /// Returns the next rows; nil at the end. A block without rows only reports lines that were too
    /// long.
    mutating func nextBlock() throws(BacktestError) -> LogBlock? {
        var whole = 0
        var brokenUntil = columns.brokenUntil
        while true {
            if isPassingOver {
                try passOver()
                continue
            }
            if whole == 0 { brokenUntil = columns.brokenUntil }
            if whole >= limits.blockBytes { return take(whole, brokenUntil: brokenUntil) }
            if whole == rest.count, isAtEnd {
                if whole == 0, longLines.count == 0 { return nil }
                return take(whole, brokenUntil: brokenUntil)
            }
            switch rowEnd(from: whole) {
            case .behind(let place): whole = place
            case .unknown:
                if whole > 0, rest.count >= limits.blockBytes {
                    return take(whole, brokenUntil: brokenUntil)
                }
                try readMore()
            case .tooManyLines:
                // Rows before it are not concerned: they are a block of their own.
                if whole > 0 { return take(whole, brokenUntil: brokenUntil) }
                columns.noteBroken(until: limits.lineBytes + 1)
            case .lineTooLong:
                if whole > 0 { return take(whole, brokenUntil: brokenUntil) }
                longLines.note(rest.prefix(256))
                isPassingOver = true
            }
        }
    }

    /// Returns the bytes at the beginning: at least this number, unless there are fewer.
    mutating func head(_ count: Int) throws(BacktestError) -> [UInt8] {
        while rest.count < count, !isAtEnd { try readMore() }
        return rest
    }

    /// Indicates whether nothing follows `head`.
    var isHeadAll: Bool { isAtEnd }

    /// Removes this number of bytes from the head.
    mutating func leave(_ count: Int) {
        rest.removeFirst(count)
        columns.move(by: count)
    }

    /// Where rows from a place on are over: one row, or, where lines are rows, all that are whole.
    private mutating func rowEnd(from start: Int) -> ColumnReader.RowEnd {
        if columns.isQuoted || rest.count - start > limits.lineBytes {
            return columns.rowEnd(
                from: start, isAtEnd: isAtEnd, longest: limits.lineBytes, in: rest)
        }
        if isAtEnd { return .behind(rest.count) }
        // A carriage return may be the first half of a line end.
        let isHalf = rest.last == UInt8(ascii: "\r")
        let last = rest[start...].dropLast(isHalf ? 1 : 0).lastIndex(where: isLineEnd)
        return last.map { .behind($0 + 1) } ?? .unknown
    }

    /// Moves past the next end of a line, and drops the bytes before it.
    private mutating func passOver() throws(BacktestError) {
        let end = lineEnd(from: 0, to: rest.count, in: rest)
        let isHalf = end + 1 == rest.count && rest[end] == UInt8(ascii: "\r") && !isAtEnd
        guard end < rest.count, !isHalf else {
            leave(end)
            if isAtEnd { isPassingOver = false } else { try readMore() }
            return
        }
        leave(behindLineEnd(end, in: rest))
        isPassingOver = false
    }

    private mutating func take(_ end: Int, brokenUntil: Int) -> LogBlock {
        defer { longLines = LongLines() }
        let tail = Array(rest[end...])
        rest.removeLast(tail.count)
        defer { rest = tail }
        columns.move(by: end)
        return LogBlock(bytes: rest, brokenUntil: brokenUntil, longLines: longLines)
    }

    /// Appends about one more block to `rest`.
    private mutating func readMore() throws(BacktestError) {
        let isFirst = !isBegun
        // As much as is needed to detect the format.
        let wanted = rest.count + max(limits.blockBytes, isFirst ? 4_096 : 1)
        if isFirst { try begin(with: read(limits.packedBytes)) }
        while rest.count < wanted, !isAtEnd {
            if unpacker == nil {
                rest = try read(wanted - rest.count, behind: rest)
                isAtEnd = isFileAtEnd
            } else {
                try unpackMore(wanted - rest.count)
            }
        }
        if isFirst {
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
            try checkIsText(rest)
        }
    }

    private mutating func unpackMore(_ wanted: Int) throws(BacktestError) {
        guard let unpacker else { return }
        if unpacker.needsInput {
            if isFileAtEnd {
                guard unpacker.isAtEnd else { throw .damaged(path) }
                isAtEnd = true
                return
            }
            unpacker.take(try read(limits.packedBytes))
        }
        let piece = try unpacker.unpack(min(wanted, limits.packedBytes), path: path)
        bytesUnpacked += piece.count
        guard bytesUnpacked - limits.unpackedBytes <= limits.unpackedPerByte * bytesRead else {
            throw .tooCompressed(path, ratio: limits.unpackedPerByte)
        }
        rest += piece
    }

    private mutating func read(
        _ wanted: Int, behind head: [UInt8] = []
    ) throws(BacktestError) -> [UInt8] {
        var bytes = head
        try file.read(wanted, path: path, behind: &bytes)
        isFileAtEnd = bytes.count - head.count < wanted
        bytesRead += bytes.count - head.count
        return bytes
    }

    /// Detects the compression by the first bytes, whatever the file name is.
    private mutating func begin(with bytes: [UInt8]) throws(BacktestError) {
        isBegun = true
        if bytes.starts(with: [0x1F, 0x8B]) {
            unpacker = GzipUnpacker()
        } else if Self.isZstd(bytes) {
            unpacker = ZstdUnpacker(memory: memory / 2)
        } else if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
            throw .unreadable(path, "is a zip file; unpack it first: `unzip -p FILE | …`")
        } else if bytes.starts(with: Array("PAR1".utf8)) {
            // Other names could end the quotes of SQL or of the shell.
            let name = path.isPlainForShell ? path : "FILE"
            throw .unreadable(
                path,
                "is a Parquet file; convert it to JSON first: `duckdb -c"
                    + " \"COPY (FROM '\(name)') TO '/dev/stdout' (FORMAT json)\" | …`")
        } else if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
            throw .unreadable(path, "is compressed with xz; decompress it first: `xz -dc FILE | …`")
        } else if bytes.starts(with: Array("BZh".utf8)) {
            throw .unreadable(
                path, "is compressed with bzip2; decompress it first: `bzip2 -dc FILE | …`")
        } else if bytes.starts(with: [0x04, 0x22, 0x4D, 0x18]) {
            throw .unreadable(
                path,
                "is compressed with lz4; decompress it first: `lz4 -dc FILE | …`")
        }
        if let unpacker {
            unpacker.take(bytes)
        } else {
            rest = bytes
            isAtEnd = isFileAtEnd
        }
    }

    /// A frame of zstd, or one of bytes to skip, which `pzstd` writes first.
    ///
    /// Rules: RFC 8878, section 3.1.
    private static func isZstd(_ bytes: [UInt8]) -> Bool {
        let skippable: ClosedRange<UInt8> = 0x50...0x5F
        return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
            || bytes.count > 3 && skippable.contains(bytes[0])
                && bytes[1...3].elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// A zero byte may occur in a name, but a file with many zero bytes isn't text.
    private func checkIsText(_ bytes: [UInt8]) throws(BacktestError) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .unreadable(
                path, "is UTF-16; convert it to UTF-8 first: `iconv -f utf-16 -t utf-8 FILE | …`")
        }
        if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) {
            throw .unreadable(path, "is a tar archive; unpack it first: `tar -xOf FILE | …`")
        }
        let head = bytes.prefix(4_096)
        if head.count(where: { $0 == 0 }) * 8 > head.count {
            throw .unreadable(path, "is not a text file")
        }
    }
}

/// The place of the next end of a line, a line feed or a carriage return, or `end`.
///
/// Looks at a few bytes first, then at twice as many, so that files whose lines all end by the same
/// of both are not searched to their end for the other one.
func lineEnd(from start: Int, to end: Int, in block: [UInt8]) -> Int {
    var start = start
    var count = 256
    while start < end {
        let stop = min(start + count, end)
        let feed = place(of: UInt8(ascii: "\n"), from: start, to: stop, in: block)
        let found = place(of: UInt8(ascii: "\r"), from: start, to: feed, in: block)
        if found < stop { return found }
        start = stop
        count *= 2
    }
    return end
}

/// Returns the place after the end of a line, of one or of two bytes.
func behindLineEnd(_ place: Int, in block: [UInt8]) -> Int {
    let isPair =
        place + 1 < block.count && block[place] == UInt8(ascii: "\r")
        && block[place + 1] == UInt8(ascii: "\n")
    return place + (isPair ? 2 : 1)
}

func isLineEnd(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: "\r") && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"))
}
