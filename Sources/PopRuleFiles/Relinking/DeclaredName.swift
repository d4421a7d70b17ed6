internal import PopSource

/// A name that files declare and mention, and the kind of thing that it names.
struct DeclaredName: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case scheduler, contextKey, template, event, condition, group, popup, experiment, layer
        /// The languages of the rules, which have no name.
        case locales
        /// The holdout of the rules, which has no name either.
        case holdout
        /// The actions of all templates, which have no common name.
        case actions
    }

    var kind: Kind
    var name: String

    static let locales = DeclaredName(.locales, "")
    static let holdout = DeclaredName(.holdout, "")
    /// Mentioned by who names an action of a popup, whichever its template is.
    static let actions = DeclaredName(.actions, "")

    init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// The files that declare and those that mention a name: a change of it concerns them.
struct FilesByName: Sendable {
    private(set) var declaring: [DeclaredName: [FileID]] = [:]
    private(set) var mentioning: [DeclaredName: [FileID]] = [:]

    mutating func add(_ summary: FileSummary, of file: FileID) {
        for name in summary.declared.keys { declaring[name, default: []].append(file) }
        for name in summary.mentioned { mentioning[name, default: []].append(file) }
    }

    mutating func remove(_ summary: FileSummary, of file: FileID) {
        for name in summary.declared.keys { declaring.remove(file, of: name) }
        for name in summary.mentioned { mentioning.remove(file, of: name) }
    }
}

extension [DeclaredName: [FileID]] {
    fileprivate mutating func remove(_ file: FileID, of name: DeclaredName) {
        self[name]?.removeAll { $0 == file }
        if self[name]?.isEmpty == true { self[name] = nil }
    }
}
