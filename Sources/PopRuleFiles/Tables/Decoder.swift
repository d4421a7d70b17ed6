internal import PopCEL
package import PopSource
package import PopYAML

/// Reads YAML nodes into located values and collects what is wrong with them.
package struct Decoder {
    package let source: SourceFile
    package let limits: RuleFileLimits
    package private(set) var diagnostics = Diagnostics()
    /// What is being read.
    private var place = Place()
    /// How many more names are compared with those that exist.
    private var suggestionsLeft: Int
    /// What reads a small set, or single conditions only, has none.
    let known: KnownExpressions?
    /// Whether a condition that was read names what the engine knows about popups.
    private(set) var mentionsHistory = false
    /// Whether the text of a condition stood elsewhere too.
    private(set) var conditionsRepeat = false
    /// What the popup that is being read claims of others.
    var claim: PrecedenceClaim?
    /// What the file says for all its popups.
    var defaults: DefaultsModel?
    /// The schedule that is being read: what its times mean hangs on its zone.
    var schedule: YAMLNode?
    /// How many lists and maps lie between that key and the node.
    private(set) var depth = 0

    private struct Place {
        /// The key whose value is being read, and its name when that is not the key's text.
        var key: YAMLNode?
        var keyName: String?
        /// What the value of that key looks like.
        var example: String?
        /// Whether the node is an item of that key's list.
        var isItem = false
    }

    /// Whether a variable has a similar name, by the key of a schedule that a condition used.
    var scheduleKeysLikeVariables: [String: Bool] = [:]

    package init(_ source: SourceFile, limits: RuleFileLimits = .standard) {
        self.init(source, limits: limits, known: nil)
    }

    init(_ source: SourceFile, limits: RuleFileLimits, known: KnownExpressions?) {
        self.source = source
        self.limits = limits
        self.known = known
        suggestionsLeft = limits.suggestions
    }

    /// The names that someone who wrote `name` may have meant; none once many have been looked for.
    mutating func suggestions(for name: String, among candidates: some Sequence<String>) -> [String]
    {
        takeSuggestion() ? similarNames(to: name, among: candidates) : []
    }

    /// Notes what a condition names.
    mutating func note(_ expression: Expression) {
        if expression.mentions("popups") { mentionsHistory = true }
    }

    /// The same of a text that is no expression.
    mutating func note(unread text: String) {
        if text.contains("popups") { mentionsHistory = true }
    }

    /// The expression of a text that stood elsewhere too, at another place.
    mutating func again(_ known: Expression, at place: TextMap) -> Expression {
        conditionsRepeat = true
        return known.moved(to: place)
    }

    mutating func note(key: String) {
        if key.hasPrefix("popups.") { mentionsHistory = true }
    }

    /// Whether one more name may be compared with those that exist.
    mutating func takeSuggestion() -> Bool {
        suggestionsLeft -= 1
        return suggestionsLeft >= 0
    }

    /// The names that one may be compared with; none once many have been looked for.
    package mutating func offered(_ names: some Sequence<String>) -> [String] {
        takeSuggestion() ? Array(names) : []
    }

    /// The same without findings.
    package var withoutFindings: Decoder {
        var decoder = Decoder(source, limits: limits, known: known)
        decoder.suggestionsLeft = suggestionsLeft
        return decoder
    }

    /// As many names may be looked for as another one has left.
    package mutating func goOn(after other: Decoder) { suggestionsLeft = other.suggestionsLeft }

    /// Goes on with other findings, and hands over its own.
    mutating func startOver(with findings: inout Diagnostics) {
        suggestionsLeft = limits.suggestions
        swap(&findings, &diagnostics)
    }

    /// Changes what was found of the entry that is being read.
    mutating func reviseFindings(_ change: (inout Diagnostic) -> Void) {
        diagnostics = Diagnostics(
            diagnostics.list.map { finding in
                var finding = finding
                change(&finding)
                return finding
            })
    }

    package mutating func report(_ diagnostic: Diagnostic) { diagnostics.report(diagnostic) }

    package mutating func report(contentsOf other: Diagnostics) {
        diagnostics.report(contentsOf: other)
    }

    /// The key whose value is being read, as the subject of a sentence.
    package var subjectOfValue: String {
        guard let name = place.keyName ?? place.key?.scalar?.text else { return "the file" }
        return place.isItem ? "an item of `\(name)`" : "`\(name)`"
    }

    /// The key whose value is being read, unless it is an item of a list there.
    var namedKey: Located<String>? {
        guard !place.isItem, place.keyName == nil, let key = place.key else { return nil }
        return key.scalar.map { Located($0.text, at: key.range) }
    }

    /// Where something is missing: at the key whose value the node is, or at the item.
    func rangeToBlame(for node: YAMLNode) -> SourceRange {
        place.isItem ? node.rangeToPointAt(in: source) : rangeOfKey ?? node.range
    }

    /// Whether what is read is an item of a list.
    var isInItem: Bool { place.isItem }

    /// Where that key stands.
    package var rangeOfKey: SourceRange? { place.key?.range }

    /// What the value of that key looks like.
    var example: String? {
        get { place.example }
        set { place.example = newValue }
    }

    /// Reads the value of a key.
    package mutating func inside<Result>(
        key: consuming YAMLNode, _ body: (inout Decoder) -> Result
    ) -> Result {
        at(Place(key: key), body: body)
    }

    /// Reads the values of the keys of a map, one after the other.
    ///
    /// They share one place, which moves from key to key: places of their own count three
    /// references each.
    mutating func insideKeys(of entries: YAMLEntries, _ body: (Int, inout Decoder) -> Void) {
        if entries.isEmpty { return }
        inside(key: entries.key(at: 0)) { decoder in
            for position in 0..<entries.count {
                decoder.place.key?.move(toKeyAt: position, in: entries)
                body(position, &decoder)
            }
        }
    }

    /// Reads the value of a key that is known by its name alone.
    package mutating func inside<Result>(
        keyNamed name: String, _ body: (inout Decoder) -> Result
    ) -> Result {
        at(Place(key: place.key, keyName: name), body: body)
    }

    /// Reads an item of the list that is the current key's value.
    package mutating func insideItem<Result>(_ body: (inout Decoder) -> Result) -> Result {
        at(Place(key: place.key, keyName: place.keyName, isItem: true), body: body)
    }

    private mutating func at<Result>(
        _ inner: consuming Place, body: (inout Decoder) -> Result
    ) -> Result {
        // Swapped and not copied, which would retain all that is in it.
        swap(&inner, &place)
        let result = body(&self)
        swap(&inner, &place)
        return result
    }

    /// Reads what is nested in the current value; answers nil, with a report, when that is nested
    /// too deeply.
    package mutating func nested<Result>(
        _ node: YAMLNode, atMost limit: Int, body: (inout Decoder) -> Result?
    ) -> Result? {
        guard depth < limit else {
            report(.nestedTooDeeply(subjectOfValue, limit: limit, at: node.range))
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        return body(&self)
    }

    /// Names, in every finding that `body` makes and that has none yet, what the finding is about.
    package mutating func about<Result>(
        _ subject: @autoclosure () -> String, body: (inout Decoder) -> Result
    ) -> Result {
        // Swapped and not copied: what was found before is never held twice, and so never moved.
        var found = Diagnostics()
        swap(&found, &diagnostics)
        let result = body(&self)
        swap(&found, &diagnostics)
        if !found.isEmpty {
            found.setSubject(subject())
            diagnostics.report(contentsOf: found)
        }
        return result
    }

    /// Reads without reporting anything.
    package mutating func silently<Result>(_ body: (inout Decoder) -> Result) -> Result {
        var found = Diagnostics()
        swap(&found, &diagnostics)
        defer { swap(&found, &diagnostics) }
        return body(&self)
    }
}

extension Diagnostics {
    func about(_ subject: String) -> Diagnostics {
        var copy = self
        copy.setSubject(subject)
        return copy
    }
}

extension Diagnostic {
    fileprivate static func nestedTooDeeply(
        _ subject: String, limit: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaLimit, message: "\(subject) is nested more than \(limit) levels deep", at: range,
            label: "one level too many", help: ["nest fewer lists and maps in each other"])
    }
}
