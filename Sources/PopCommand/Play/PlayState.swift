import PopCEL
import PopSource

/// Everything that the page shows, as a value.
struct PlayState: Sendable {
    /// A popup on the screen.
    struct Shown: Sendable {
        var popup: String
        var template: String?
        /// What the rule file says under `content`, one text a key.
        var content: [String]
    }

    /// A popup that waits, and why.
    struct Waiting: Sendable {
        var popup: String
        var reason: String
    }

    /// The place that a scheduler has on the screen, and its queue.
    struct Area: Sendable {
        var scheduler: String
        var shown: Shown?
        var waiting: [Waiting] = []
    }

    /// Who reads the line at the bottom.
    enum Line: Sendable, Equatable {
        /// Each key is an order of its own.
        case keys
        /// An order is being typed.
        case typing(String)
    }

    var title: String
    var date = Timestamp(seconds: 0)
    var skipped = Duration.zero
    /// The names of the schedulers that are suspended.
    var suspended: Set<String> = []
    var areas: [Area] = []
    /// The context, in the order of declaration.
    var context: [(key: String, value: String)] = []
    /// What happened, the latest last.
    private(set) var log: [String] = []
    /// What the last order came to.
    var message = ""
    /// What is wrong with the rules as they are on the disk; the last good ones are in force.
    var rulesError: String?
    var line = Line.keys
    var isHelpShown = false
    var columns = 80
    var rows = 24

    static let longestLog = 200

    init(title: String) { self.title = title }

    mutating func note(_ text: String) {
        log.append(text)
        if log.count > Self.longestLog { log.removeFirst() }
    }
}
