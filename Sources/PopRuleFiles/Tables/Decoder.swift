internal import PopCEL
package import PopSource
package import PopYAML

/// Reads YAML nodes into located values and collects the findings about them.
package struct Decoder {
    package let source: SourceFile
    package let limits: RuleFileLimits
    package private(set) var diagnostics = Diagnostics()
    /// The place that is being read.
    private var place = Place()
    /// The number of further names that are compared with the existing ones.
    private var suggestionsLeft: Int
    /// Nil for small sets and for single conditions.
    let known: KnownExpressions?
    /// True if a condition that was read names the history of popups.
    private(set) var mentionsHistory = false
    /// True if the text of a condition appears elsewhere too.
    private(set) var conditionsRepeat = false
    /// The precedence that the popup being read claims over others.
    var claim: PrecedenceClaim?
    /// The default values of the file for all its popups.
    var defaults: DefaultsModel?
    /// The schedule that is being read: the meaning of its times depends on its zone.
    var schedule: YAMLNode?
    /// The number of lists and maps between that key and the node.
    private(set) var depth = 0

    private struct Place {
        /// The key whose value is being read, and its name when that is not the key's text.
        var key: YAMLNode?
        var keyName: String?
        /// An example of the value of that key.
        var example: String?
        /// True if the node is an item of that key's list.
        var isItem = false
    }

    /// For each key of a schedule that a condition used: true if a variable has a similar name.
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

    /// Notes the names that a condition uses.
    mutating func note(_ expression: Expression) {
        if expression.mentions("popups") { mentionsHistory = true }
    }

    /// The same for a string that isn't an expression.
    mutating func note(unread text: String) {
        if text.contains("popups") { mentionsHistory = true }
    }

    /// The expression of a string that appears elsewhere too, moved to another place.
    mutating func again(_ known: Expression, at place: TextMap) -> Expression {
        conditionsRepeat = true
        return known.moved(to: place)
    }

    mutating func note(key: String) {
        if key.hasPrefix("popups.") { mentionsHistory = true }
    }

    /// Returns true if one more name may be compared with the existing ones.
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

    /// Continues with other findings, and exchanges them for its own.
    mutating func startOver(with findings: inout Diagnostics) {
        suggestionsLeft = limits.suggestions
        swap(&findings, &diagnostics)
    }

    /// Changes the findings about the entry that is being read.
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

    /// True if the current value is an item of a list.
    var isInItem: Bool { place.isItem }

    /// The place of that key.
    package var rangeOfKey: SourceRange? { place.key?.range }

    /// An example of the value of that key.
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

    /// Reads the value of a key of which only the name is known.
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

    /// Reads the parts of the current value; reports values that are nested too deeply and returns
    /// nil.
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

    /// Sets the subject of every finding that `body` makes and that has none yet.
    package mutating func about<Result>(
        _ subject: @autoclosure () -> String, body: (inout Decoder) -> Result
    ) -> Result {
        // Swapped and not copied: earlier findings are never held twice, and so never moved.
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
            label: "one level too many", help: ["use fewer nested lists and maps"])
    }
}
