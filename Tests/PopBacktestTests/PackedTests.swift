import PopTestSupport
import Testing

@testable import PopBacktest

/// Files that unpack to far more than they are.
struct PackedTests {
    private static let limits: BacktestLimits = {
        var limits = BacktestLimits()
        (limits.lineBytes, limits.blockBytes, limits.packedBytes) = (60_000, 20_000, 1_000)
        return limits
    }()

    /// Returns the counts of lines and of long lines from a source, and the most bytes that it
    /// held.
    private static func read(
        _ path: String, limits: BacktestLimits = limits
    ) throws -> (lines: Int, long: Int, held: Int) {
        var source = try LogSource(path, limits: limits)
        var (lines, long, held) = (0, 0, 0)
        while let block = try source.nextBlock() {
            held = max(held, source.heldBytes + block.bytes.count)
            lines += block.bytes.count { $0 == 10 }
            long += block.longLines.count
        }
        return (lines, long, held)
    }

    /// S-H2.
    @Test(arguments: [false, true])
    func `a compression bomb of one line is never held in memory as a whole`(
        isZstd: Bool
    ) throws {
        let folder = try Folder()
        let bomb =
            isZstd
            ? zstdBomb(120, blocks: 200) + zstd(Array("\nlast\n".utf8))
            : gzipBomb(120, count: 20_000_000) + gzip(Array("\nlast\n".utf8))
        let path = try folder.write(bomb, to: "a.jsonl")
        let (lines, long, held) = try Self.read(path)
        #expect((lines, long) == (1, 1))
        #expect(bomb.count < 200_000)
        #expect(held <= Self.limits.lineBytes + 3 * Self.limits.blockBytes)
    }

    /// S-H2.
    @Test(arguments: [false, true]) func `a compression bomb of empty lines is read block by block`(
        isZstd: Bool
    ) throws {
        let folder = try Folder()
        let bomb = isZstd ? zstdBomb(10, blocks: 100) : gzipBomb(10, count: 10_000_000)
        let (lines, long, held) = try Self.read(try folder.write(bomb, to: "a.jsonl"))
        #expect(lines >= 9_999_000 && long == 0)
        #expect(held <= 4 * Self.limits.blockBytes)
    }

    /// 67 kB of zstd with 2 GiB of line ends took 14 s.
    @Test(arguments: [false, true])
    func `a file that unpacks to far more than any log is refused`(isZstd: Bool) throws {
        let folder = try Folder()
        let bomb = isZstd ? zstdBomb(10, blocks: 100) : gzipBomb(10, count: 10_000_000)
        var limits = BacktestLimits.standard
        limits.unpackedBytes = 1 << 20
        let path = try folder.write(bomb, to: "a.jsonl")
        let ratio = isZstd ? 500 : 100
        limits.unpackedPerByte = ratio
        #expect(throws: BacktestError.tooCompressed(path, ratio: ratio)) {
            try Self.read(path, limits: limits)
        }
    }

    /// 10 kB took more than 20 s: each line moved all that follow it.
    @Test func `a compression bomb of empty lines before the column names is skipped`() throws {
        let folder = try Folder()
        let log = try folder.write(
            gzipBomb(10, count: 10_000_000)
                + gzip(Array("user,time,event\r\nann,2026-03-01T10:00:00Z,e\r\n".utf8)),
            to: "a.csv.gz")
        let report = try BacktestTests.run(
            [log], mapping: "", rules: "events: { e: {} }\n")
        #expect(report.tally.users == 1)
    }

    /// S-H2.
    @Test func `an unpacker returns no more than requested, and keeps its input`() throws {
        for unpacker in [ZstdUnpacker(memory: 1 << 20), GzipUnpacker()] as [any Unpacker] {
            unpacker.take(
                unpacker is GzipUnpacker
                    ? gzipBomb(120, count: 1_000_000) : zstdBomb(120, blocks: 8))
            var count = 0
            while !unpacker.needsInput {
                let piece = try unpacker.unpack(1_000, path: "")
                #expect(piece.count <= 1_000)
                count += piece.count
            }
            #expect(count > 999_000)
            #expect(unpacker.isAtEnd)
        }
    }

    /// S-H2.
    @Test func `a frame of zstd whose window is larger than memory is refused`() throws {
        let folder = try Folder()
        let frame = zstdHead(bits: 27) + [1, 0, 0]
        let path = try folder.write(frame, to: "a.jsonl.zst")
        var source = try LogSource(path, memory: 64 << 20)
        #expect(throws: BacktestError.windowTooLarge(path, 32 << 20)) {
            try source.nextBlock()
        }
        #expect(
            BacktestError.windowTooLarge("a.zst", 32 << 20).description
                == "decompressing `a.zst` takes more than 32 MiB; use a larger `--memory`, or"
                + " decompress it first: `zstd -dc --long=31 FILE | …`")
        var other = try LogSource(path, memory: 512 << 20)
        #expect(try other.nextBlock() == nil)
    }

    @Test(arguments: [1, 7, 1_000, 131_072])
    func `packed files of several members are read completely`(
        pieces: Int
    ) throws {
        let folder = try Folder()
        let lines = (0..<3_000).map { "line \($0)\n" }
        let halves = [lines[..<1_000], lines[1_000...]].map { Array($0.joined().utf8) }
        for pack in [gzip, zstd] {
            let packed = halves.flatMap { pack($0, min(pieces, 65_535)) }
            let path = try folder.write(packed, to: "a.jsonl")
            #expect(try Self.read(path).lines == 3_000)
            let cut = try folder.write(Array(packed.dropLast(1)), to: "cut.jsonl")
            #expect(throws: BacktestError.damaged(cut)) { try Self.read(cut) }
        }
    }

    /// `pzstd` begins with a frame that contains the length of the next one.
    @Test func `skippable frames before zstd frames are skipped`() throws {
        let folder = try Folder()
        let lines = Array("a\nb\n".utf8)
        for first in UInt8(0x50)...0x5F {
            let skipped: [UInt8] = [first, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 9, 0, 0, 0]
            let path = try folder.write(skipped + zstd(lines), to: "a.jsonl.zst")
            #expect(try Self.read(path).lines == 2)
        }
        let other = try folder.write([0x04, 0x22, 0x4D, 0x18, 0x40], to: "a.jsonl.lz4")
        #expect(throws: BacktestError.self) { try Self.read(other) }
    }

    /// S-L1.
    @Test
    func
        `logs that claim more than any disk can store use the maximum number of parts`()
    {
        let limits = BacktestLimits.standard
        #expect(LogReading.sum(of: [7 << 60, 7 << 60, -1, 5]) == limits.logBytes)
        #expect(LogReading.sum(of: [3, 4]) == 7)
        #expect(LogReading.parts(of: .max, memory: 64 << 20, jobs: 256) == limits.parts)
        #expect(LogReading.parts(of: 1, memory: 64 << 20, jobs: 1) == 16)
    }
}
