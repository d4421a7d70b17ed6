internal import PopRuleFiles
internal import PopSource

extension Decoder {
    /// Reports an invalid place: it would be found in no row.
    mutating func checkPlace(_ place: Located<String>) {
        if let mistake = PlaceMistake(place.value) {
            report(.noPlace(mistake, at: place))
        }
    }

    mutating func checkPlaces(of columns: WrittenColumns) {
        let lists = [columns.user, columns.time, columns.event, columns.order, columns.insertID]
        for list in lists {
            for place in list?.value ?? [] {
                if let list { checkPlace(Located(place, at: list.range)) }
            }
        }
        // A point means the row itself.
        if let payload = columns.payload, payload.value != "." { checkPlace(payload) }
    }
}

/// The reason why a string isn't a place in a row.
enum PlaceMistake {
    case empty
    case emptyName
    case root
    case bracket
    case tooDeep

    /// The number of names of a place.
    private static let mostNames = 64

    init?(_ text: String) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        let bare = names.map { $0.utf8.count > 2 && $0.hasSuffix("[]") ? $0.dropLast(2) : $0 }
        if text.isEmpty {
            self = .empty
        } else if names.first == "$" {
            self = .root
        } else if names.count > Self.mostNames {
            self = .tooDeep
        } else if names.contains("") {
            self = .emptyName
        } else if bare.contains(where: { $0.contains("[") || $0.contains("]") }) {
            self = .bracket
        } else {
            return nil
        }
    }

    var words: String {
        switch self {
        case .empty: "an empty name"
        case .emptyName: "a name is missing next to a dot"
        case .root: "`$` of JSONPath is not supported"
        case .bracket: "a list item cannot be selected"
        case .tooDeep: "more than \(Self.mostNames) names"
        }
    }

    var help: String {
        switch self {
        case .empty, .emptyName, .root, .tooDeep:
            "write names with dots between them, such as `properties.plan`"
        case .bracket:
            "use `[]` only for a list of keys with values, such as `event_params[].plan`"
        }
    }
}

extension Diagnostic {
    fileprivate static func noPlace(_ mistake: PlaceMistake, at place: Located<String>) -> Self {
        let subject = place.value.isEmpty ? "an empty string" : "`\(place.value.shortened)`"
        return Diagnostic(
            .schemaRange, message: "\(subject) is not a place in a row", at: place.range,
            label: mistake.words, help: [mistake.help])
    }
}
