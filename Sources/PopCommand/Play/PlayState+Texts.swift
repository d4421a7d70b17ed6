import PopCEL
import PopEngine
internal import PopReports
import PopScheduler
import PopSource
import PopStories

extension PlayState.Shown {
    /// `values` are the values of placeholders, by name.
    init(_ popup: Popup, values: [String: Value]) {
        self.popup = popup.id
        template = popup.template
        guard case .map(let map) = popup.content else {
            content = []
            return
        }
        content = map.prefix(PlayLimits.contentTexts).map { entry in
            let text =
                if case .string(let text) = entry.value {
                    String(text.prefix(PlayLimits.contentText))
                } else {
                    "\(entry.key): \(entry.value.text(atMost: PrintLimits.value))"
                }
            return filled(text, values: values)
        }
        let rest = map.count - content.count
        if rest > 0 { content.append("… \(rest) more") }
    }
}

/// Returns a string with its placeholders, such as `{{user.name}}`, replaced; a placeholder without
/// a value stays unchanged.
func filled(_ text: String, values: [String: Value]) -> String {
    var pieces = text.split(separator: "{{", omittingEmptySubsequences: false)[...]
    var result = String(pieces.removeFirst())
    for piece in pieces {
        let parts = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingPrefix(/\ */).reversed().drop { $0 == " " }.reversed()
        guard parts.count == 2, let value = values[String(name)] else {
            result += "{{" + piece
            continue
        }
        if case .string(let text) = value {
            result += text.prefix(PlayLimits.contentText)
        } else {
            result += value.shownText
        }
        result += parts[1]
    }
    return result
}

extension Value {
    fileprivate var shownText: String { String("\(self)".prefix(PlayLimits.contentText)) }
}
