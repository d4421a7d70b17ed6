import Foundation
import Measuring

/// A measure of the machine's speed while cases are measured that have a goal in microseconds.
///
/// Such goals hold for the machine that they were set on. Other machines are slower, or become
/// slower for minutes because another process works on the same processor. So a case with such a
/// goal is measured in rounds with Foundation's `#Predicate` on E1. The time of that predicate on
/// the first machine is known and is given on the page on performance. Like compiling and
/// scheduling, it spends its time on references and small objects.
enum Yardstick {
    /// The time of the yardstick on the machine where the goals were set: the median of five
    /// rounds, in nanoseconds.
    private static let there = 1_019.0

    /// The case that is measured together with the others of a group.
    static func beside(_ group: String) -> Case {
        let values = Values()
        let predicate = predicates[0]
        return Case(name(beside: group), .nanoseconds) { use(try? predicate.evaluate(values)) }
    }

    static func name(beside group: String) -> String { "\(group): #Predicate E1" }

    /// The time that a figure would be on that machine, in the figure's own unit; nil if this
    /// machine is at least as fast. Both figures must come from the same rounds.
    static func time(_ figure: Figure, beside yardstick: Figure) -> Double? {
        guard yardstick.median > there else { return nil }
        return figure.ratio(to: yardstick) * there / figure.unit.length
    }
}
