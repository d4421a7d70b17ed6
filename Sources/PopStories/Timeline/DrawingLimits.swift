/// Every bound on what is drawn, so that no rules and no test make a drawing that nobody can read
/// or wait for. What is left out is counted.
package enum DrawingLimits {
    /// Lines of a story, each about one thing that happened.
    package static let happenings = 1_000
    /// Waiting popups that are looked at in one story, each at each moment.
    package static let looks = 500_000
    /// Popups that are named in one line.
    package static let names = 8
    /// Columns of an id, a scheduler's name or another name.
    package static let nameColumns = 40
    /// Schedulers that have a bar of their own.
    package static let bars = 8
    /// Columns of what a step did.
    package static let inputColumns = 300
    /// Moments in one picture.
    package static let moments = 60
    /// Popups that have a row in one picture.
    package static let rows = 60
    /// Lines of a graph in words, and arrows of one that is drawn.
    package static let graphLines = 200
    /// Arrows that lead to one popup from those that may interrupt it.
    package static let interrupters = 5
    /// The same in a diagram.
    package static let drawnInterrupters = 3
    /// Popups of which coverage names what no test has seen, unless all are asked for.
    package static let uncoveredPopups = 6
    /// What is named of each of them.
    package static let uncoveredParts = 2
}
