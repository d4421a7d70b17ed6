internal import PopCEL
internal import PopScheduler

/// The facts that hold for every history.
struct HistoryFacts: Sendable {
    /// The counts of each event that is counted in several windows, from the shortest window on:
    /// a count is never greater than the next one.
    private(set) var windows: [[WindowCount]] = []
    /// Literals that can't hold together.
    private(set) var lemmas: [Lemma] = []
    /// Literals that don't hold together in a natural history. A search prefers users without them
    /// if possible.
    private(set) var unusual: [Lemma] = []
    /// Literals that are less usual than others.
    private(set) var rare: [Lemma] = []

    /// The number of events in a window; nil for the time since the start.
    struct WindowCount: Sendable {
        var variable: VariableIndex
        var window: Duration?

        func isShorter(than other: Self) -> Bool {
            guard let window else { return false }
            return other.window.map { window < $0 } ?? true
        }
    }

    /// True if some histories are less usual than others.
    var hasUnusual: Bool { !unusual.isEmpty }

    mutating func update(_ variables: VariableTable, _ declarations: Declarations) {
        lemmas = []
        unusual = []
        rare = []
        var known: [(variable: VariableIndex, meaning: SlotMeaning)] = []
        for variable in variables.all.indices {
            guard let place = variables[variable].place, place.path.isEmpty,
                let meaning = declarations.meaning(place.entry)
            else { continue }
            known.append((variable, meaning))
            if case .lastReason = meaning { noteReasons(variable, variables[variable].domain) }
        }
        // Only variables about the same popup or event are related.
        var related: [Subject: [(variable: VariableIndex, meaning: SlotMeaning)]] = [:]
        for (variable, meaning) in known {
            for subject in Subject.all(of: meaning) {
                related[subject, default: []].append((variable, meaning))
            }
        }
        for (one, first) in known {
            for subject in Subject.all(of: first) {
                for (other, second) in related[subject] ?? [] {
                    relate(one, first, other, second, variables)
                }
            }
        }
        windows = Self.windows(of: known)
    }

    private static func windows(
        of known: [(variable: VariableIndex, meaning: SlotMeaning)]
    ) -> [[WindowCount]] {
        var places: [String: Int] = [:]
        var windows: [[WindowCount]] = []
        for (variable, meaning) in known {
            guard case .eventCount(let event, let window) = meaning else { continue }
            let count = WindowCount(variable: variable, window: window)
            if let place = places[event] {
                windows[place].append(count)
            } else {
                places[event] = windows.count
                windows.append([count])
            }
        }
        return windows.filter { $0.count > 1 }.map { $0.sorted { $0.isShorter(than: $1) } }
    }

    /// The subject of a fact about the history.
    private enum Subject: Hashable {
        case popup(PopupIndex)
        case event(String)
        case sessions

        static func all(of meaning: SlotMeaning) -> [Subject] {
            switch meaning {
            case .eventCount(let event, _), .lastEvent(let event), .sinceEvent(let event):
                [.event(event)]
            case .eventSum(let sum): [.event(sum.event)]
            case .shownCount(let popup), .lastShown(let popup), .acted(let popup, _),
                .lastActed(let popup, _), .exposedCount(let popup), .converted(let popup),
                .lastReason(let popup), .closedCount(let popup):
                [.popup(popup)]
            case .session: [.sessions]
            case .key, .condition, .now, .variant, .lastAction, .scheduleOpen, .payload,
                .payloadField:
                []
            }
        }
    }

    /// Notes the usual reasons: users close popups, and not every other reason implies that the
    /// popup was seen.
    private mutating func noteReasons(_ variable: VariableIndex, _ domain: Domain) {
        guard case .listed(let values) = domain.form,
            let closed = values.firstIndex(of: .string(ReasonCode.userClosed.rawValue))
        else { return }
        let others = IntervalSet(Ordinal(closed)).complement(in: domain.values)
        for ranks in others.ranges {
            rare.append(Lemma(literals: [Literal(variable: variable, ranks: ranks)]))
        }
        let usual: [ReasonCode] = [.userClosed, .acted, .timedOut]
        for (place, value) in values.enumerated()
        where !usual.contains(where: { value == .string($0.rawValue) }) {
            let rank = Ordinal(place)
            unusual.append(Lemma(literals: [Literal(variable: variable, ranks: rank...rank)]))
        }
    }

    private mutating func relate(
        _ one: VariableIndex, _ first: SlotMeaning, _ other: VariableIndex,
        _ second: SlotMeaning, _ variables: VariableTable
    ) {
        switch (first, second) {
        case (.shownCount(let popup), .lastShown(let shown)) where popup == shown:
            noteTogether(count: one, last: other, variables)
        case (.acted(let popup, let action), .lastActed(let acted, let last))
        where popup == acted && action == last:
            noteTogether(count: one, last: other, variables)
        case (.eventCount(let event, within: nil), .lastEvent(let last)) where event == last:
            noteTogether(count: one, last: other, variables)
        case (.exposedCount(let popup), .converted(let converted)) where popup == converted:
            lemmas.append(
                Lemma(literals: [
                    Literal(variable: one, ranks: .zero ... .zero),
                    Literal(variable: other, ranks: Ordinal(1)...Ordinal(1)),
                ]))
        case (.shownCount(let popup), .lastReason(let ended)) where popup == ended:
            unusual.append(never(count: one, with: variables[other].domain.values, of: other))
        case (.closedCount(let popup), .lastReason(let ended)) where popup == ended:
            noteClosing(count: one, reason: other, variables[other].domain)
        case (.lastShown(let popup), .closedCount(let acted)) where popup == acted,
            (.lastShown(let popup), .acted(let acted, _)) where popup == acted:
            let times = Ordinal(1)...variables[other].domain.values.upperBound
            noteNever(date: one, with: times, of: other, variables)
        case (.lastShown(let popup), .lastReason(let ended)) where popup == ended:
            noteNever(date: one, with: variables[other].domain.values, of: other, variables)
        case (.session(.count), .session(.previousEnd)):
            noteFirst(count: one, previousEnd: other, variables)
        case (.eventCount, .sinceEvent), (.lastEvent, .sinceEvent), (.eventCount, .eventSum),
            (.sinceEvent, .eventSum), (.lastEvent, .eventSum):
            relateEvents(one, first, other, second, variables)
        case (.shownCount(let popup), .closedCount(let acted)) where popup == acted,
            (.shownCount(let popup), .acted(let acted, _)) where popup == acted:
            let times = Ordinal(1)...variables[other].domain.values.upperBound
            unusual.append(never(count: one, with: times, of: other))
        case (.eventCount(let event, .some), .lastEvent(let last)) where event == last:
            let domain = variables[other].domain
            guard domain.hasAbsence else { break }
            let times = Ordinal(1)...variables[one].domain.values.upperBound
            unusual.append(
                Lemma(literals: [
                    Literal(variable: one, ranks: times),
                    Literal(variable: other, ranks: domain.absence...domain.absence),
                ]))
        default: break
        }
    }

    /// Relates the facts about one event: how often it was sent, when, and the values that it
    /// carried.
    private mutating func relateEvents(
        _ one: VariableIndex, _ first: SlotMeaning, _ other: VariableIndex,
        _ second: SlotMeaning, _ variables: VariableTable
    ) {
        let (domain, last) = (variables[one].domain, variables[other].domain)
        let endless = Domain.rank(Duration.endless)
        switch (first, second) {
        case (.eventCount(_, let window), .sinceEvent):
            // A window contains the events that happened less than its length ago.
            let end = window.map { min(Domain.rank($0), endless) } ?? endless
            exclude(one, .zero ... .zero, other, last.values.lowerBound...end.previous)
            exclude(one, Ordinal(1)...domain.values.upperBound, other, end...last.values.upperBound)
        case (.lastEvent, .sinceEvent):
            guard domain.hasAbsence else { break }
            exclude(
                one, domain.absence...domain.absence, other,
                last.values.lowerBound...endless.previous)
            exclude(one, domain.values, other, endless...last.values.upperBound)
        case (.eventCount(_, let window), .eventSum(let sum))
        where window.map({ sum.within <= $0 }) ?? true:
            excludeAmounts(of: other, last, while: one, .zero ... .zero)
        case (.sinceEvent, .eventSum(let sum)):
            let end = min(Domain.rank(sum.within), endless)
            excludeAmounts(of: other, last, while: one, end...domain.values.upperBound)
        case (.lastEvent, .eventSum):
            guard domain.hasAbsence else { break }
            excludeAmounts(of: other, last, while: one, domain.absence...domain.absence)
        default: break
        }
    }

    /// Notes that two variables never have values with these ranks at the same time.
    private mutating func exclude(
        _ one: VariableIndex, _ first: ClosedRange<Ordinal>, _ other: VariableIndex,
        _ second: ClosedRange<Ordinal>
    ) {
        lemmas.append(
            Lemma(literals: [
                Literal(variable: one, ranks: first), Literal(variable: other, ranks: second),
            ]))
    }

    /// Notes that a sum is 0 while another variable has these ranks, because nothing was sent then.
    private mutating func excludeAmounts(
        of sum: VariableIndex, _ domain: Domain, while one: VariableIndex,
        _ ranks: ClosedRange<Ordinal>
    ) {
        switch domain.form {
        case .int, .uint, .double: break
        case .truth, .outcome, .timestamp, .duration, .version, .constants, .listed, .presence,
            .number:
            return
        }
        for amounts in IntervalSet(Ordinal.zero).complement(in: domain.values).ranges {
            exclude(one, ranks, sum, amounts)
        }
    }

    /// Notes that the first session, and only the first, has no previous session.
    private mutating func noteFirst(
        count: VariableIndex, previousEnd: VariableIndex, _ variables: VariableTable
    ) {
        let (counts, ends) = (variables[count].domain, variables[previousEnd].domain)
        guard ends.hasAbsence, counts.values.lowerBound == Ordinal(1) else { return }
        exclude(count, Ordinal(1)...Ordinal(1), previousEnd, ends.values)
        exclude(
            count, Ordinal(2)...counts.values.upperBound, previousEnd, ends.absence...ends.absence)
    }

    /// Notes that users who closed a popup have a reason for which it last ended, and that the
    /// reason is a different one for users who never closed it.
    private mutating func noteClosing(
        count: VariableIndex, reason: VariableIndex, _ domain: Domain
    ) {
        if domain.hasAbsence {
            unusual.append(
                Lemma(literals: [
                    Literal(variable: count, ranks: Ordinal(1)...Ordinal(Int64.max)),
                    Literal(variable: reason, ranks: domain.absence...domain.absence),
                ]))
        }
        guard case .listed(let values) = domain.form,
            let closed = values.firstIndex(of: .string(ReasonCode.userClosed.rawValue))
        else { return }
        unusual.append(never(count: count, with: Ordinal(closed)...Ordinal(closed), of: reason))
    }

    /// Notes that a popup that was never shown has no other history.
    private mutating func noteNever(
        date: VariableIndex, with ranks: ClosedRange<Ordinal>, of other: VariableIndex,
        _ variables: VariableTable
    ) {
        let domain = variables[date].domain
        guard domain.hasAbsence else { return }
        unusual.append(
            Lemma(literals: [
                Literal(variable: date, ranks: domain.absence...domain.absence),
                Literal(variable: other, ranks: ranks),
            ]))
    }

    /// Returns the lemma that a count isn't 0 while another variable has these ranks.
    private func never(
        count: VariableIndex, with ranks: ClosedRange<Ordinal>, of other: VariableIndex
    ) -> Lemma {
        Lemma(literals: [
            Literal(variable: count, ranks: .zero ... .zero),
            Literal(variable: other, ranks: ranks),
        ])
    }

    /// Notes that a last time exists exactly if the count isn't 0.
    private mutating func noteTogether(
        count: VariableIndex, last: VariableIndex, _ variables: VariableTable
    ) {
        let (counts, times) = (variables[count].domain, variables[last].domain)
        guard times.hasAbsence, counts.values.lowerBound == .zero else { return }
        lemmas.append(
            Lemma(literals: [
                Literal(variable: count, ranks: .zero ... .zero),
                Literal(variable: last, ranks: times.values),
            ]))
        lemmas.append(
            Lemma(literals: [
                Literal(variable: count, ranks: Ordinal(1)...counts.values.upperBound),
                Literal(variable: last, ranks: times.absence...times.absence),
            ]))
    }
}
