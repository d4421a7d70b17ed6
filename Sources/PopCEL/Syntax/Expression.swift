public import PopSource

/// A parsed expression: a flat syntax tree whose every node knows its place in the file.
public struct Expression: Sendable {
    /// The tree as it was parsed or built.
    let read: SyntaxTree
    /// The place of the text, if it differs from the place where the text was parsed.
    let place: Place?

    /// The place of a text. A class, since every expression and every program has room for one.
    package final class Place: Sendable {
        fileprivate let map: TextMap

        fileprivate init(_ map: TextMap) { self.map = map }
    }

    package init(tree: SyntaxTree, at place: Place? = nil) {
        read = tree
        self.place = place
    }

    /// The tree with the places of this expression; for a moved expression, created on each call.
    package var tree: SyntaxTree {
        guard let place, case .text(_, let bytes) = read.origins.first else { return read }
        return SyntaxTree(read, at: .text(place.map, bytes: bytes))
    }

    /// The place of the whole expression.
    public var range: SourceRange { tree.range(read.root) }

    /// Returns true if a name occurs in it: a variable, a part of a dotted name, or a function.
    public func mentions(_ name: String) -> Bool {
        let length = name.utf8.count
        return read.nodes.indices.contains {
            let node = read.nodes[$0]
            // Most names in the text differ in their length.
            guard node.kind.hasName, node.placeOfName.map({ $0.count == length }) ?? true else {
                return false
            }
            return read.hasName($0, name: name)
        }
    }

    /// Returns true if a function is called by that name.
    package func calls(_ name: String) -> Bool {
        mentions(name)
            && read.nodes.indices.contains {
                read.nodes[$0].kind == .call && read.hasName($0, name: name)
            }
    }

    /// The constants that it contains, in the order of the text.
    public var literals: [Value] { read.nodes.indices.compactMap(read.literal) }

    /// Parses an expression; `map` leads from the bytes of the text to the file.
    ///
    /// Without `macros`, `has`, `all`, `exists` and the like are ordinary calls. Linear in the
    /// text. With `advice`, a text with syntax errors is examined for its intended meaning.
    public static func parse(
        _ text: String, map: TextMap, limits: CELLimits = .standard, macros: Bool = true,
        advice: Advice? = nil
    ) -> Checked<Expression> {
        do throws(SyntaxError) {
            let tree = try Parser.parse(
                Array(text.utf8), map: map, limits: limits, expandsMacros: macros)
            return Checked(Expression(tree: tree))
        } catch {
            let bytes = Array(text.utf8)
            return Checked(
                nil,
                diagnostics: UnreadSource(
                    error: error, bytes: bytes, map: map, limits: limits, environment: nil,
                    expected: nil
                ).findings(advice))
        }
    }

    /// Returns the expression of the same text at another place.
    ///
    /// Precondition: the expression was parsed, and the map leads from its text.
    package func moved(to map: TextMap) -> Expression { Expression(tree: read, at: Place(map)) }

    /// An identity that is equal for all expressions that were moved from one, as long as one of
    /// them exists.
    package var origin: ObjectIdentifier { ObjectIdentifier(read) }

    /// Parses an expression that isn't in a file.
    public static func parse(
        _ text: String, limits: CELLimits = .standard, advice: Advice? = nil
    ) -> Checked<Expression> {
        let file = FileID(index: 0)
        return parse(
            text, map: TextMap(file: file, offset: 0, length: text.utf8.count), limits: limits,
            advice: advice)
    }
}

extension UnreadSource {
    /// Returns the mistakes in the text. A text that is too large isn't examined further.
    func findings(_ advice: Advice?) -> Diagnostics {
        guard let advice, error.check != .conditionCost else {
            return Diagnostics([Diagnostic(error, map: map)])
        }
        return advice.unread(self)
    }
}

extension Diagnostic {
    package init(_ error: SyntaxError, map: TextMap) {
        self.init(
            error.check, message: error.message, at: map.range(error.range), label: error.label,
            help: error.help)
    }
}
