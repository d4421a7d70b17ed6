internal import PopCEL
internal import PopReplay
internal import PopReports
internal import PopScheduler
internal import PopSource
internal import PopStories

/// The tests of a workspace as they were played, with what they have seen of the rules.
struct PageStories {
    let json: JSON
    /// The personas of the test files, each once.
    let people: [PagePersona]
    let coverage: Coverage
    /// The parts that are left out because they would be too large.
    let leftOut: LeftOut

    /// Creates the tests. Those about these rules, whose bundle is given, can be played step by
    /// step, too.
    init(
        of workspace: Workspace, rules: RuleSet, bundle: JSON, limits: PageLimits,
        within budget: WorkBudget
    ) {
        var patching = Patching(of: rules, bundle: bundle, atMost: limits.comparedPopups)
        var known: Set<PagePersona> = []
        var (plays, bytes, undrawn, unnamed) = (0, 0, 0, 0)
        var coverage: Coverage? = Coverage()
        var places = SourcePlaces(workspace.sources)
        var list: [JSON] = []
        var people: [PagePersona] = []
        for file in workspace.tests {
            guard let tests = workspace.link(file).value else { continue }
            let isOwn = file.rules == 0
            for (name, context) in tests.personas.sorted(by: { $0.key < $1.key }) where isOwn {
                let persona = PagePersona(name: name, context: context)
                guard known.insert(persona).inserted else { continue }
                if people.count < limits.people { people.append(persona) } else { unnamed += 1 }
            }
            for test in tests.tests {
                let result = TestRunner.run(
                    test, of: tests, isDrawn: true, coverage: &coverage, within: budget)
                let line = places.place(of: test.name.range).line
                var drawn: [JSON] = []
                for (play, combination) in zip(result.plays, test.combinations) {
                    guard plays < limits.plays, bytes < limits.playBytes else {
                        undrawn += 1
                        continue
                    }
                    let script = isOwn ? test.script(of: combination, &patching) : nil
                    let json = PagePlay(play, of: test, in: tests.rules, script: script).json
                    plays += 1
                    bytes += json.compact.utf8.count
                    drawn.append(json)
                }
                list.append(
                    .object([
                        "file": .string(file.source.path), "line": .int(line),
                        "name": .string(test.name.value), "passed": .bool(result.passed),
                        "steps": .int(result.steps),
                        "about": .array(test.subjects.map { .string($0) }),
                        "failures": .array(result.failures.map { $0.pageJSON }),
                        "plays": .array(drawn),
                    ]))
            }
        }
        json = .array(list)
        var leftOut = LeftOut()
        leftOut.add(
            undrawn, "test run that is not drawn", "test runs that are not drawn")
        leftOut.add(
            patching.leftOut, "test run that cannot be played step by step",
            "test runs that cannot be played step by step")
        leftOut.add(unnamed, "persona", "personas")
        self.leftOut = leftOut
        self.people = people
        self.coverage = coverage ?? Coverage()
    }
}

/// A user in tests, with the context that the app has set.
struct PagePersona: Hashable {
    var name: String
    var context: [String: Value]

    var json: JSON { .object(["name": .string(name), "set": wireValues(context)]) }
}

extension Diagnostic {
    fileprivate var pageJSON: JSON {
        .object([
            "message": .string(message), "label": .string(label),
            "notes": .array(notes.map { .string($0) }),
        ])
    }
}

/// One play of a test: its events, and the inputs with which an engine reproduces it.
private struct PagePlay {
    let json: JSON

    init(
        _ play: TestResult.Play, of test: RunnableTest, in rules: RuleSet, script: JSON?
    ) {
        let story = Story(of: play, test: test, lanes: rules.schedulers.map { $0.name })
        json = .object([
            "title": play.title.map { .string($0) }, "start": .string(story.startText),
            "end": .double(story.end.inSeconds), "verdict": .string(story.verdict),
            "failed": .int(story.failed), "lanes": .array(story.lanes.map { .string($0) }),
            "leftOut": story.leftOut > 0 ? .int(story.leftOut) : nil,
            "happenings": .array(story.happenings.map { $0.json }),
            "drawing": story.happenings.isEmpty ? nil : TimelinePicture.part(of: story).json,
            "script": script,
        ])
    }
}

extension XMLElement {
    /// Its name, its attributes and its content, from which a page creates the element.
    fileprivate var json: JSON {
        let members = attributes.map { JSON.Member(key: $0.key, value: .string($0.value)) }
        let inside = text.map { [.string(escapedForTerminal($0))] } ?? children.map { $0.json }
        return .array([.string(name), .object(members)] + inside)
    }
}

extension Story.TimelineEvent {
    fileprivate var json: JSON {
        .object([
            "time": .double(time.inSeconds), "lane": lane.map { .int($0) },
            "kind": .string(content.kind), "mark": mark == " " ? nil : .string(mark),
            "popups": content.popups.isEmpty
                ? nil : .array(content.popups.map { .string($0) }),
            "words": .array(words.map { .string($0) }),
        ])
    }
}

extension Story.Content {
    /// The kind of drawing for it.
    fileprivate var kind: String {
        switch self {
        case .input: "input"
        case .shows: "shows"
        case .goes: "goes"
        case .givesWay: "givesWay"
        case .waits: "waits"
        case .later: "later"
        case .stays: "stays"
        case .misses: "misses"
        case .absent: "absent"
        case .putOff: "putOff"
        case .joins: "joins"
        case .trouble: "trouble"
        case .held: "held"
        case .failed: "failed"
        case .remark: "remark"
        }
    }

    /// The popups that it is about.
    fileprivate var popups: [String] {
        switch self {
        case .shows(let popup, _), .goes(let popup, _, _, _), .givesWay(let popup, _),
            .stays(let popup, _), .misses(let popup, _, _), .absent(let popup, _),
            .putOff(let popup, _), .joins(let popup, _):
            [popup]
        case .waits(let popups, _, _): popups
        case .input, .later, .trouble, .held, .failed, .remark: []
        }
    }
}

extension Duration {
    /// For drawings, which don't depend on the last digits.
    var inSeconds: Double { self / .seconds(1) }
}
