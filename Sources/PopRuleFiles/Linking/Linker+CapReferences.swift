internal import PopCEL
internal import PopSource

// A cap may count for each value of a context key, or in the time zone that a context key contains.
extension Linker {
    mutating func check(_ cap: WindowCapModel, into found: inout Diagnostics) {
        check(cap.zone, into: &found)
        guard let per = cap.per, case .value(let name) = per.value else { return }
        let key = Located(name, at: per.range)
        let isDeclared = model.context.index(of: name) != nil
        // For an unknown key it isn't known whether it counts by a calendar.
        if let zone = cap.zone, isDeclared { found.report(.zoneWithoutClock(zone, beside: key)) }
        if name.contains(".") || isDeclared { return checkCounted(key, into: &found) }
        suggestions -= 1
        let keys = suggestions >= 0 ? model.context.entries : []
        let ends = keys.map(\.name.value).filter { $0.hasSuffix(".\(name)") }
        found.report(
            .neitherPeriodNorKey(
                key,
                similar: ends.isEmpty
                    ? similarNames(to: name, among: keys.map(\.name.value)) : ends,
                others: keys.filter { $0.type?.value.isCountable == true }.map(\.name.value),
                readings: periodReadings(name)))
    }

    /// Checks a key for each of whose values something is counted.
    mutating func checkCounted(_ key: Located<String>, into found: inout Diagnostics) {
        if isOfEngine(key.value) { return found.report(.ofEngine(key)) }
        look(
            key, among: model.context, check: .refUndefinedKey, kind: "context key", into: &found)
        guard let type = model.context[key.value]?.type, !type.value.isCountable else { return }
        found.report(.uncountable(key, type: type))
    }
}

extension CELType {
    /// True if its values can be compared by their plain text.
    fileprivate var isCountable: Bool { self != .dyn && hasPlainText }
}

extension Diagnostic {
    fileprivate static func neitherPeriodNorKey(
        _ name: Located<String>, similar: [String], others: [String], readings: [Reading]
    ) -> Self {
        let rename = similar.count == 1 ? [Fix.rename(name.range, to: similar[0])] : []
        var finding = Diagnostic(
            .refUndefinedKey,
            message: "`\(name.value.shortened)` is neither a period nor a context key",
            at: name.range, label: "not defined under `context`",
            help: readings.help, fixes: readings.fixes(at: name.range) + rename)
        if readings.isEmpty {
            finding.help = [
                "use a duration such as `7d`, or \(alternatives(wordsOfPeriod))"
            ]
        }
        if !similar.isEmpty {
            finding.help.append(
                "did you mean the context key \(alternatives(similar))?")
        } else if readings.isEmpty {
            let names = others.sorted().prefix(3)
            finding.help.append(
                "to count for each value of a context key, use a key "
                    + (names.isEmpty
                        ? "declared under `context`, such as `app.version`"
                        : "such as \(alternatives(Array(names)))"))
        }
        return finding
    }

    fileprivate static func ofEngine(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUndefinedKey, message: "`\(name.value.shortened)` is not a context key",
            at: name.range,
            label: "provided by the engine; only conditions can read it",
            help: [
                "use a key that is declared under `context`"
                    + (name.value.hasPrefix("session")
                        ? "; to count per session, use `per: \(sessionWord)`" : "")
            ])
    }

    fileprivate static func uncountable(
        _ key: Located<String>, type: Located<CELType>
    ) -> Self {
        Diagnostic(
            .schemaType,
            message: "a cap cannot count for each value of `\(key.value.shortened)`, which has"
                + " the type `\(type.value)`", at: key.range, label: "its values are not plain",
            secondary: [Label("declared here", at: type.range)],
            help: ["use a key with a string, a number or another plain value"])
    }

    fileprivate static func zoneWithoutClock(
        _ zone: Located<ZoneModel>, beside key: Located<String>
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`zone` has no effect if a cap counts for each value of"
                + " `\(key.value.shortened)`", at: zone.range, label: "no calendar is used here",
            secondary: [Label("counted for each value of this key", at: key.range)],
            help: ["remove `zone`"])
    }
}
