/// The limits at which the parser stops reading a file; each is reported as `yaml/limit`.
public struct YAMLLimits: Sendable, Hashable {
    /// The size of a file, in bytes.
    public var bytes = 16 << 20
    /// The nesting depth of collections, including those from aliases.
    public var depth = 100
    /// Scalars, collections and aliases in a file.
    public var nodes = 4_000_000
    /// Nodes that a walk of the document visits in addition to those in the file, because aliases
    /// repeat them; a value of more than 32 bytes per node counts as one node for each 32 bytes.
    public var repeatedNodes = 200_000
    /// Lines that begin with `%` before the document.
    public var directives = 16
    /// The number of bytes in scratch buffers that libyaml may have to clear.
    ///
    /// At every gap between two words, libyaml clears buffers as long as the longest run of blanks
    /// in a scalar, so the cost of a hostile file is this product.
    public var scratchWork = 4_000_000_000
    /// Values that are set aside because of a syntax error, so that the rest can be checked.
    public var repairs = 32
    /// Bytes that are read again for such values in total.
    public var repairWork = 64 << 20
    /// Findings that are reported about the content of a file.
    public var diagnostics = 500
    /// Places with an invalid encoding, and characters that are invisible or look alike, that are
    /// reported one by one.
    public var reportedCharacters = 10

    /// The limits that the program uses.
    public static let standard = YAMLLimits()

    /// The standard limits, to change one by one.
    public init() {}
}
