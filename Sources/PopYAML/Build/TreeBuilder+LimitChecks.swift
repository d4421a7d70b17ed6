internal import PopSource

extension TreeBuilder {
    /// Reports the first limit that the document exceeds.
    mutating func isOverLimit() -> Bool {
        if records.count > limits.nodes {
            diagnostics.report(.tooManyNodes(limits.nodes, at: lastPlace))
        } else if depth > limits.depth {
            diagnostics.report(.tooDeep(limits.depth, at: lastPlace))
        } else if repeated > limits.repeatedNodes {
            diagnostics.report(.tooManyRepeated(limits.repeatedNodes, at: lastPlace))
        } else {
            return false
        }
        return true
    }

    /// The depth of the innermost open collection, together with the known depth inside it.
    private var depth: Int { stack.count + (stack.last?.height ?? 0) }

    private var lastPlace: SourceRange {
        guard let last = records.last else { return range(0..<0) }
        return range(Int(last.start)..<Int(last.end))
    }
}

extension Diagnostic {
    fileprivate static func tooManyNodes(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "the file contains more than \(limit) keys and values", at: range,
            label: "not read from here on", help: ["split the rules into several files"])
    }

    fileprivate static func tooDeep(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit, message: "lists and maps are nested more than \(limit) levels deep",
            at: range,
            label: "not read from here on", help: ["nest fewer lists and maps"])
    }

    fileprivate static func tooManyRepeated(_ limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .yamlLimit,
            message: "aliases repeat more than \(limit) keys and values, or 32 times as many bytes",
            at: range, label: "not read from here on",
            help: ["use fewer aliases of values that contain aliases themselves"])
    }
}
