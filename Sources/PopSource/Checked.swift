/// The diagnostics of a stage: the only way to report problems in files that an author wrote.
public struct Diagnostics: Sendable, Hashable {
    /// In the order in which they were reported; `sorted` has the order of printing.
    public private(set) var list: [Diagnostic] = []

    /// Creates a list without diagnostics.
    public init() {}

    /// Takes over diagnostics in the given order, including repeated ones.
    public init(_ list: [Diagnostic]) { self.list = list }

    /// Adds a diagnostic at the end.
    public mutating func report(_ diagnostic: Diagnostic) { list.append(diagnostic) }

    /// Adds the diagnostics of another stage at the end, in their order.
    public mutating func report(contentsOf other: Diagnostics) {
        if !other.isEmpty { list += other.list }
    }

    /// True if there is no diagnostic of any level.
    public var isEmpty: Bool { list.isEmpty }
    /// True if a diagnostic has the level `error`: its input must not be run. Linear in the
    /// diagnostics.
    public var hasErrors: Bool { list.contains { $0.level == .error } }

    /// The diagnostics in the order of printing, each once.
    public var sorted: [Diagnostic] {
        var previous: Diagnostic?
        return list.ordered().filter { diagnostic in
            defer { previous = diagnostic }
            return diagnostic != previous
        }
    }

    /// Sets the subject of every diagnostic that has none.
    public mutating func setSubject(_ subject: String) {
        for index in list.indices where list[index].subject == nil { list[index].subject = subject }
    }
}

/// The result of a stage and its diagnostics.
///
/// The value is nil if nothing can be made of the input. A value together with errors is the part
/// that could be understood: good for finding more mistakes, not for running.
public struct Checked<Value> {
    /// Nil if nothing can be made of the input; together with errors, the part that was understood.
    public var value: Value?
    /// The diagnostics of this stage and of earlier stages.
    public var diagnostics: Diagnostics

    /// Creates a value with its diagnostics.
    public init(_ value: Value?, diagnostics: Diagnostics = Diagnostics()) {
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Passes the value to the next stage and adds its diagnostics.
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

    /// Transforms the value by a function that reports nothing itself; the diagnostics stay.
    public func map<Next, Failure>(
        _ transform: (Value) throws(Failure) -> Next
    ) throws(Failure) -> Checked<Next> {
        Checked<Next>(try value.map(transform), diagnostics: diagnostics)
    }

    /// Returns the value if there is one and no diagnostic is an error.
    public func get() throws(Rejected) -> Value {
        guard let value, !diagnostics.hasErrors else { throw Rejected(diagnostics: diagnostics) }
        return value
    }
}

extension Checked: Sendable where Value: Sendable {}

/// The error that is thrown if a value is requested although there are errors.
public struct Rejected: Error, Sendable, CustomStringConvertible {
    /// All diagnostics, not only errors.
    public let diagnostics: Diagnostics

    /// Creates the error; `description` prints the diagnostics in their order, one per line.
    public init(diagnostics: Diagnostics) { self.diagnostics = diagnostics }

    public var description: String {
        diagnostics.sorted.map { "\($0.level.name)[\($0.check.id)]: \($0.message)" }
            .joined(separator: "\n")
    }
}
