/// A request that nothing new is shown: by one scheduler, or by any.
///
/// An owner lifts only its own suspensions: two owners don't undo each other, and lifting a
/// suspension of everything leaves the suspension of one scheduler in force.
public struct Suspension: Sendable, Hashable {
    /// The owner of the suspension; nil is an owner of its own, the unnamed one.
    public let owner: String?
    /// The name of the scheduler; nil for all.
    public let scheduler: String?

    /// Creates the pair that also lifts the suspension: without an owner for the unnamed owner,
    /// without a scheduler for all schedulers.
    public init(by owner: String? = nil, scheduler: String? = nil) {
        self.owner = owner
        self.scheduler = scheduler
    }
}
