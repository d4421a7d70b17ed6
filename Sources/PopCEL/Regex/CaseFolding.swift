internal import PopSource

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
