internal import PopAnalysis
internal import PopExplanations
internal import PopLogic
internal import PopReports
internal import PopScheduler
package import PopSource

extension CoverageReport {
    /// The parts of a popup's audience that no test tried.
    package struct Untried: Sendable {
        package var popup: String
        package var range: SourceRange
        /// The parts of the audience from which no user was tested, as `audience` words them.
        package var audiences: [String]
        /// The sides of its bounds on which no value was tested.
        package var bounds: [String]

        var count: Int { audiences.count + bounds.count }
    }

    static func untried(_ coverage: Coverage, of rules: RuleSet) -> [Untried] {
        let declarations = Declarations(rules)
        return rules.popups.places.filter { rules.popups[$0].isEnabled }.compactMap { place in
            let popup = rules.popups[place]
            let trials = AudienceTrials(of: place, in: rules, declarations: declarations)
            let moments = coverage.moments[popup.range] ?? []
            let untried = Untried(
                popup: popup.id, range: popup.range,
                audiences: trials.termsNotTried(at: moments),
                bounds: trials.boundsNotTried(at: moments))
            return untried.count == 0 ? nil : untried
        }
    }

    /// Returns lines for popups that were shown, those with the most untried parts first.
    func untriedLines() -> [String] {
        let unshown = Set(items.filter { $0.kind == .popups && $0.count == 0 }.map(\.range))
        let shown = untried.filter { !unshown.contains($0.range) }.enumerated().sorted {
            (-$0.element.count, $0.offset) < (-$1.element.count, $1.offset)
        }.map(\.element)
        if shown.isEmpty { return [] }
        var table = TextTable(indent: 2)
        for untried in shown.prefix(DrawingLimits.uncoveredPopups) {
            table.add(shortName(untried.popup), untried.text(atMost: DrawingLimits.uncoveredParts))
        }
        let rest = shown.dropFirst(DrawingLimits.uncoveredPopups)
        let more = rest.reduce(0) { $0 + $1.count }
        return ["", "audience gaps (users and bounds without a test)"] + table.lines
            + (more > 0 ? ["  … and \(more) more, of \(rest.count) other popups"] : [])
    }

    /// Returns a line for each untried part, with its place.
    func wholeUntriedLines(_ places: inout SourcePlaces) -> [String] {
        if untried.isEmpty { return [] }
        var table = TextTable(indent: 2)
        var left = DrawingLimits.happenings
        for untried in untried {
            for text in untried.texts.prefix(left) {
                table.add(places.text(of: untried.range), "`\(untried.popup)` \(text)")
            }
            left -= min(left, untried.texts.count)
        }
        let rest = untried.reduce(0) { $0 + $1.count } - DrawingLimits.happenings
        return ["", "audience gaps (users and bounds without a test)"] + table.lines
            + (rest > 0 ? ["  … and \(rest) more; `--coverage json` has all"] : [])
    }
}

extension CoverageReport.Untried {
    fileprivate var texts: [String] {
        audiences.map { "users: \(bounded($0))" } + bounds.map { "bound: \(bounded($0))" }
    }

    fileprivate func text(atMost most: Int) -> String {
        let rest = count - most
        return "\(count): " + texts.prefix(most).joined(separator: "; ")
            + (rest > 0 ? "; and \(rest) more" : "")
    }

    func json(_ places: inout SourcePlaces) -> JSON {
        let place = places.place(of: range)
        return .object([
            "popup": .string(popup), "file": .string(place.path), "line": .int(place.line),
            "column": .int(place.column),
            "audiences": .array(audiences.map { .string($0) }),
            "bounds": .array(bounds.map { .string($0) }),
        ])
    }
}
