/// The limits of a backtest.
public struct BacktestLimits: Sendable, Hashable {
    /// The most bytes of a row, without the end of its line.
    public var lineBytes = 16 << 20
    /// The most bytes of the fields that rules read of a row.
    public var fieldBytes = 64 << 20
    /// The most bytes of a user's id.
    public var userBytes = 65_535
    /// The bytes that are read, or unpacked, together.
    public var blockBytes = 4 << 20
    /// The bytes of a packed file that are read together.
    public var packedBytes = 128 << 10
    /// The most bytes of logs that are taken into account for the number of parts: 1 EiB, four
    /// times of which can be counted.
    public var logBytes = 1 << 60
    /// The most parts that users are divided into.
    public var parts = 512
    /// The usual memory that events are held in, in bytes.
    public var memory = 512 << 20
    /// The least memory that `--memory` takes, in bytes.
    public var leastMemory = 64 << 20
    /// The most memory that `--memory` takes, in bytes: 16 TiB.
    public var mostMemory = 16 << 40
    /// The maximum number of unknown event names that are counted, of which the most common are
    /// reported.
    public var unknownNames = 1_000
    /// The bytes that are kept of such a name.
    public var unknownNameBytes = 1_024
    /// Pairs of identities that are kept in memory.
    public var identities = 20_000_000
    /// The factor between the bytes of `--memory` and the maximum bytes of the names of such pairs.
    public var identityShare = 4
    /// The most bytes of the row that names the columns.
    public var headerBytes = 1 << 20

    /// The pieces that a part is divided into if it is larger than memory has room for.
    public var divisions = 64
    /// The bytes for each part that a thread writes together.
    public var pieceBytes = 64 << 10
    /// The most bytes of a file of a checkpoint, but for rows of users.
    public var checkpointBytes = 64 << 20
    /// The most values of such a file.
    public var checkpointValues = 4_000_000

    /// 16 MiB for a row, 512 MiB for events.
    public static let standard = BacktestLimits()

    /// The bytes of a part that a thread may hold at the same time as all others.
    func share(of memory: Int, jobs: Int) -> Int { max(memory / (max(jobs, 1) * 2), 1) }

    /// The maximum number of bytes of a row as it is written for its part.
    var recordBytes: Int { fieldBytes + 4 * userBytes }
}
