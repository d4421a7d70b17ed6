package import PopSource

/// Reads counts from a file that may be damaged or written by hand: none is negative, and their sum
/// is at most `FleetLimits.counts`, so that sums never overflow.
package struct CountReader {
    /// The error for data that no program has counted.
    package struct Flaw: Error {
        package init() {}
    }

    private var rest = FleetLimits.standard.counts

    package init() {}

    /// A count.
    package mutating func count(_ json: JSON?) throws(Flaw) -> Int {
        let count = try number(json, in: 0...rest)
        rest -= count
        return count
    }

    /// Returns a number that isn't a count; throws if it isn't in the range.
    package func number(_ json: JSON?, in range: ClosedRange<Int>) throws(Flaw) -> Int {
        guard let number = json?.index, range.contains(number) else { throw Flaw() }
        return number
    }

    /// The values of a list.
    package func items(_ json: JSON?) throws(Flaw) -> [JSON] {
        guard case .array(let items)? = json else { throw Flaw() }
        return items
    }

    /// The members of an object.
    package func members(_ json: JSON?) throws(Flaw) -> [JSON.Member] {
        guard case .object(let members)? = json else { throw Flaw() }
        return members
    }

    /// A list of counts.
    package mutating func list(_ json: JSON?) throws(Flaw) -> [Int] {
        var counts: [Int] = []
        for item in try items(json) { counts.append(try count(item)) }
        return counts
    }

    /// Counts by name.
    package mutating func counts(_ json: JSON?) throws(Flaw) -> [String: Int] {
        var counts: [String: Int] = [:]
        for member in try members(json) { counts[member.key] = try count(member.value) }
        return counts
    }
}
