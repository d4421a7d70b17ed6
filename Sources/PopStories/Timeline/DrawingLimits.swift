/// The limits of drawings, so that no rules and no test make a drawing that is unreadable or takes
/// too long. Everything left out is counted.
package enum DrawingLimits {
    /// Lines of a timeline, each about one happening.
    package static let happenings = 1_000
    /// Waiting popups that are examined in one timeline, each at each time.
    package static let looks = 500_000
    /// Popups that are named in one line.
    package static let names = 8
    /// Columns of an id, a scheduler's name or another name.
    package static let nameColumns = 40
    /// Schedulers that have a bar of their own.
    package static let bars = 8
    /// Columns of the text of an action.
    package static let inputColumns = 300
    /// Points in time in one picture.
    package static let moments = 60
    /// Popups that have a row in one picture.
    package static let rows = 60
    /// Lines of a graph in words, and half the arrows of a drawn graph.
    package static let graphLines = 200
    /// Arrows to one popup from those that may preempt it.
    package static let interrupters = 5
    /// The same in a diagram.
    package static let drawnInterrupters = 3
    /// Popups whose uncovered parts a coverage report lists, unless all are requested.
    package static let uncoveredPopups = 6
    /// Uncovered parts that are listed for each of them.
    package static let uncoveredParts = 2
}
