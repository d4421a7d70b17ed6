/// A log, read block by block, each with whole lines.
struct LogSource {
    let path: String
    private let file: SystemFile
    private var unpacker: (any Unpacker)?
    /// What was read behind the last line that was given out.
    private var rest: [UInt8] = []
    private var isAtEnd = false
    private var isFirst = true
    private var hasBegun = false
    /// Whether the end of a line is looked for that was too long.
    private var isPassingOver = false
    private var longLines: [String] = []
    /// Whether a line end may stand in quotes, as it may in CSV.
    let isQuoted: Bool
    /// How many bytes of the file were read, packed as they are.
    private(set) var bytesRead = 0
    private let limits: BacktestLimits

    /// `-` is standard input.
    init(
        _ path: String, isQuoted: Bool, limits: BacktestLimits = .standard
    ) throws(BacktestError) {
        self.path = path
        self.isQuoted = isQuoted
        self.limits = limits
        if path == "-" {
            file = .standardInput
        } else {
            guard SystemPaths.identity(of: path) != nil else { throw .noLog(path) }
            file = try SystemFile(reading: path)
        }
    }

    /// The next lines, each with its end but for the last one of the file; nil at the end.
    mutating func nextBlock() throws(BacktestError) -> [UInt8]? {
        while true {
            if isPassingOver { passOver() }
            let isTooLong = rest.count > limits.lineBytes + limits.blockBytes
            if let end = lastLineEnd(), end >= limits.blockBytes || isAtEnd || isTooLong {
                return take(upTo: end)
            }
            if isAtEnd { return rest.isEmpty ? nil : take(upTo: rest.count) }
            if isTooLong { leaveLineOut() } else { try readMore() }
        }
    }

    /// How lines begin that were too long and left out since the last time.
    mutating func takeLongLines() -> [String] {
        defer { longLines = [] }
        return longLines
    }

    private mutating func leaveLineOut() {
        longLines.append(String(decoding: rest.prefix(256), as: UTF8.self))
        isPassingOver = true
        passOver()
    }

    /// Goes behind the next end of a line. Of a row in quotes that nobody closed that is the end of
    /// its first line.
    private mutating func passOver() {
        guard let end = rest.firstIndex(where: isLineEnd) else { return rest = [] }
        rest.removeFirst(behindLineEnd(end, in: rest))
        isPassingOver = false
    }

    private mutating func take(upTo end: Int) -> [UInt8] {
        if end == rest.count {
            defer { rest = [] }
            return rest
        }
        let tail = Array(rest[end...])
        defer { rest = tail }
        rest.removeLast(tail.count)
        return rest
    }

    /// Behind the last line that is whole.
    private func lastLineEnd() -> Int? {
        guard isQuoted else {
            let end =
                rest.lastIndex(of: UInt8(ascii: "\n")) ?? rest.lastIndex(of: UInt8(ascii: "\r"))
            return end.map { $0 + 1 }
        }
        var isInQuotes = false
        var end: Int?
        for place in rest.indices {
            let byte = rest[place]
            if byte == UInt8(ascii: "\"") {
                isInQuotes.toggle()
            } else if isLineEnd(byte), !isInQuotes {
                end = place + 1
            }
        }
        return end
    }

    private mutating func readMore() throws(BacktestError) {
        if !isFirst, unpacker == nil {
            rest = try read(limits.blockBytes, behind: rest)
            return
        }
        // What is packed may become a thousand times as much.
        let bytes = try read(limits.blockBytes / 32, behind: [])
        if isFirst { try begin(with: bytes) }
        var plain = try unpacker?.unpack(bytes, path: path) ?? bytes
        if isAtEnd, unpacker?.isAtEnd == false { throw .damaged(path) }
        if plain.isEmpty { return }
        if !hasBegun {
            hasBegun = true
            if plain.starts(with: [0xEF, 0xBB, 0xBF]) { plain.removeFirst(3) }
            try checkIsText(plain)
        }
        if rest.isEmpty { rest = plain } else { rest += plain }
    }

    private mutating func read(
        _ wanted: Int, behind head: [UInt8]
    ) throws(BacktestError) -> [UInt8] {
        var bytes = head
        try file.read(wanted, path: path, behind: &bytes)
        isAtEnd = bytes.count - head.count < wanted
        bytesRead += bytes.count - head.count
        return bytes
    }

    /// By its first bytes, whatever its name is.
    private mutating func begin(with bytes: [UInt8]) throws(BacktestError) {
        isFirst = false
        if bytes.starts(with: [0x1F, 0x8B]) {
            unpacker = GzipUnpacker()
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            unpacker = ZstdUnpacker()
        } else if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
            throw .unreadable(path, "is a zip file; unpack it first, as by `unzip -p FILE | …`")
        } else if bytes.starts(with: Array("PAR1".utf8)) {
            throw .unreadable(
                path,
                "is a Parquet file; let another program write its rows, as by `duckdb -c"
                    + " \"COPY (FROM '\(path)') TO '/dev/stdout' (FORMAT json)\" | …`")
        } else if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
            throw .unreadable(path, "is packed by xz; unpack it first, as by `xz -dc FILE | …`")
        } else if bytes.starts(with: Array("BZh".utf8)) {
            throw .unreadable(
                path, "is packed by bzip2; unpack it first, as by `bzip2 -dc FILE | …`")
        }
    }

    /// A byte that is 0 may stand in a name; where there are many of them they are no text.
    private func checkIsText(_ bytes: [UInt8]) throws(BacktestError) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .unreadable(
                path, "is UTF-16; write it as UTF-8, as by `iconv -f utf-16 -t utf-8 FILE | …`")
        }
        if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) {
            throw .unreadable(path, "is a tar archive; unpack it first, as by `tar -xOf FILE | …`")
        }
        let head = bytes.prefix(4_096)
        if head.count(where: { $0 == 0 }) * 8 > head.count {
            throw .unreadable(path, "holds no text")
        }
    }
}
