/// How much of a file is read before the parser gives up; each limit is reported as `yaml/limit`.
public struct YAMLLimits: Sendable, Hashable {
    /// The size of a file, in bytes.
    public var bytes = 16 << 20
    /// Collections inside each other, those that aliases bring in included.
    public var depth = 100
    /// Scalars, collections and aliases in a file.
    public var nodes = 4_000_000
    /// Nodes that a walk of the document visits beyond those in the file, because aliases repeat
    /// them; a value of more than 32 bytes a node counts as one for each 32 bytes.
    public var repeatedNodes = 200_000
    /// Lines that begin with `%` in front of the document.
    public var directives = 16
    /// How much clearing of scratch buffers libyaml may be put to, in bytes.
    ///
    /// libyaml clears buffers as long as the longest run of blanks in a scalar at every gap between
    /// two words, so that the cost of a hostile file is this product.
    public var scratchWork = 4_000_000_000
    /// Values that are set aside because of a syntax error, so that the rest can be checked.
    public var repairs = 32
    /// Bytes that are read again for such values altogether.
    public var repairWork = 64 << 20
    /// Findings that are reported about the content of a file.
    public var diagnostics = 500
    /// Places with a wrong encoding, and characters that are invisible or look alike, which are
    /// reported one by one.
    public var reportedCharacters = 10

    /// What the program uses.
    public static let standard = YAMLLimits()

    /// The standard limits, to change one by one.
    public init() {}
}
