internal import PopCEL
internal import PopRuleFiles
package import PopScheduler
package import PopSource
internal import PopYAML

/// Checks a test file against the rules that it is about.
package struct TestLinker {
    let rules: RuleSet
    let file: TestFile
    var decoder: Decoder
    var state: StateSlots
    var names: Names
    /// The schedulers that the steps of the test have suspended so far, with their owners.
    var suspended: [Suspension] = []
    /// True if the steps have sent the app to the background.
    var isAway = false
    /// The users who have signed in so far.
    var users: Set<String> = []
    /// The popups that read each field, by event that the steps have sent.
    var readersByEvent: [String: [String: [String]]] = [:]
    /// The time at which the clock of the test starts.
    var start = Self.defaultStart
    /// The keys in the `for_each` of the test that are columns of expected results.
    var resultColumns: Set<String> = []
    /// Reads the rules at a path that a step names; nil when they cannot be used.
    let otherRules: (String) -> RuleSet?

    /// Returns the tests that can be run, and the findings about the others.
    ///
    /// Unless `vocabulary` is given, it is created from the rules in time linear in the rules.
    package static func link(
        _ file: TestFile, of source: SourceFile, rules: RuleSet,
        vocabulary: TestVocabulary? = nil, otherRules: @escaping (String) -> RuleSet?
    ) -> Checked<RunnableTests> {
        var linker = TestLinker(
            file, in: source, rules: rules, vocabulary: vocabulary ?? TestVocabulary(of: rules),
            otherRules: otherRules)
        let personas = linker.personas()
        let tests = (file.tests?.value ?? []).compactMap { test in
            linker.about("test `\(test.name.value)`") { $0.test(test, personas: personas) }
        }
        let runnable = RunnableTests(
            rules: rules, tests: tests, state: linker.state,
            personas: personas.mapValues { $0.context })
        return Checked(runnable, diagnostics: linker.decoder.diagnostics)
    }

    private init(
        _ file: TestFile, in source: SourceFile, rules: RuleSet, vocabulary: TestVocabulary,
        otherRules: @escaping (String) -> RuleSet?
    ) {
        self.file = file
        self.rules = rules
        self.otherRules = otherRules
        decoder = Decoder(source)
        let others = file.reloads.compactMap(otherRules)
        state = others.isEmpty ? vocabulary.state : StateSlots(rules: rules, others: others)
        names = vocabulary.names
    }

    /// Runs `body` and adds the test that it is about to its findings.
    mutating func about<Result>(
        _ subject: String, body: (inout TestLinker) -> Result
    ) -> Result {
        var inner = decoder.withoutFindings
        swap(&inner, &decoder)
        let result = body(&self)
        swap(&inner, &decoder)
        decoder.goOn(after: inner)
        var found = inner.diagnostics
        found.setSubject(subject)
        decoder.report(contentsOf: found)
        return result
    }

    private mutating func test(
        _ test: TestCase, personas: [String: Persona]
    ) -> RunnableTest? {
        let errorsBefore = decoder.diagnostics.errorCount
        let namesBefore = names
        defer { names = namesBefore }
        suspended = []
        isAway = false
        users = [file.user?.value ?? ""]
        resultColumns = self.resultColumns(of: test.forEach?.value)
        start = test.start?.value ?? file.start?.value ?? Self.defaultStart
        if let name = test.snapshot { checkSnapshot(name) }
        if let only = test.only, only.value { decoder.report(.leftoverOnly(at: only.range)) }
        let persona = test.persona.flatMap { self.persona($0, in: personas) } ?? Persona()
        var context = persona.context
        context.merge(test.context.map { ownContext($0.value) } ?? [:]) { $1 }
        for key in test.missing?.value ?? [] where check(key: key) { context[key.value] = nil }
        checkBeginning(of: test)
        if let place = persona.heldOut { checkHoldout(of: test, context: context, at: place) }
        let runnable = RunnableTest(
            name: test.name, context: context, draws: persona.draws,
            history: history(test.history?.value, before: start),
            seed: UInt64(file.seed?.value ?? 0), start: start,
            hasStart: test.start != nil || file.start != nil,
            zone: test.zone?.value ?? file.zone?.value, user: file.user?.value ?? "",
            atStart: test.atStart.map { self.step($0.value).actions } ?? [],
            steps: (test.steps?.value ?? []).map { step($0.value) },
            always: conditions(test.always, of: "always"),
            never: conditions(test.never, of: "never"),
            isExact: test.exactly?.value ?? false, isOnly: test.only?.value ?? false,
            snapshot: test.snapshot,
            combinations: combinations(test.forEach?.value, personas: personas),
            eligible: eligible(test.eligible?.value))
        checkComparisons(of: test, runnable)
        return decoder.diagnostics.errorCount == errorsBefore ? runnable : nil
    }

    /// The time at which the clock starts if nothing is written about it.
    private static let defaultStart = Timestamp(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z

    private mutating func checkSnapshot(_ name: Located<String>) {
        guard !Self.isSnapshotName(name.value) else { return }
        // The path of the file, as far as it is the one that belongs to a name.
        var path = name.value[...]
        if path.hasPrefix("./") { path = path.dropFirst(2) }
        if path.hasPrefix("snapshots/") { path = path.dropFirst("snapshots/".count) }
        if path.hasSuffix(".log") { path = path.dropLast(".log".count) }
        let meant = String(path)
        decoder.report(
            .badSnapshotName(name, meant: Self.isSnapshotName(meant) ? meant : nil))
    }

    private static func isSnapshotName(_ text: String) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    private mutating func persona(
        _ choice: Located<PersonaChoice>, in personas: [String: Persona]
    ) -> Persona? {
        switch choice.value {
        case .named(let name): persona(Located(name, at: choice.range), in: personas)
        case .written(let node): persona(writtenAt: node)
        }
    }

    private mutating func persona(
        _ name: Located<String>, in personas: [String: Persona]
    ) -> Persona? {
        if let persona = personas[name.value] { return persona }
        decoder.report(
            .unknown(
                "persona", name: name, among: decoder.offered(personas.keys),
                check: .testUnknownPersona,
                label: "not defined under `personas`"))
        return nil
    }
}

// MARK: values

extension TestLinker {
    /// Context keys with values of their types.
    mutating func contextValues(_ node: YAMLNode) -> [String: Value] {
        decoder.contextValues(node, keys: names.keys, check: .testUnknownKey)
    }

    /// Returns the context that a test adds to its persona; for keys that fix the user's
    /// assignment, reports where they belong.
    private mutating func ownContext(_ node: YAMLNode) -> [String: Value] {
        let draws = node.entries.filter { entry in
            guard let name = entry.key.scalar?.text, names.keys[name] == nil else { return false }
            return Persona.drawKeys.contains(name)
        }
        for entry in draws { decoder.report(.drawInContext(entry, in: decoder.source)) }
        return decoder.contextValues(
            node, keys: names.keys, check: .testUnknownKey,
            passingOver: draws.compactMap { $0.key.scalar?.text })
    }

    /// Returns what the user has seen and done before the test.
    mutating func history(_ node: YAMLNode?, before start: Timestamp) -> History {
        guard let node else { return History() }
        return HistoryReading(rules: rules, start: start).read(node, with: &decoder)
    }

    private mutating func combinations(
        _ node: YAMLNode?, personas: [String: Persona]
    ) -> Combinations {
        var combinations = Combinations()
        for entry in node?.entries.map({ $0 }) ?? [] {
            guard let name = name(entry.key) else { continue }
            if resultColumns.contains(name.value) {
                reportResults(name, in: entry)
                continue
            }
            guard let items = column(entry) else { continue }
            let column = items.compactMap { assignment(name, item: $0, personas: personas) }
            checkRepeats(items, name: name)
            guard combinations.add(column) else {
                decoder.report(.tooManyCombinations(Combinations.most, at: entry.key.range))
                return Combinations()
            }
        }
        return combinations
    }

    /// Returns the values of a key to try; reports anything but a list with items.
    private mutating func column(_ entry: YAMLEntry) -> [YAMLNode]? {
        let list = decoder.inside(key: entry.key) { decoder in
            decoder.read(.list(of: .node(.any), minimum: 1), at: entry.value)
        }
        return list?.value.map(\.value)
    }

    private mutating func assignment(
        _ name: Located<String>, item: YAMLNode, personas: [String: Persona]
    ) -> RunnableTest.Assignment? {
        let text = "\(name.value): \(decoder.source.text(in: item.range))"
        if name.value == "persona" {
            guard let value = self.name(item), let persona = persona(value, in: personas) else {
                return nil
            }
            return RunnableTest.Assignment(
                name: name.value, values: persona.context, draws: persona.draws, text: text)
        }
        guard check(key: name), let key = names.keys[name.value] else { return nil }
        let value = decoder.inside(keyNamed: name.value) { decoder in
            decoder.insideItem { $0.value(item, as: key.type) }
        }
        return value.map {
            RunnableTest.Assignment(name: name.value, values: [name.value: $0], text: text)
        }
    }
}

// MARK: conditions

extension TestLinker {
    private mutating func conditions(
        _ list: Located<[Located<YAMLNode>]>?, of key: String
    ) -> [StateCondition] {
        (list?.value ?? []).compactMap {
            condition($0.value, of: key, isItem: true, such: "size(waiting.main) <= 3")
        }
    }

    /// Returns the condition in a node, which is the value of a key or an item of its list.
    private mutating func condition(
        _ node: YAMLNode, of key: String, isItem: Bool = false, such example: String
    ) -> StateCondition? {
        let compiled: Checked<Program>
        switch node.scalar?.value {
        case .bool(let value)?:
            compiled = state.compile(.literal(.bool(value), at: node.range))
        case .string?:
            guard let scalar = node.scalar else { return nil }
            compiled = state.compile(scalar.text, at: scalar.textMap)
        case nil, .null, .int, .unsigned, .hugeInteger, .float:
            return decoder.inside(keyNamed: key) { decoder in
                isItem
                    ? decoder.insideItem { $0.mismatch(.stateCondition(such: example), at: node) }
                    : decoder.mismatch(.stateCondition(such: example), at: node)
            }
        }
        decoder.report(contentsOf: compiled.diagnostics)
        guard let program = compiled.value, !compiled.diagnostics.hasErrors else { return nil }
        return StateCondition(program: program, range: node.range)
    }

    private mutating func eligible(_ node: YAMLNode?) -> [RunnableTest.EligibilityRule] {
        var found: [RunnableTest.EligibilityRule] = []
        for entry in node?.entries.map({ $0 }) ?? [] {
            guard let id = name(entry.key), check(popup: id),
                let index = rules.popups.firstPlace(where: { $0.id == id.value }),
                let condition = condition(
                    entry.value, of: id.value, such: "user.plan == \"free\"")
            else { continue }
            found.append(RunnableTest.EligibilityRule(popup: index, condition: condition))
        }
        return found
    }
}

extension Schema {
    /// Returns the schema of a condition over the state of the scheduler; it can only be written as
    /// an expression.
    static func stateCondition(such example: String) -> Schema {
        .either([.pattern(phrase: "an expression such as `\(example)`", expression: ".*"), .bool])
    }
}

extension TestFile {
    /// The paths of all rules that steps name.
    fileprivate var reloads: Set<String> {
        let steps = (tests?.value ?? []).flatMap { $0.steps?.value ?? [] }
        let paths = steps.flatMap(\.value.actions).compactMap { action -> String? in
            if case .reload(let path) = action.value { path.value } else { nil }
        }
        return Set(paths)
    }
}

extension Diagnostics {
    fileprivate var errorCount: Int { list.count { $0.level == .error } }
}

extension Diagnostic {
    /// Returns the finding about a name that doesn't exist; its help lists the names if they are
    /// few, unless `listsNames` is false.
    static func unknown(
        _ kind: String, name: Located<String>, among names: some Sequence<String>, check: Check,
        label: String = "not in the rules of this test", listsNames: Bool = true
    ) -> Self {
        let similar = similarNames(to: name.value, among: names)
        return Diagnostic(
            check, message: "unknown \(kind) `\(name.value)`", at: name.range,
            label: label,
            help: similar.isEmpty
                ? listsNames ? helpOnFew(kind, Array(names.prefix(6)).sorted()) : []
                : ["did you mean \(alternatives(similar))?"],
            fixes: similar.count == 1 ? [.rename(name.range, to: similar[0])] : [])
    }

    fileprivate static func leftoverOnly(at range: SourceRange) -> Self {
        Diagnostic(
            .testLeftoverOnly, message: "all other tests are skipped because of `only`", at: range,
            label: "left over from work on this test",
            help: [
                "remove this line when the test is finished"
            ])
    }

    fileprivate static func badSnapshotName(_ name: Located<String>, meant: String?) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "`\(name.value)` is not a valid snapshot name",
            at: name.range,
            label: "the name of a snapshot is also the name of a file",
            help: [
                meant.map { "write `\($0)`, for the file `snapshots/\($0).log` next to this file" }
                    ?? "use only letters, digits, `-` and `_`"
            ],
            fixes: meant.map { [Fix.rename(name.range, to: $0)] } ?? [])
    }

    fileprivate static func tooManyCombinations(_ most: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "the table has more than \(most) combinations", at: range,
            label: "too many with the values of this key")
    }
}
