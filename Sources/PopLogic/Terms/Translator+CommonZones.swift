package import PopCEL
internal import PopSource

extension TimeZones {
    /// Returns one name for all time zones of the system whose clocks always show the same time.
    package static func commonName(of name: String) -> String {
        let isZero = ["+00:00", "-00:00", "00:00"].contains(name)
        if isZero || namesOfUTC.contains(name) { return nameOfUTC }
        if let known = commonNames.withLock({ $0[name] }) { return known }
        let common = systemNames.first { haveSameClocks($0, as: name) } ?? name
        commonNames.withLock { $0[name] = common }
        return common
    }

    package static let nameOfUTC = "UTC"

    /// The common names of the requested zones; finding one compares all zones of the system.
    private static let commonNames = Guarded([String: String]())

    /// The links to UTC and GMT in the time zone database, whose clocks never differ.
    private static let namesOfUTC: Set = [
        "UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT", "Etc/GMT+0",
        "Etc/GMT-0", "Etc/GMT0", "Etc/Greenwich", "UCT", "Universal", "Zulu", "GMT", "GMT+0",
        "GMT-0", "GMT0", "Greenwich",
    ]
}

extension Translator {
    /// Returns the source of a part. If two rule sets are compared, zones whose clocks always show
    /// the same time have a common name in it.
    func textWithCommonZones(of node: NodeID) -> String {
        let text = reading.expression.text(of: node)
        let tree = reading.tree
        let whole = tree.nodes[node]
        guard declarations.later != nil, case .text = tree.origins[whole.origin] else {
            return text
        }
        var bytes = Array(text.utf8)
        for zone in zones(in: node).sorted(by: { tree.nodes[$0].start > tree.nodes[$1].start }) {
            let part = tree.nodes[zone]
            guard part.origin == whole.origin, case .string(let name)? = tree.literal(zone) else {
                continue
            }
            let place = Int(part.start - whole.start)..<Int(part.end - whole.start)
            bytes.replaceSubrange(place, with: "'\(TimeZones.commonName(of: name))'".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the zone names that are passed to functions which read parts of dates.
    private func zones(in node: NodeID) -> [NodeID] {
        let tree = reading.tree
        let children = Array(tree.children(of: node))
        let inner = children.flatMap { zones(in: $0) }
        guard tree.kind(of: node) == .memberCall, children.count == 2,
            reading.checked.type(children[0]) == .timestamp,
            case .string? = tree.literal(children[1])
        else { return inner }
        return inner + [children[1]]
    }
}
