internal import PopCEL
public import PopScheduler
public import PopSource

/// An entry of a section: something with a name that other parts refer to.
public protocol Declaration: Sendable {
    /// Unique in its section, and where it is written: letters, digits and `_`, or such words
    /// joined by dots.
    var name: Located<String> { get }
}

/// The entries of one section, over all files, in the order in which they were read.
public struct Section<Entry: Declaration>: Sendable {
    /// In the order in which they were read; `index(of:)` gives positions in it.
    public private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]

    /// A section without entries.
    public init() {}

    /// The position of an entry.
    public func index(of name: String) -> Int? { positions[name] }

    /// The place of an entry in the rules that are made of the section.
    public func place(of name: String) -> Entry.Index? where Entry: Listed {
        positions[name].map { Entry.Index($0) }
    }

    /// The entry of that name.
    public subscript(name: String) -> Entry? { positions[name].map { entries[$0] } }

    /// The names of the entries, in their order.
    public var names: [String] { entries.map(\.name.value) }

    /// The same, also of entries that were taken out.
    var knownNames: [String] { positions.sorted { $0.value < $1.value }.map(\.key) }

    /// Takes the entries out; their positions and names stay known.
    mutating func takeEntries() -> [Entry] {
        var taken: [Entry] = []
        swap(&taken, &entries)
        return taken
    }

    /// Takes over the entries of files, in their order, each name once; returns the others with the
    /// entries that came first.
    ///
    /// The entries of a single file are not copied.
    mutating func take(_ files: [[Entry]]) -> [(again: Entry, first: Entry)] {
        entries = files.count == 1 ? files[0] : Array(files.joined())
        if entries.isEmpty { return [] }
        positions.reserveCapacity(entries.count)
        var repeated: [(again: Int, first: Int)] = []
        for index in entries.indices {
            let name = entries[index].name.value
            guard let first = positions.updateValue(index, forKey: name) else { continue }
            positions[name] = first
            repeated.append((index, first))
        }
        if repeated.isEmpty { return [] }
        let found = repeated.map { (again: entries[$0.again], first: entries[$0.first]) }
        let leftOut = Set(repeated.map(\.again))
        entries = entries.indices.filter { !leftOut.contains($0) }.map { entries[$0] }
        for (index, entry) in entries.enumerated() { positions[entry.name.value] = index }
        return found
    }
}

// The rules that are made of a section are in the order of its entries.
extension SchedulerModel: Listed { public typealias Index = LaneIndex }
extension ContextKeyModel: Listed { public typealias Index = KeyIndex }
extension EventModel: Listed { public typealias Index = EventIndex }
extension NamedConditionModel: Listed { public typealias Index = ConditionIndex }
extension GroupModel: Listed { public typealias Index = GroupIndex }
extension PopupModel: Listed { public typealias Index = PopupIndex }
