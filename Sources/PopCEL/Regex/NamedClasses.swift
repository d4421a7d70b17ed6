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
