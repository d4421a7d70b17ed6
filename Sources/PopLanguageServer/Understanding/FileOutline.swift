internal import PopBacktest
internal import PopCEL
internal import PopRuleFiles
package import PopSource
internal import PopStories
internal import PopYAML

/// The outline of a file: its keys, declared or mentioned names, and expressions.
///
/// It is found by walking through the tree and the tables of the format in parallel, so that no key
/// is hard-coded here.
package struct FileOutline: Sendable {
    /// A mark of a place.
    struct Mark: Sendable {
        enum Kind: Sendable {
            /// A key of a map with fixed keys.
            case key(TableSchema.Key)
            case topLevel(TopLevelKey)
            /// A name that the file declares, and the place of all that belongs to it.
            case declares(kind: String, name: String, of: OutlineOwner? = nil, whole: Range<Int>)
            /// A name of something that is declared somewhere.
            case names(kind: String, name: String, of: OutlineOwner? = nil)
            case expression(ExpressionText)
            /// A placeholder in a string of a popup's content.
            case placeholder(String, popup: String?)
            /// One of the words that a key takes.
            case word(String)
        }

        var kind: Kind
        /// The range; for a name or a word, the part between quotes.
        var range: Range<Int>
    }

    /// In the order of the file.
    private(set) var marks: [Mark] = []
    /// The tree, for features that only need its shape; nil if the file has no tree.
    let root: YAMLNode?
    let kind: FileKind

    package init(_ source: SourceFile, kind: FileKind) {
        self.kind = kind
        root = YAMLDocument.parse(source).value?.root
        guard let root else { return }
        var walk = OutlineWalk(kind: kind)
        walk.top(root)
        marks = walk.marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns the innermost marks at a byte.
    func marks(at offset: Int) -> [Mark] {
        marks.filter { $0.range.contains(offset) || $0.range.upperBound == offset }
    }
}

/// The owner of a name that several owners may have.
enum OutlineOwner: Sendable, Hashable {
    /// The event whose field it is.
    case event(String)
    /// The popup whose variant it is, in its own experiment or in one that several share.
    case popup(String)
    /// The experiment of several popups whose variant it is.
    case experiment(String)
}

/// The kind of a name that is a context key or a named condition.
let nameInCondition = "name in a condition"

/// The kind of a file of the rules, by its name.
package enum FileKind: Sendable, Hashable {
    case rules, tests, mapping, configuration

    package init(path: String, bytes: [UInt8]) {
        if TestFile.isTestFile(path) {
            self = .tests
        } else if RuleFiles.isMappingFile(path) {
            self = .mapping
        } else if path == Configuration.fileName || path.hasSuffix("/\(Configuration.fileName)") {
            self = .configuration
        } else {
            self = .rules
        }
    }

    /// The keys that the top of such a file takes.
    var topLevel: [TopLevelKey] {
        switch self {
        case .rules: TopLevelKey.ofRules
        case .tests: TestFile.topLevel
        case .mapping: MappingFile.topLevel
        case .configuration: Configuration.topLevel
        }
    }
}

extension TopLevelKey {
    fileprivate static let ofRules =
        [
            TopLevelKey(
                "poprules", summary: "the version of the format, 1", schema: .integer(1...1))
        ] + all
}

/// A place where a file declares or mentions the name of something.
struct Mention: Sendable, Hashable {
    /// Such as "popup".
    var kind: String
    var name: String
    /// The event of a field, or the experiment of a variant, in words that identify it.
    var owner: String?
    var range: Range<Int>
    /// The range of the whole declaration, if this is one.
    var whole: Range<Int>?

    var isDeclaration: Bool { whole != nil }
}

extension FileOutline {
    /// Every name that the file declares or mentions, in the order of the file.
    func mentions(_ names: ExpressionNames?) -> [Mention] {
        var found: [Mention] = []
        for mark in marks {
            switch mark.kind {
            case .declares(let kind, let name, let owner, let whole):
                found.append(
                    Mention(
                        kind: kind, name: name, owner: owner.flatMap { $0.text(names) },
                        range: mark.range, whole: whole))
            case .names(let kind, let name, let owner?):
                // For the key `event.total` in a condition, only the field.
                let range = mark.range.upperBound - name.utf8.count..<mark.range.upperBound
                found.append(
                    Mention(
                        kind: kind, name: name, owner: owner.text(names),
                        range: kind == "event field" ? range : mark.range))
            case .names(let kind, let name, nil):
                if kind == nameInCondition || kind.hasPrefix("context key") {
                    let words = name.split(separator: ".").map(String.init)
                    guard let meaning = names?.meaning(of: words) else { continue }
                    found.append(
                        Mention(
                            kind: meaning.kind, name: meaning.name,
                            range: part(meaning.words, of: words, at: mark.range)))
                } else if kind == "popup or event" {
                    guard let kind = names?.kindInHistory(name) else { continue }
                    found.append(Mention(kind: kind, name: name, range: mark.range))
                } else if kind == "popup or template" {
                    guard let kind = names?.kindOfReply(name) else { continue }
                    found.append(Mention(kind: kind, name: name, range: mark.range))
                } else if kind != "action" {
                    found.append(Mention(kind: kind, name: name, range: mark.range))
                }
            case .expression(let expression): found += expression.mentions(names)
            case .placeholder(let name, let popup):
                if name.hasPrefix("event."), let popup,
                    let event = names?.eventsTriggering(popup)?.first
                {
                    let field = String(name.dropFirst("event.".count))
                    let start = mark.range.upperBound - field.utf8.count
                    found.append(
                        Mention(
                            kind: "event field", name: field,
                            owner: OutlineOwner.event(event).text(names),
                            range: start..<mark.range.upperBound))
                } else if let meaning = names?.meaning(
                    of: name.split(separator: ".").map(String.init)),
                    meaning.name == name
                {
                    found.append(
                        Mention(kind: meaning.kind, name: meaning.name, range: mark.range))
                }
            case .key, .topLevel, .word: break
            }
        }
        return found
    }

    /// The bytes of some of the words of a dotted name.
    private func part(_ some: Range<Int>, of words: [String], at range: Range<Int>) -> Range<Int> {
        let before = words[..<some.lowerBound].reduce(0) { $0 + $1.utf8.count + 1 }
        let length = words[some].joined(separator: ".").utf8.count
        let start = range.lowerBound + before
        return start..<min(start + length, range.upperBound)
    }
}

extension ExpressionText {
    fileprivate func mentions(_ names: ExpressionNames?) -> [Mention] {
        guard let names else { return [] }
        var found: [Mention] = []
        for token in tokens where isOfState && token.kind == .text && token.range.count > 2 {
            let inner = token.range.lowerBound + 1..<token.range.upperBound - 1
            if names.kindInHistory(text(inner)) == "popup" {
                found.append(Mention(kind: "popup", name: text(inner), range: range(inner)))
            }
        }
        for chain in chains {
            let words = chain.words.map { text(tokens[$0].range) }
            if isOfState, words.count > 1, let kind = ExpressionNames.kindOfState[words[0]] {
                found.append(
                    Mention(kind: kind, name: words[1], range: range(chain, words: 1..<2)))
                continue
            }
            let own = chain.isCall ? words.dropLast() : words[...]
            if let event, own.count > 1, own.first == "event" {
                found.append(
                    Mention(
                        kind: "event field", name: own[1],
                        owner: OutlineOwner.event(event).text(names),
                        range: range(chain, words: 1..<2)))
            } else if let meaning = names.meaning(of: Array(own)) {
                found.append(
                    Mention(
                        kind: meaning.kind, name: meaning.name,
                        range: range(chain, words: meaning.words)))
            }
            guard chain.isCall, let function = words.last else { continue }
            let arguments = texts(ofCall: chain)
            for argument in arguments {
                if function == "event_sum", argument.position == 1,
                    let event = arguments.first(where: { $0.position == 0 })?.text
                {
                    found.append(
                        Mention(
                            kind: "event field", name: argument.text,
                            owner: OutlineOwner.event(event).text(names), range: argument.range))
                }
                guard
                    let kind = ExpressionNames.kind(
                        ofArgument: argument.position, of: function)
                else { continue }
                found.append(Mention(kind: kind, name: argument.text, range: argument.range))
            }
        }
        return found
    }
}

extension RequestContext {
    /// The name at the place.
    var mention: Mention? {
        mutating get {
            let names = names
            return outline.mentions(names).first {
                $0.range.contains(offset) || $0.range.upperBound == offset
            }
        }
    }

    /// Returns every place of the rule set and of its tests that names the same item.
    mutating func places(of mention: Mention) -> [(file: SourceFile, mention: Mention)] {
        let names = names
        // Personas and tests can only be named in their own file.
        let files = ["persona", "test"].contains(mention.kind) ? [file] : files
        var found: [(file: SourceFile, mention: Mention)] = []
        for file in files {
            for other in outline(of: file).mentions(names)
            where other.kind == mention.kind && other.name == mention.name
                && other.owner == mention.owner
            {
                found.append((file, other))
            }
        }
        return found
    }
}

extension OutlineOwner {
    /// Returns words that distinguish it from others.
    fileprivate func text(_ names: ExpressionNames?) -> String {
        switch self {
        case .event(let name): "`\(name)`"
        case .experiment(let name): "experiment \(name)"
        case .popup(let name): names?.experiment(ofPopup: name) ?? "popup \(name)"
        }
    }
}
