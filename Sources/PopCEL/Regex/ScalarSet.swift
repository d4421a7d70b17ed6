internal import PopSource

/// A set of Unicode scalars as sorted ranges that neither overlap nor touch.
struct ScalarSet: Sendable, Hashable {
    private(set) var ranges: [ClosedRange<UInt32>]

    /// Every scalar; surrogates are included too but never occur in a text.
    static let all = ScalarSet(0...0x10FFFF)

    init() { ranges = [] }

    init(_ range: ClosedRange<UInt32>) { ranges = [range] }

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    /// Creates a set; the ranges may be in any order and overlap.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.ordered(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                let upper = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...upper
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The scalars that are not in the set.
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...(range.lowerBound - 1)) }
            start = range.upperBound + 1
        }
        if start <= 0x10FFFF { gaps.append(start...0x10FFFF) }
        return ScalarSet(gaps)
    }

    mutating func formUnion(_ other: ScalarSet) { self = ScalarSet(ranges + other.ranges) }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }
}

extension ScalarSet {
    /// The set extended by every scalar that only differs in case from one of its scalars.
    ///
    /// Rules: RE2's `(?i)`, which is Unicode's simple case folding.
    var ignoringCase: ScalarSet {
        var variants: [ClosedRange<UInt32>] = []
        for range in ranges {
            if range.upperBound < 0x80 {
                variants += range.flatMap(asciiCaseVariants)
            } else {
                variants += CaseFolding.variants(of: range)
            }
        }
        return ScalarSet(ranges + variants)
    }
}

/// Returns the variants of the few scalars that most patterns consist of, without the tables.
private func asciiCaseVariants(_ value: UInt32) -> [ClosedRange<UInt32>] {
    let lower = value | 0x20
    guard (0x61...0x7A).contains(lower) else { return [] }
    let swapped = (value ^ 0x20)...(value ^ 0x20)
    switch lower {
    case 0x6B: return [swapped, 0x212A...0x212A]  // k and the Kelvin sign
    case 0x73: return [swapped, 0x17F...0x17F]  // s and the long s
    default: return [swapped]
    }
}

private enum CaseFolding {
    /// The scalars that have variants, in ascending order, each with the others of its group.
    private static let table: [(scalar: UInt32, others: [UInt32])] = {
        var groups: [UInt32: [UInt32]] = [:]
        for scalar in cased {
            let members = Set(mappings(of: scalar).flatMap { groups[$0] ?? [$0] })
            let group = members.union(groups[scalar.value] ?? [scalar.value]).ordered()
            for member in group { groups[member] = group }
        }
        return groups.ordered { $0.key < $1.key }
            .map { scalar, group in (scalar, group.filter { $0 != scalar }) }
    }()

    static func variants(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle].scalar < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return table[low...].prefix { $0.scalar <= range.upperBound }
            .flatMap { $0.others.map { $0...$0 } }
    }

    private static var cased: some Sequence<Unicode.Scalar> {
        // Beyond the second plane no scalar has case; the dotted and dotless i of Turkish have no
        // variants.
        (0..<0x20000 as Range<UInt32>).lazy.compactMap(Unicode.Scalar.init)
            .filter {
                $0.properties.changesWhenCaseMapped && $0.value != 0x130 && $0.value != 0x131
            }
    }

    /// Returns only mappings to one scalar: simple folding excludes pairs such as ß and SS.
    private static func mappings(of scalar: Unicode.Scalar) -> [UInt32] {
        let properties = scalar.properties
        return [
            properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping,
        ].compactMap { mapping in
            let scalars = mapping.unicodeScalars
            return scalars.count == 1 ? scalars.first?.value : nil
        }
    }
}

/// The sets of characters that have names in patterns. Rules: RE2, "Syntax".
enum NamedClasses {
    static let digit = ScalarSet(0x30...0x39)
    static let space = ScalarSet([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// Returns the set of a letter after a backslash: `d`, `s` and `w`, and of the capitals for all
    /// other characters.
    static func perl(_ letter: Unicode.Scalar) -> ScalarSet? {
        switch letter {
        case "d": digit
        case "D": digit.inverted
        case "s": space
        case "S": space.inverted
        case "w": word
        case "W": word.inverted
        default: nil
        }
    }

    /// Returns the set of a name between `[:` and `:]`.
    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
        case "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A])
        case "ascii": ScalarSet(0...0x7F)
        case "blank": ScalarSet([0x09...0x09, 0x20...0x20])
        case "cntrl": ScalarSet([0...0x1F, 0x7F...0x7F])
        case "digit": digit
        case "graph": ScalarSet(0x21...0x7E)
        case "lower": ScalarSet(0x61...0x7A)
        case "print": ScalarSet(0x20...0x7E)
        case "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
        case "space": ScalarSet([0x09...0x0D, 0x20...0x20])
        case "upper": ScalarSet(0x41...0x5A)
        case "word": word
        case "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
        default: nil
        }
    }

    /// Returns the set of a Unicode general category such as `L` or `Lu`, of a script such as
    /// `Greek`, or of `Any`.
    static func unicode(_ name: String) -> ScalarSet? {
        if name == "Any" { return .all }
        return categories[name] ?? UnicodeScripts.sets[name]
    }

    /// The sets by names of one and of two letters. Unassigned scalars and surrogates are in none.
    private static let categories: [String: ScalarSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        // Between the third plane and the tags of plane 14 no scalar is assigned.
        for value in [0x0...0x3FFFF, 0xE0000...0xE0FFF].joined() as FlattenSequence {
            guard let scalar = Unicode.Scalar(UInt32(value)),
                let name = abbreviation(scalar.properties.generalCategory)
            else { continue }
            append(scalar.value, to: &ranges[name, default: []])
        }
        ranges["Co"] = [0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD]
        for (name, part) in ranges { ranges[String(name.prefix(1)), default: []] += part }
        return ranges.mapValues { ScalarSet($0) }
    }()

    private static func append(_ value: UInt32, to ranges: inout [ClosedRange<UInt32>]) {
        if let last = ranges.last, last.upperBound + 1 == value {
            ranges[ranges.count - 1] = last.lowerBound...value
        } else {
            ranges.append(value...value)
        }
    }

    private static func abbreviation(_ category: Unicode.GeneralCategory) -> String? {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .privateUse, .surrogate, .unassigned: nil
        @unknown default: nil
        }
    }
}

/// Ranges of scalars as sequences of ranges of UTF-8 bytes.
enum UTF8Ranges {
    /// Returns sequences, in ascending order, that together match exactly the encodings of a set's
    /// scalars.
    static func sequences(of set: ScalarSet) -> [[ClosedRange<UInt8>]] {
        set.ranges.flatMap { range in
            ScalarRange.encodable.flatMap { split(range.clamped($0, $1)) }
        }
    }

    /// The ranges of scalars whose encodings have the same length; surrogates have none.
    private enum ScalarRange {
        static let encodable: [(UInt32, UInt32)] = [
            (0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF),
        ]
    }

    /// Splits until all bytes after the first that differs between the ends range over all values.
    private static func split(_ range: ClosedRange<UInt32>?) -> [[ClosedRange<UInt8>]] {
        guard let range else { return [] }
        let (low, high) = (range.lowerBound, range.upperBound)
        for bits in [6, 12, 18] as [UInt32] {
            let mask = (UInt32(1) << bits) - 1
            guard high > 0x7F, low & ~mask != high & ~mask else { continue }
            if low & mask != 0 {
                return split(low...(low | mask)) + split(((low | mask) + 1)...high)
            }
            if high & mask != mask {
                return split(low...((high & ~mask) - 1)) + split((high & ~mask)...high)
            }
        }
        return [zip(encode(low), encode(high)).map { $0...$1 }]
    }

    private static func encode(_ value: UInt32) -> [UInt8] {
        Unicode.Scalar(value).map { Array($0.utf8) } ?? []
    }
}

extension ClosedRange where Bound == UInt32 {
    /// Returns the part between two bounds; nil if no part of the range is between them.
    fileprivate func clamped(_ low: UInt32, _ high: UInt32) -> ClosedRange? {
        overlaps(low...high) ? clamped(to: low...high) : nil
    }
}
