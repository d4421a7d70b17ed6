internal import PopCEL
internal import PopReplay
internal import PopScenario
internal import PopScheduler
internal import PopSource
internal import PopStories
internal import PopWire

/// The changes of the rules for users of a test with other assignments: written once, and compared
/// only where they differ.
struct Patching {
    let rules: RuleSet
    fileprivate let vocabulary: TestVocabulary
    private let bundle: JSON
    /// Popups that may still be compared.
    private var left: Int
    /// Plays of which this was too much.
    private(set) var leftOut = 0

    init(of rules: RuleSet, bundle: JSON, atMost most: Int) {
        (self.rules, self.bundle, left) = (rules, bundle, most)
        vocabulary = TestVocabulary(of: rules)
    }

    /// Returns the patch that turns these rules into others: an inner nil if both are the same, and
    /// nil if the comparison is too much work.
    fileprivate mutating func patch(_ draws: ForcedDraws, to drawn: RuleSet) -> JSON?? {
        if draws.isEmpty { return .some(nil) }
        guard rules.popups.count <= left else {
            leftOut += 1
            return nil
        }
        left -= rules.popups.count
        return .some(PopPages.patch(from: bundle, to: drawn.bundleJSON))
    }
}

extension ForcedDraws {
    fileprivate var isEmpty: Bool { rollouts.isEmpty && arms.isEmpty && isHeldOut == nil }
}

// The script of a test, for an engine that plays it step by step.
extension RunnableTest {
    /// Returns the script of a case of its table; nil if its rules are too much work to compare.
    func script(of combination: [Assignment], _ patching: inout Patching) -> JSON? {
        let rules = patching.rules
        let context = combination.reduce(into: context) { context, assignment in
            context.merge(assignment.values) { $1 }
        }
        let draws = combination.reduce(draws) { $0.merging($1.draws) }
        let drawn = rules.drawing(draws)
        guard let patch = patching.patch(draws, to: drawn) else { return nil }
        let now = Moment(instant: .zero, date: start)
        let scheduler = Scheduler(rules: drawn, seed: seed, user: user, history: history, at: now)
        let past = scheduler.history(completedFor: context) ?? history
        return .object([
            "start": WireForm<Timestamp>.date.write(start),
            "seed": .int(Int64(bitPattern: seed)), "user": user.isEmpty ? nil : .string(user),
            "zone": zone.map { .string($0) }, "set": wireValues(context),
            "history": past == History() ? nil : past.wire,
            "patch": patch,
            "arms": draws.arms.isEmpty
                ? nil
                : .object(
                    draws.arms.sorted { $0.key < $1.key }
                        .map { JSON.Member(key: $0.key, value: .string($0.value)) }),
            "faults": atStart.isEmpty ? nil : .array(atStart.map { $0.wire(draws) }),
            "steps": .array(
                steps.map { step in
                    .object([
                        "after": step.after > .zero
                            ? WireForm<Duration>.duration.write(step.after) : nil,
                        "does": .array(step.actions.map { $0.wire(draws) }),
                    ])
                }),
        ])
    }
}

extension RunnableTest {
    /// Returns the script of the first test of a file; nil if it does not fit the rules.
    static func script(ofFile text: String, _ patching: inout Patching) -> JSON? {
        let rules = patching.rules
        let source = SourceFile(path: "story.test.yaml", text: text)
        let linked = TestFile.parse(source).then { file in
            TestLinker.link(
                file, of: source, rules: rules, vocabulary: patching.vocabulary
            ) { _ in nil }
        }
        return linked.value?.tests.first?.script(of: [], &patching)
    }
}

extension RunnableAction {
    /// Returns the action, and its text in a test file.
    fileprivate func wire(_ draws: ForcedDraws) -> JSON {
        switch action {
        case .event(let event):
            .object(["text": .string(text), "event": event.drawing(draws).scriptWire])
        case .restart: .object(["text": .string(text), "restart": true])
        case .switchUser(let user, let context, let history):
            .object([
                "text": .string(text), "user": .string(user), "set": context.map(wireValues),
                "history": history.map { $0.wire },
            ])
        case .fault(let fault, let popup):
            .object(["text": .string(text), "fault": fault.wire, "popup": .string(popup)])
        }
    }
}

extension Event {
    /// With the bundle of a reload as text, whose numbers JavaScript would write otherwise.
    fileprivate var scriptWire: JSON {
        guard case .reload = self, case .object(let members) = wire else { return wire }
        return .object(
            members.map { member in
                member.key == "bundle"
                    ? JSON.Member(key: "bundle", value: .string(member.value.compact)) : member
            })
    }
}

extension Fault {
    fileprivate var wire: JSON {
        switch self {
        case .veto: "veto"
        case .postpone(let duration):
            .object(["postpone": WireForm<Duration>.duration.write(duration)])
        case .fail: "fail"
        case .hang: "hang"
        case .hangDismissal: "hangDismissal"
        }
    }
}

/// Returns the patch that turns one value into another: a list of paths, each with its new value;
/// nil if both are the same.
private func patch(from old: JSON, to new: JSON) -> JSON? {
    var found: [JSON] = []
    compare(old, new, at: [], &found)
    return found.isEmpty ? nil : .array(found)
}

private func compare(_ old: JSON, _ new: JSON, at path: [JSON], _ found: inout [JSON]) {
    if old == new { return }
    switch (old, new) {
    case (.object(let one), .object(let other)) where one.map(\.key) == other.map(\.key):
        for (former, latter) in zip(one, other) {
            compare(former.value, latter.value, at: path + [.string(latter.key)], &found)
        }
    case (.array(let one), .array(let other)) where one.count == other.count:
        for (index, (former, latter)) in zip(one, other).enumerated() {
            compare(former, latter, at: path + [.int(index)], &found)
        }
    case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.array, _),
        (.object, _):
        // As text: in JavaScript 100.0 would become 100.
        found.append(.object(["at": .array(path), "is": .string(new.compact)]))
    }
}
