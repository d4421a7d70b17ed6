internal import PopCEL
internal import PopExplanations
package import PopScheduler

/// The relations between popups, scheduler by scheduler: which popup waits for which, which
/// preempts which, and which events fire them.
///
/// At most as large as the rules: nothing is drawn for each pair or each path, and everything over
/// the limit is counted.
package struct RuleGraph {
    let rules: RuleSet
    /// The popups of each scheduler in priority order, as many as are drawn.
    let lanes: ParallelArray<LaneIndex, [PopupRule]>
    /// Popups that are not drawn.
    let leftOut: Int
    private let drawn: Set<String>

    package init(_ rules: RuleSet) {
        self.rules = rules
        var left = DrawingLimits.graphLines
        lanes = ParallelArray(
            rules.queueOrders.map { popups in
                let shown = Array(popups.prefix(left))
                left -= shown.count
                return shown
            })
        leftOut = rules.popups.count - lanes.reduce(0) { $0 + $1.count }
        drawn = Set(lanes.joined().map(\.id))
    }

    func isDrawn(_ popup: PopupRule) -> Bool { drawn.contains(popup.id) }

    /// Returns the popups that preempt a popup, the highest priority first and only as many as are
    /// drawn, and their total number.
    func interrupters(of popup: PopupRule) -> (first: [PopupRule], count: Int) {
        let lane = rules.schedulers[popup.scheduler]
        guard lane.strategy == .priority, popup.switch != .await else { return ([], 0) }
        let order = lanes[popup.scheduler].filter(\.isEnabled)
        let count = order.firstIndex { $0.priority <= popup.priority } ?? order.count
        return (Array(order.prefix(min(count, DrawingLimits.interrupters))), count)
    }

    /// The popups that an event or the change of a key fires, by its name.
    var fired: [(name: String, popups: [(popup: PopupRule, which: String?)])] {
        var table: [String: [(popup: PopupRule, which: String?)]] = [:]
        for popup in lanes.joined() {
            for trigger in popup.triggers {
                switch trigger {
                case .occasion: break
                case .changed, .acted:
                    table[trigger.word(in: rules), default: []].append((popup, nil))
                case .event(let event):
                    table[trigger.word(in: rules), default: []].append((popup, event.which))
                }
            }
        }
        return table.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the triggers of the popup in words.
    func occasions(of popup: PopupRule) -> [String] {
        popup.triggers.map { trigger in
            let word = shortName(trigger.word(in: rules))
            switch trigger {
            case .occasion, .changed, .acted: return word
            case .event(let event): return word + (event.which.map { " (\($0))" } ?? "")
            }
        }
    }

    /// Returns the popups and events whose history a popup's conditions read, by name.
    func asked(by popup: PopupRule) -> [String] {
        let conditions = popup.ownConditions + popup.eventConditions.map(\.condition)
        let programs = conditions.map(\.program)
        let used = Set(programs.flatMap { rules.conditions(usedBy: $0) })
            .map { rules.conditions[$0].condition.program }
        var names: Set<String> = []
        for slot in (programs + used).flatMap(\.slots) {
            let meaning = rules.slots[slot]
            if let popup = meaning.popup { names.insert(rules.popups[popup].id) }
            if let event = meaning.event { names.insert("event \(event)") }
        }
        return names.sorted()
    }
}

extension RuleSet {
    /// The popups of each scheduler in priority order.
    fileprivate var queueOrders: [[PopupRule]] {
        var lanes = ParallelArray<LaneIndex, [PopupRule]>(repeating: [], count: schedulers.count)
        for popup in popups { lanes[popup.scheduler].append(popup) }
        return lanes.indices.map { lane in
            guard schedulers[lane].strategy == .priority else { return lanes[lane] }
            return lanes[lane].enumerated().sorted {
                (-$0.element.priority, $0.offset) < (-$1.element.priority, $1.offset)
            }.map(\.element)
        }
    }
}

extension EventTrigger {
    /// The events that count, in words; nil for all.
    fileprivate var which: String? {
        let number: String? =
            switch occurrence {
            case .any, .every(1): nil
            case .nth(let number): "the \(ordinal(number)) time"
            case .every(let number): "every \(ordinal(number)) time"
            }
        let parts = [number, self.where == nil ? nil : "filtered"].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
