import PopCEL
import PopEngine
import PopScheduler
import PopTesting

extension PlayState.Shown {
    init(_ popup: Popup) {
        self.popup = popup.id
        template = popup.template
        guard case .map(let map) = popup.content else {
            content = []
            return
        }
        content = map.map { entry in
            guard case .string(let text) = entry.value else {
                return "\(entry.key): \(entry.value)"
            }
            return text
        }
    }
}

extension HostEvent {
    /// What happened in one line.
    var logLine: String {
        [name, popup, reason?.rawValue, message].compactMap(\.self).joined(separator: " ")
    }
}
