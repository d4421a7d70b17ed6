public import PopCEL
internal import PopSource

/// A value that a context key had.
public struct KeyedValue: Sendable, Hashable {
    /// The name of the key.
    public var key: String
    /// The value as a string; nil if it was missing.
    public var text: String?

    public init(key: String, text: String?) {
        self.key = key
        self.text = text
    }
}

extension KeyedValue {
    /// Creates a keyed value. Equal values have the same string; nil for a missing value.
    package init(key: String, value: Value?) {
        let text: String? =
            switch value {
            case .version(let version)?: version.shortest
            case .double(0)?: "0"
            case nil, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
                .list, .map, .type, .optional:
                value?.plainText
            }
        self.init(key: key, text: text)
    }
}

/// A change of the counts of a popup for each value of a context key.
public enum ValueChange: String, Sendable, Hashable, CaseIterable {
    /// A place was reserved for it; the impression that follows has that place.
    case shown
    /// It didn't become visible.
    case takenBack
    /// It didn't become visible, but its user was exposed to an arm, which the popup's own caps
    /// continue to count.
    case takenBackExposed
    /// The user closed or refused it.
    case closed
}

/// The numbers of impressions and closings of popups for each value of a context key.
///
/// For most popups nothing is kept, but only for those that a cap counts.
public struct ValueCounts: Sendable, Hashable {
    /// The counts for one value.
    public struct Count: Sendable, Hashable {
        /// The value as a string; nil if it was missing.
        public var text: String?
        /// The number of impressions and reserved places.
        public var shown = 0
        /// The number that the popup's own caps count: `shown`, and exposures that made no
        /// impression.
        public var ofOwnCaps = 0
        /// The number of times the user closed or refused it.
        public var closed = 0
        /// The date of the last change.
        public var last: Timestamp

        /// Creates empty counts; `last` is the date of the first change to come.
        public init(text: String?, last: Timestamp) {
            self.text = text
            self.last = last
        }
    }

    /// The maximum number of values of a key that are kept for a popup: those that changed last.
    public static let most = 100

    /// By popup and key, the counts in the order in which they changed.
    public var counts: [String: [String: [Count]]] = [:]

    /// Creates counts without any.
    public init() {}

    /// Creates counts from unordered ones. If there are too many, the latest are kept.
    package init(sorting counts: [String: [String: [Count]]]) {
        self.counts = counts.mapValues { keys in
            keys.mapValues { Array($0.ordered { $0.isBefore($1) }.suffix(Self.most)) }
        }
    }

    /// Returns the counts of a popup for a value; nil without such counts.
    package func count(of popup: String, for value: KeyedValue) -> Count? {
        if counts.isEmpty { return nil }
        return counts[popup]?[value.key]?.first { $0.text == value.text }
    }

    /// Attributes to this value everything that isn't recorded for any value of the key.
    mutating func complete(_ popup: String, for value: KeyedValue, with all: Count) {
        var kept = counts[popup]?[value.key] ?? []
        let index = kept.firstIndex { $0.text == value.text }
        let known = kept.reduce(into: Count(text: nil, last: .min)) { $0.add($1) }
        var count = index.map { kept.remove(at: $0) } ?? Count(text: value.text, last: all.last)
        count.shown += max(all.shown - known.shown, 0)
        count.ofOwnCaps += max(all.ofOwnCaps - known.ofOwnCaps, 0)
        count.closed += max(all.closed - known.closed, 0)
        if !count.isEmpty {
            kept.insert(count, at: kept.firstIndex { count.isBefore($0) } ?? kept.endIndex)
        }
        counts[popup, default: [:]][value.key] = kept
    }

    /// Adds a change. Returns the count that is no longer kept because there were too many; nil if
    /// all are kept.
    mutating func add(
        _ change: ValueChange, of popup: String, for value: KeyedValue, at date: Timestamp
    ) -> Count? {
        var kept = counts[popup]?[value.key] ?? []
        let index = kept.firstIndex { $0.text == value.text }
        var count = index.map { kept.remove(at: $0) } ?? Count(text: value.text, last: date)
        count.add(change, at: date)
        if !count.isEmpty {
            kept.insert(count, at: kept.firstIndex { count.isBefore($0) } ?? kept.endIndex)
        }
        let forgotten = kept.count > Self.most ? kept.removeFirst() : nil
        counts[popup, default: [:]][value.key] = kept.isEmpty ? nil : kept
        if counts[popup]?.isEmpty == true { counts[popup] = nil }
        return forgotten
    }
}

extension ValueCounts.Count {
    /// True if no count is above zero.
    package var isEmpty: Bool { shown <= 0 && ofOwnCaps <= 0 && closed <= 0 }

    fileprivate mutating func add(_ other: Self) {
        shown += other.shown
        ofOwnCaps += other.ofOwnCaps
        closed += other.closed
    }

    fileprivate mutating func add(_ change: ValueChange, at date: Timestamp) {
        switch change {
        case .shown:
            shown += 1
            ofOwnCaps += 1
        case .takenBack:
            shown = max(shown - 1, 0)
            ofOwnCaps = max(ofOwnCaps - 1, 0)
        case .takenBackExposed: shown = max(shown - 1, 0)
        case .closed: closed += 1
        }
        last = max(last, date)
    }

    /// Returns true if a count comes before another by date; at the same date, the missing value
    /// comes first, then the strings by their bytes.
    package func isBefore(_ other: Self) -> Bool {
        if last != other.last { return last < other.last }
        guard let text else { return other.text != nil }
        guard let otherText = other.text else { return false }
        return text.utf8.lexicographicallyPrecedes(otherText.utf8)
    }
}
