internal import PopRuleFiles
public import PopSource

/// Two experiments that draw the arms of users by the same key with the same salt.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } } }
///   tour: { experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, salt: q1-offer, variants: { short: {}, long: {} } } }
///   tour: { experiment: { by: user.id, salt: q1-tour, variants: { short: {}, long: {} } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// experiments: { tone: { by: user.id, salt: q1, variants: { short: 1, long: 1 } } }
/// popups:
///   offer: { experiment: { of: tone, variants: { short: {} } } }
///   tour: { experiment: { of: tone, variants: { long: {} } } }
/// ```
public enum SameSalt: Lint {
    public static let check = Check.hygieneSameSalt

    /// What users are drawn by; experiments of one layer have different users, or none in common.
    private struct Draw: Hashable {
        let key: String
        let salt: String
    }

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let named = model.experiments.entries.map { ($0.name, $0.division) }
        let own = model.popups.entries.compactMap { popup -> (Located<String>, DivisionModel)? in
            guard let experiment = popup.limits.experiment?.value, experiment.of == nil else {
                return nil
            }
            return (popup.name, experiment.division)
        }
        var first: [Draw: (name: Located<String>, layer: String?)] = [:]
        return (named + own).compactMap { name, division in
            let layer = division.layer?.value
            let by = division.by?.value ?? layer.flatMap { model.layers[$0]?.by?.value } ?? ""
            let draw = Draw(key: by, salt: division.salt?.value ?? name.value)
            guard let other = first[draw] else {
                first[draw] = (name, layer)
                return nil
            }
            if layer != nil, layer == other.layer { return nil }
            let place = Located(name.value, at: division.salt?.range ?? name.range)
            return .sameArms(place, as: other.name, salt: draw.salt)
        }
    }
}

extension Diagnostic {
    fileprivate static func sameArms(
        _ name: Located<String>, as other: Located<String>, salt: String
    ) -> Self {
        Diagnostic(
            .hygieneSameSalt,
            message: "`\(name.value)` draws users as the experiment of `\(other.value)` does",
            at: name.range, label: "the same key and the salt `\(salt)`",
            secondary: [Label("drawn with it too", at: other.range)],
            notes: [
                "both cut their arms from the same order of the users, so that what one brings about"
                    + " is mixed with what the other does"
            ],
            help: [
                "give each its own `salt`",
                "where popups are to go together, one entry of `experiments` says so for all",
            ])
    }
}
