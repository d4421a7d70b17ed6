/// The findings of a stage: the one way to complain about what an author wrote.
public struct Diagnostics: Sendable, Hashable {
    /// In the order in which they were reported; `sorted` has the order of printing.
    public private(set) var list: [Diagnostic] = []

    /// Starts without a finding.
    public init() {}

    /// Takes over findings in the order given, repeated ones included.
    public init(_ list: [Diagnostic]) { self.list = list }

    /// Adds a finding at the end.
    public mutating func report(_ diagnostic: Diagnostic) { list.append(diagnostic) }

    /// Adds the findings of another stage at the end, in their order.
    public mutating func report(contentsOf other: Diagnostics) {
        if !other.isEmpty { list += other.list }
    }

    /// Whether there is no finding of any level.
    public var isEmpty: Bool { list.isEmpty }
    /// Whether a finding has the level `error`: nothing may run on what it is about. Linear in the
    /// findings.
    public var hasErrors: Bool { list.contains { $0.level == .error } }

    /// In the order of printing, each finding once.
    public var sorted: [Diagnostic] {
        var previous: Diagnostic?
        return list.ordered().filter { diagnostic in
            defer { previous = diagnostic }
            return diagnostic != previous
        }
    }

    /// Gives every finding that has no subject the one named.
    public mutating func setSubject(_ subject: String) {
        for index in list.indices where list[index].subject == nil { list[index].subject = subject }
    }
}

/// What a stage made of its input, and what it found.
///
/// The value is nil when nothing can be made of the input. A value beside errors is what could be
/// understood: good for finding more mistakes, not for running.
public struct Checked<Value> {
    /// Nil when nothing can be made of the input; beside errors, the part that was understood.
    public var value: Value?
    /// What was noticed on the way, of this stage and of those before it.
    public var diagnostics: Diagnostics

    /// A value with what was noticed while it was made.
    public init(_ value: Value?, diagnostics: Diagnostics = Diagnostics()) {
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Feeds the value to the next stage and adds its findings.
    public func then<Next, Failure>(
        _ stage: (Value) throws(Failure) -> Checked<Next>
    ) throws(Failure) -> Checked<Next> {
        guard let value else { return Checked<Next>(nil, diagnostics: diagnostics) }
        var next = try stage(value)
        var all = diagnostics
        all.report(contentsOf: next.diagnostics)
        next.diagnostics = all
        return next
    }

    /// Makes something else of the value, which can notice nothing itself; the findings stay.
    public func map<Next, Failure>(
        _ transform: (Value) throws(Failure) -> Next
    ) throws(Failure) -> Checked<Next> {
        Checked<Next>(try value.map(transform), diagnostics: diagnostics)
    }

    /// The value when there is one and no finding is an error.
    public func get() throws(Rejected) -> Value {
        guard let value, !diagnostics.hasErrors else { throw Rejected(diagnostics: diagnostics) }
        return value
    }
}

extension Checked: Sendable where Value: Sendable {}

/// Thrown where a value is asked for although there are errors.
public struct Rejected: Error, Sendable, CustomStringConvertible {
    /// What was noticed: errors and all else.
    public let diagnostics: Diagnostics

    /// Refuses what the findings are about; `description` prints them in their order, one a line.
    public init(diagnostics: Diagnostics) { self.diagnostics = diagnostics }

    public var description: String {
        diagnostics.sorted.map { "\($0.level.name)[\($0.check.id)]: \($0.message)" }
            .joined(separator: "\n")
    }
}
