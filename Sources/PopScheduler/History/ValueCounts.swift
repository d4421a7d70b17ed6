public import PopCEL
internal import PopSource

/// A value that a context key had.
public struct KeyedValue: Sendable, Hashable {
    /// The name of the key.
    public var key: String
    /// The value as text; nil when it was missing.
    public var text: String?

    public init(key: String, text: String?) {
        self.key = key
        self.text = text
    }
}

extension KeyedValue {
    /// Equal values have one text; nil for missing.
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

/// What happens to a popup that caps count for each value of a context key.
public enum ValueChange: String, Sendable, Hashable, CaseIterable {
    /// A place was kept for it; the impression that follows has that place.
    case shown
    /// It did not come to be visible.
    case takenBack
    /// The same, but its user was exposed to an arm, which the popup's own caps go on counting.
    case takenBackExposed
    /// A person closed or refused it.
    case closed
}

/// How often popups were shown and closed for each value that a context key had.
///
/// Of most popups nothing is kept: only of those that a cap asks about.
public struct ValueCounts: Sendable, Hashable {
    /// Of one value.
    public struct Count: Sendable, Hashable {
        /// What it was, as text; nil for missing.
        public var text: String?
        /// Impressions, and places that are kept.
        public var shown = 0
        /// What the popup's own caps count: these, and exposures that made no impression.
        public var ofOwnCaps = 0
        /// How often people closed or refused it.
        public var closed = 0
        /// When that changed the last time.
        public var last: Timestamp

        /// Nothing yet; `last` is when there will be something.
        public init(text: String?, last: Timestamp) {
            self.text = text
            self.last = last
        }
    }

    /// How many values of a key are kept for a popup: those that changed last.
    public static let most = 100

    /// By popup and key; in the order in which they changed.
    public var counts: [String: [String: [Count]]] = [:]

    /// Nothing.
    public init() {}

    /// Counts in no order; of too many the latest are kept.
    package init(sorting counts: [String: [String: [Count]]]) {
        self.counts = counts.mapValues { keys in
            keys.mapValues { Array($0.ordered { $0.isBefore($1) }.suffix(Self.most)) }
        }
    }

    /// What is known of a popup for a value; nil for nothing.
    package func count(of popup: String, for value: KeyedValue) -> Count? {
        if counts.isEmpty { return nil }
        return counts[popup]?[value.key]?.first { $0.text == value.text }
    }

    /// What is not known to have happened for any value of a key happened for this one.
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

    /// Adds a change. Gives what is kept no more, since there is too much of it.
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
    /// Whether nothing is left that could be counted.
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

    /// In the order of the dates; of one date, missing comes first, then the texts by their bytes.
    package func isBefore(_ other: Self) -> Bool {
        if last != other.last { return last < other.last }
        guard let text else { return other.text != nil }
        guard let otherText = other.text else { return false }
        return text.utf8.lexicographicallyPrecedes(otherText.utf8)
    }
}
