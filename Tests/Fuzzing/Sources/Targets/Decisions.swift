/// Decisions that depend on the bytes of an input, usually one byte each, so that a small change of
/// the input causes a small change of the result. When the bytes are used up, the other decisions
/// depend on their number.
struct SeededGenerator: RandomNumberGenerator {
    private var bytes: ArraySlice<UInt8> = []
    private var state: UInt64

    init(bytes: some Sequence<UInt8>) {
        self.bytes = ArraySlice(bytes)
        state = UInt64(self.bytes.count)
    }

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        // The highest bits decide a choice among few.
        return bytes.popFirst().map { UInt64($0) << 56 | mixed >> 8 } ?? mixed
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }

    mutating func isLucky(_ percent: Int) -> Bool { roll(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}
