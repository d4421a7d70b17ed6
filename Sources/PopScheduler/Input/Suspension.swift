/// Somebody's wish that nothing new is shown: by one scheduler, or by any.
///
/// Whoever suspends lifts only that: two owners do not undo each other, and lifting a suspension of
/// everything leaves that of one scheduler in force.
public struct Suspension: Sendable, Hashable {
    /// Who asked for it; nil is an owner of its own, the one without a name.
    public let owner: String?
    /// The name of the scheduler; nil for all.
    public let scheduler: String?

    /// The pair that lifts it: without an owner the unnamed one, without a scheduler all of them.
    public init(by owner: String? = nil, scheduler: String? = nil) {
        self.owner = owner
        self.scheduler = scheduler
    }
}
