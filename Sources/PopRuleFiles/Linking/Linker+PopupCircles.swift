internal import PopScheduler
internal import PopSource

extension Linker {
    /// Popups that wait for each other never show, and those that only each other trigger do not
    /// by themselves.
    mutating func checkOrder() {
        let needs = Needs(of: model.popups)
        if needs.areNone { return }
        let ordered = cycles(among: needs.after.count) { needs.after[$0].map(\.popup) }
        for circle in ordered { report(circle, by: needs.after) }
        // The popups of these circles are reported.
        let stuck = needs.stuck(besides: Set(ordered.joined()))
        if stuck.isEmpty { return }
        let links = needs.after.indices.map { popup in
            stuck.contains(popup)
                ? (needs.after[popup] + needs.triggers[popup]).filter { stuck.contains($0.popup) }
                : []
        }
        // A popup that triggers only itself gets advice, and does not concern the order.
        for circle in cycles(among: links.count, edges: { links[$0].map(\.popup) })
        where circle.count > 1 {
            report(circle, by: links)
        }
    }

    private mutating func report(_ circle: [Int], by links: [[Need]]) {
        let steps = circle.indices.map { position in
            let next = circle[(position + 1) % circle.count]
            let need = links[circle[position]].first { $0.popup == next }
            let name = model.popups.entries[circle[position]].name
            return CircleStep(
                name: name.value, place: need?.place ?? name.range,
                isTrigger: need?.isTrigger ?? false)
        }
        let isOwn = model.popups.entries[circle[0]].writes("after")
        diagnostics.report(
            steps.contains(where: \.isTrigger)
                ? .triggeredInCircle(steps) : .waitInCircle(steps, isOwn: isOwn))
    }
}

/// A popup without which another one does not show.
private struct Need {
    let popup: Int
    /// Where the other one names it.
    let place: SourceRange
    let isTrigger: Bool
}

/// The popups that each popup needs before it shows.
private struct Needs {
    /// All popups that it waits for.
    private(set) var after: [[Need]] = []
    /// The popups that trigger it, one of which is enough; empty if something else triggers it.
    private(set) var triggers: [[Need]] = []
    /// True if no popup needs another one.
    private(set) var areNone = true

    init(of popups: Section<PopupModel>) {
        // By index: going through the popups themselves copies each.
        let entries = popups.entries.indices
        areNone = !entries.contains {
            popups.entries[$0].placeIfAny?.after != nil
                || popups.entries[$0].trigger?.value.contains(where: \.value.isByPopup) == true
        }
        if areNone { return }
        after = entries.map { index in
            (popups.entries[index].placeIfAny?.after?.value ?? []).compactMap { named in
                popups.index(of: named.popup.value).map {
                    Need(popup: $0, place: named.popup.range, isTrigger: false)
                }
            }
        }
        triggers = entries.map { index in
            let all = popups.entries[index].trigger?.value ?? []
            let needs = all.compactMap { trigger -> Need? in
                guard case .acted(let named, _) = trigger.value else { return nil }
                return popups.index(of: named.value).map {
                    Need(popup: $0, place: named.range, isTrigger: true)
                }
            }
            return needs.count == all.count ? needs : []
        }
    }

    /// Returns the popups that cannot show before others of the same result have shown, apart from
    /// those in `told`. Linear in the needs of the popups.
    func stuck(besides told: Set<Int>) -> Set<Int> {
        var stuck = Set(after.indices).subtracting(told)
        var dependents: [[Int]] = Array(repeating: [], count: after.count)
        for popup in after.indices {
            for need in after[popup] + triggers[popup] { dependents[need.popup].append(popup) }
        }
        var pending = Array(after.indices)
        while let popup = pending.popLast() {
            let isFree =
                after[popup].allSatisfy { !stuck.contains($0.popup) }
                && (triggers[popup].isEmpty
                    || triggers[popup].contains { !stuck.contains($0.popup) })
            if !isFree || stuck.remove(popup) == nil { continue }
            pending += dependents[popup]
        }
        return stuck
    }
}

extension TriggerModel {
    fileprivate var isByPopup: Bool { if case .acted = self { true } else { false } }
}

/// A popup in a circle, and how it hangs on the next one.
private struct CircleStep {
    let name: String
    let place: SourceRange
    let isTrigger: Bool

    var label: String {
        isTrigger ? "this popup triggers `\(name)`" : "`\(name)` waits for this popup"
    }
}

extension Diagnostic {
    /// `isOwn` is true if the first popup has an `after` of its own, and does not take it from
    /// defaults.
    fileprivate static func waitInCircle(_ steps: [CircleStep], isOwn: Bool) -> Self {
        let first = steps[0]
        if steps.count == 1 {
            return Diagnostic(
                .refCycle, message: "popup `\(first.name)` waits for itself", at: first.place,
                label: "so the popup never shows", subject: "popup `\(first.name)`",
                help: [
                    isOwn
                        ? "remove `\(first.name)` from its `after`"
                        : "add `after: null` to the popup to ignore the `after` of `defaults`"
                ])
        }
        var finding = circle(
            steps,
            message: "popups wait for each other in a cycle, so none of them ever shows"
        )
        let (later, earlier) = (steps[0].name, steps[1].name)
        finding.help = [
            "remove one of these popups from an `after`, or swap two names if they are the wrong"
                + " way round; `\(later)` with `after: [\(earlier)]` shows after `\(earlier)`"
        ]
        return finding
    }

    /// An app may put any of them into the queue, so that this isn't an error.
    fileprivate static func triggeredInCircle(_ steps: [CircleStep]) -> Self {
        var finding = circle(
            steps,
            message: "popups depend on each other in a cycle, so none of them shows by itself")
        finding.level = .warning
        let name = steps.first(where: \.isTrigger)?.name ?? steps[0].name
        finding.help = [
            "add another trigger to `\(name)`, such as `manual` if the app puts it into the queue"
        ]
        return finding
    }

    private static func circle(_ steps: [CircleStep], message: String) -> Self {
        let names = steps.map { step in
            (name: step.name, word: step.isTrigger ? "triggered by" : "after")
        }
        return Diagnostic(
            .refCycle, message: message, at: steps[0].place, label: steps[0].label,
            subject: "popup `\(steps[0].name)`",
            secondary: steps.dropFirst().prefix(circleLabels).map {
                Label($0.label, at: $0.place)
            }, notes: ["cycle: \(circleText(names))"])
    }
}
