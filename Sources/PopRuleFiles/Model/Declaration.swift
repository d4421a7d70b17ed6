public import PopSource

/// An entry of a section: something with a name that other parts refer to.
public protocol Declaration: Sendable {
    var name: Located<String> { get }
}

/// The entries of one section, over all files, in the order in which they were read.
public struct Section<Entry: Declaration>: Sendable {
    public private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]

    public init() {}

    /// The position of an entry.
    public func index(of name: String) -> Int? { positions[name] }

    /// The entry of that name.
    public subscript(name: String) -> Entry? { positions[name].map { entries[$0] } }

    public var names: [String] { entries.map(\.name.value) }

    /// Changes entries in place; none may get another name.
    mutating func change(_ positions: Range<Int>, _ body: (inout Entry) -> Void) {
        for position in positions { body(&entries[position]) }
    }

    /// Takes over the entries of files, in their order, each name once; answers the others with
    /// those that came first.
    ///
    /// The entries of a single file are not copied.
    mutating func take(_ files: [[Entry]]) -> [(again: Entry, first: Entry)] {
        entries = files.count == 1 ? files[0] : Array(files.joined())
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
