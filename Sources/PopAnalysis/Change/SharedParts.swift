internal import PopCEL
internal import PopExplanations
internal import PopScenario
package import PopScheduler

/// The parts of rules that popups share, with a text for each key.
struct SharedParts {
    struct Part {
        /// The name, such as `group promotions`.
        let name: String
        /// The texts of its keys.
        let keys: [(key: String, text: String?)]
        /// True if popups use the part.
        let isUsed: Bool
        /// The caps that its popups share, by the key that sets them.
        var caps: [String: [ComparedSharedCap]] = [:]
    }

    private(set) var parts: [Part] = []
    private var places: [String: Int] = [:]

    subscript(name: String) -> Part? { places[name].map { parts[$0] } }

    /// Collects the parts. `names` returns the names of groups.
    init(_ rules: RuleSet, names: (GroupIndex) -> String, steps: inout PairSteps) {
        let words = RulePhrases(rules)
        let counted = CountedPopups(rules)
        var places: [String: PopupIndex] = [:]
        for popup in counted.all { places[rules.popups[popup].id] = popup }
        func members(
            steps: Int, _ popups: @escaping () -> [PopupIndex],
            isFor: @escaping (PopupRule) -> Bool
        ) -> ComparedSharedCap.Members {
            ComparedSharedCap.Members(
                ids: { popups().map { rules.popups[$0].id } }, steps: steps,
                contains: { id in places[id].map { isFor(rules.popups[$0]) } ?? false })
        }
        let uses = RuleUses(rules)
        for group in rules.groups.places {
            let caps = rules.groups[group].caps.plain(zone: .utc)
            add(
                "group \(names(group))",
                keys: [("cap", nonempty(caps.map { words.text($0, zone: nil) }.sorted()))],
                isUsed: uses.groups.contains(group) && !caps.isEmpty,
                caps: [
                    "cap": caps.map {
                        ComparedSharedCap(
                            $0, words,
                            members: members(steps: counted.popups(of: group).count) {
                                counted.popups(of: group)
                            } isFor: {
                                $0.group == group
                            })
                    }
                ])
        }
        for place in rules.schedulers.places {
            let lane = rules.schedulers[place]
            let caps = [lane.cap].compactMap { $0 }.map { $0.plain(zone: .utc) }
            add(
                "scheduler \(lane.name)",
                keys: [
                    ("strategy", lane.strategy.rawValue), ("tie_break", lane.tieBreak.rawValue),
                    ("gap", RulePhrases.text(lane.gap)),
                    ("max_waiting", lane.maxWaiting.map { "\($0)" }),
                    ("cap", nonempty(caps.map { words.text($0, zone: nil) })),
                ],
                caps: [
                    "cap": caps.map {
                        ComparedSharedCap(
                            $0, words,
                            members: members(steps: counted.popups(of: place).count) {
                                counted.popups(of: place)
                            } isFor: {
                                $0.scheduler == place
                            })
                    }
                ])
        }
        let plainLimits = rules.limits.plain(&steps)
        let limits = plainLimits.map { limit in
            ComparedSharedCap(
                limit.cap, words, of: words.text(limit.popups),
                members: members(steps: counted.steps(of: limit.popups)) {
                    counted.popups(of: limit.popups)
                } isFor: {
                    limit.popups.includes($0.scheduler, tags: $0.texts.tags)
                })
        }
        add(
            "rules",
            keys: [
                (
                    "limits",
                    nonempty(
                        plainLimits.map {
                            "\(words.text($0.cap, zone: nil)) for \(words.text($0.popups))"
                        }.sorted())
                ),
                ("holdout", rules.holdout?.plain(in: rules).map { words.text($0) }),
                (
                    "quiet",
                    (rules.quiet?.plain(in: rules)).map {
                        "\($0.hours.words), zone \($0.zone.text(in: rules)), \(words.text($0.popups))"
                    }
                ),
                ("session", rules.sessionTimeout.map { "timeout \(PopScheduler.timeText($0))" }),
                (
                    "locales",
                    rules.locales.map {
                        "by \(words.name(of: $0.key)), fallback \($0.fallback)"
                    }
                ),
            ], caps: ["limits": limits])
        for key in rules.keys.places {
            addKey(rules.keys[key], isUsed: uses.keys.contains(key))
        }
        for event in rules.events {
            let fields = event.fields.map { "\($0.name) \($0.type)" }.sorted()
            add(
                "event \(event.name)", keys: [("fields", nonempty(fields))],
                isUsed: uses.events.contains(event.name))
        }
        for template in rules.templates {
            let actions = template.actions.map { $0.name + ($0.isRefusal ? " refuses" : "") }
            add(
                "template \(template.name)",
                keys: [
                    ("actions", nonempty(actions.sorted())),
                    ("localized", nonempty(template.localizedFields.sorted())),
                ], isUsed: uses.templates.contains(template.name))
        }
    }

    private mutating func addKey(_ key: ContextKey, isUsed: Bool) {
        add(
            "context \(key.name)",
            keys: [
                ("type", "\(key.type)"), ("default", key.defaultValue?.yaml),
                ("values", key.allowedValues.flatMap { nonempty($0.map(\.yaml).sorted()) }),
                ("min", key.minimum?.yaml), ("max", key.maximum?.yaml),
            ], isUsed: isUsed)
    }

    private mutating func add(
        _ name: String, keys: [(key: String, text: String?)], isUsed: Bool = true,
        caps: [String: [ComparedSharedCap]] = [:]
    ) {
        places[name] = parts.count
        parts.append(Part(name: name, keys: keys, isUsed: isUsed, caps: caps))
    }
}

extension RuleSet {
    /// The texts of the parts that all popups, those of a scheduler, or those of a group share:
    /// caps, quiet hours, and the order.
    package var sharedWords: [(part: String, keys: [(key: String, text: String)])] {
        var steps = PairSteps(.standard)
        let parts = SharedParts(self, names: { groups[$0].name }, steps: &steps).parts
        return parts.prefix(groups.count + schedulers.count + 1).map { part in
            (part.name, part.keys.compactMap { key, text in text.map { (key, $0) } })
        }
    }
}

private func nonempty(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
}

/// A cap that popups share: the number of impressions in a period.
struct ComparedSharedCap {
    private let most: Int
    /// The period, such as `in 1d`.
    private let time: String
    /// The properties that distinguish the cap from other caps of its owner.
    private let kind: String
    private let members: Members

    /// The popups that a cap counts and suppresses. They are determined on demand, because many
    /// caps may count many popups.
    struct Members {
        /// The ids of all popups, and the number of steps to find them.
        let ids: () -> [String]
        let steps: Int
        /// Returns true if the popup with an id is one of them.
        let contains: (String) -> Bool
    }

    /// Creates a cap. `selection` distinguishes it from caps of other popups with the same period.
    init(
        _ cap: WindowCap, _ words: RulePhrases, of selection: String = "", members: Members
    ) {
        most = cap.max
        var any = cap
        any.max = 0
        time = String(words.text(any, zone: nil).dropFirst("0× ".count))
        kind = "\(time) of \(selection)"
        self.members = members
    }

    /// Returns the effects of replacing some caps by others on the popups that they count.
    static func details(
        from old: [ComparedSharedCap], to new: [ComparedSharedCap], _ steps: inout PairSteps
    ) -> [String] {
        let (former, latter) = (CapTable(old), CapTable(new))
        var details: [String] = []
        for cap in new {
            let known = former.caps[cap.kind]
            if known?.most == cap.most { continue }
            guard let popups = cap.popups(&steps) else { break }
            if popups.isEmpty { continue }
            let text = cap.text(popups)
            if let known {
                details.append(
                    "\(text) is now suppressed; before, the \(ordinal(known.most + 1)) was")
            } else if !former.holds(popups, under: cap, &steps), !steps.isUsedUp {
                details.append("\(text) is now suppressed")
            }
        }
        for cap in old where latter.caps[cap.kind] == nil {
            guard let popups = cap.popups(&steps) else { break }
            if popups.isEmpty || latter.holds(popups, under: cap, &steps) { continue }
            if !steps.isUsedUp {
                details.append("\(cap.text(popups)) is no longer suppressed by this cap")
            }
        }
        if steps.isUsedUp {
            details.append("the other caps were not compared, because there are too many")
        }
        return details
    }

    /// Returns the ids of the counted popups; nil if finding them takes too many steps.
    private func popups(_ steps: inout PairSteps) -> [String]? {
        steps.take(1 + members.steps) ? members.ids() : nil
    }

    private func text(_ popups: [String]) -> String {
        "the \(ordinal(most + 1)) impression of \(Comparison.some(of: popups)) \(time)"
    }

    /// The caps of one owner.
    private struct CapTable {
        /// The first cap of each kind.
        let caps: [String: ComparedSharedCap]
        private let ofTime: [String: [ComparedSharedCap]]

        init(_ all: [ComparedSharedCap]) {
            caps = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
            ofTime = Dictionary(grouping: all) { $0.time }
        }

        /// Returns true if one of the caps suppresses everything that another cap, which counts
        /// these popups, suppresses.
        func holds(_ popups: [String], under cap: ComparedSharedCap, _ steps: inout PairSteps)
            -> Bool
        {
            (ofTime[cap.time] ?? []).contains { own in
                own.most <= cap.most
                    && popups.allSatisfy { steps.take() && own.members.contains($0) }
            }
        }
    }
}
