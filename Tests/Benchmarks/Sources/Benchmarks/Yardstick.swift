import Foundation
import Measuring

/// How fast the machine is while something is measured that must be reached in microseconds.
///
/// Such goals hold for the machine that they were set on. Others are slower, or are slower for
/// minutes because somebody else works on the same processor. So what has such a goal is measured
/// in rounds with Foundation's `#Predicate` on E1, whose time on that machine is known and stands
/// in the page on performance. Like compiling and scheduling it spends its time on references and
/// small objects.
enum Yardstick {
    /// What it takes where the goals were set, the median of five rounds there, in nanoseconds.
    private static let there = 1_019.0

    /// The case beside others of a group.
    static func beside(_ group: String) -> Case {
        let values = Values()
        let predicate = predicates[0]
        return Case(name(beside: group), .nanoseconds) { use(try? predicate.evaluate(values)) }
    }

    static func name(beside group: String) -> String { "\(group): #Predicate E1" }

    /// What a figure would be there, in its own unit; nil where the machine is no slower. Both are
    /// of the same rounds.
    static func time(_ figure: Figure, beside yardstick: Figure) -> Double? {
        guard yardstick.median > there else { return nil }
        return figure.ratio(to: yardstick) * there / figure.unit.length
    }
}
