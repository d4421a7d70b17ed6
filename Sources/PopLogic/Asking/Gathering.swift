public import PopCEL

/// Those who meet some conditions and none of others, of the rules or of the later of two.
public struct Gathering: Sendable {
    /// All of them are met.
    public var meets: [Program]
    /// None of them is met; one that fails is not.
    public var avoids: [Program]
    /// Whether the conditions are of the later of two rule sets.
    public var isLater: Bool

    /// Everybody, unless conditions are given.
    public init(meets: [Program] = [], avoids: [Program] = [], isLater: Bool = false) {
        self.meets = meets
        self.avoids = avoids
        self.isLater = isLater
    }

    var isBounded: Bool { meets.allSatisfy { $0.isBounded } }
    var programs: [Program] { meets + avoids }
}

extension Witness {
    /// Whether it is one of them, by the conditions themselves.
    public func isIn(_ gathering: Gathering) -> Bool {
        gathering.meets.allSatisfy { truth(of: $0, isLater: gathering.isLater).isYes }
            && !gathering.avoids.contains { truth(of: $0, isLater: gathering.isLater).isYes }
    }
}

extension Logic {
    /// Whether there is nobody in one gathering who is not in another; somebody who is otherwise.
    public mutating func isWithin(_ one: Gathering, _ other: Gathering) -> Answer {
        let (first, second) = (diagram(of: one), diagram(of: other))
        let rest = arena.subtracting(second, from: first)
        let answer = answer(search(rest) { $0.isIn(one) && !$0.isIn(other) })
        if case .yes = answer, !other.isBounded { return .notKnown }
        return answer
    }

    /// Somebody in a gathering; yes when there is nobody.
    public mutating func isEmpty(_ gathering: Gathering) -> Answer {
        let diagram = diagram(of: gathering)
        return answer(search(diagram) { $0.isIn(gathering) })
    }

    mutating func diagram(of gathering: Gathering) -> Diagram {
        var diagram = Diagram.always
        for program in gathering.meets {
            let yes = meaning(of: program, isLater: gathering.isLater).yes
            diagram = arena.and(diagram, yes)
        }
        for program in gathering.avoids {
            let yes = meaning(of: program, isLater: gathering.isLater).yes
            diagram = arena.subtracting(yes, from: diagram)
        }
        return diagram
    }

    private mutating func meaning(of condition: Program, isLater: Bool) -> Meaning {
        translator.isLater = isLater
        defer { translator.isLater = false }
        return meaning(of: condition)
    }
}
