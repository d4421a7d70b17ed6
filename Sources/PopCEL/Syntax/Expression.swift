public import PopSource

/// A parsed expression: a flat syntax tree whose every node knows its place in the file.
public struct Expression: Sendable {
    /// The tree as it was read or built.
    let read: SyntaxTree
    /// Where the text stands, when that is not where it was read.
    let place: Place?

    /// A class, since every expression and every program has room for one.
    package final class Place: Sendable {
        fileprivate let map: TextMap

        fileprivate init(_ map: TextMap) { self.map = map }
    }

    package init(tree: SyntaxTree, at place: Place? = nil) {
        read = tree
        self.place = place
    }

    /// The tree with the places of this expression; of one that was moved, made at every call.
    package var tree: SyntaxTree {
        guard let place, case .text(_, let bytes) = read.origins.first else { return read }
        return SyntaxTree(read, at: .text(place.map, bytes: bytes))
    }

    /// The place of the whole.
    public var range: SourceRange { tree.range(read.root) }

    /// Whether a name stands anywhere in it: a variable, a part of a dotted name, or a function.
    public func mentions(_ name: String) -> Bool {
        let length = name.utf8.count
        return read.nodes.indices.contains {
            let node = read.nodes[$0]
            // Of names in the text, most are told apart by their length.
            guard node.kind.hasName, node.placeOfName.map({ $0.count == length }) ?? true else {
                return false
            }
            return read.hasName($0, name: name)
        }
    }

    /// Whether a function is called by that name.
    package func calls(_ name: String) -> Bool {
        mentions(name)
            && read.nodes.indices.contains {
                read.nodes[$0].kind == .call && read.hasName($0, name: name)
            }
    }

    /// The constants that stand in it, in the order of the text.
    public var literals: [Value] { read.nodes.indices.compactMap(read.literal) }

    /// Reads an expression; `map` leads from the bytes of the text to the file.
    ///
    /// Without `macros`, `has`, `all`, `exists` and the like are ordinary calls. Linear in the
    /// text. With `advice` a text that cannot be read is looked at for what was meant.
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

    /// The expression of the same text at another place.
    ///
    /// Precondition: the expression was parsed, and its text is that which the map leads from.
    package func moved(to map: TextMap) -> Expression { Expression(tree: read, at: Place(map)) }

    /// The same for all that were moved from one expression, as long as one of them lives.
    package var origin: ObjectIdentifier { ObjectIdentifier(read) }

    /// Reads an expression that stands by itself, in no file.
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
    /// What is wrong with the text. What is too large is not looked at further.
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
