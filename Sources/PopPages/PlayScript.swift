internal import PopCEL
internal import PopReplay
internal import PopScheduler
internal import PopSource
internal import PopStories
internal import PopWire

// What a test does, for an engine that plays it step by step.
extension RunnableTest {
    /// A case of its table.
    func script(of combination: [Assignment], in rules: RuleSet) -> JSON {
        let context = combination.reduce(into: context) { context, assignment in
            context.merge(assignment.values) { $1 }
        }
        let draws = combination.reduce(draws) { $0.merging($1.draws) }
        let drawn = rules.drawing(draws)
        let now = Moment(instant: .zero, date: start)
        let scheduler = Scheduler(rules: drawn, seed: seed, user: user, history: history, at: now)
        let past = scheduler.history(completedFor: context) ?? history
        return .object([
            "start": WireForm<Timestamp>.date.write(start),
            "seed": .int(Int64(bitPattern: seed)), "user": user.isEmpty ? nil : .string(user),
            "zone": zone.map { .string($0) }, "set": wireValues(context),
            "history": past == History() ? nil : past.wire,
            "patch": patch(from: rules.bundleJSON, to: drawn.bundleJSON),
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
    /// What the first test of a file does; nil where it does not fit the rules.
    static func script(ofFile text: String, in rules: RuleSet) -> JSON? {
        let source = SourceFile(path: "story.test.yaml", text: text)
        let linked = TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }
        return linked.value?.tests.first?.script(of: [], in: rules)
    }
}

extension RunnableAction {
    /// What is done, and how a test file says it.
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

/// What makes one value of another: a list of paths, each with what stands there; nil where both
/// are the same.
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
