import Measuring
import PopCEL
import PopScheduler

/// A scheduler with a host that shows every popup that it is asked to show.
struct Stage {
    private let fresh: Scheduler
    private var scheduler: Scheduler
    private let count: Int
    private var number = 0
    private var shown = 0

    init(_ crowd: Crowd) {
        fresh = crowd.waiting()
        scheduler = fresh
        count = crowd.count
    }

    /// Makes a change and presents the popup that it concerns; returns the time that both took.
    mutating func showOne() -> Duration {
        let change = nextChange()
        let begun = ContinuousClock.now
        let id = choose(change)
        present(id)
        let presented = ContinuousClock.now
        takeDown(id)
        return presented - begun
    }

    /// Like `showOne()`, but returns two times: until the popup is chosen, and from there until it
    /// is presented.
    mutating func showOneInSteps() -> (choosing: Duration, presenting: Duration) {
        let change = nextChange()
        let begun = ContinuousClock.now
        let id = choose(change)
        let chosen = ContinuousClock.now
        present(id)
        let presented = ContinuousClock.now
        takeDown(id)
        return (chosen - begun, presented - chosen)
    }

    private mutating func nextChange() -> Event {
        // Once each popup has been shown, everything starts from scratch. Otherwise the history
        // would grow with every run, and its length would be measured.
        if shown == count {
            scheduler = fresh
            shown = 0
        }
        shown += 1
        number = (number + 7_919) % count
        // Made key by key: a literal's list is allocated or not as the optimizer likes.
        var values: [String: Value] = [:]
        values["flag.f\(number)"] = .bool(true)
        return .update(values)
    }

    // Not inlined, so that a profile tells the three apart.
    @inline(never)
    private mutating func choose(_ change: Event) -> PresentationID {
        for effect in scheduler.handle(change, at: .benchmark) {
            if case .askWillShow(let presentation) = effect { return presentation.id }
        }
        preconditionFailure("the change shows a popup")
    }

    @inline(never)
    private mutating func present(_ id: PresentationID) {
        use(scheduler.handle(.answered(id, .show), at: .benchmark).count)
    }

    /// As it was before.
    @inline(never)
    private mutating func takeDown(_ id: PresentationID) {
        for event: Event in [
            .didPresent(id), .update(["flag.f\(number)": .bool(false)]), .userClosed(id.task.popup),
            .didDismiss(id), .enqueue(id.task.popup),
        ] {
            _ = scheduler.handle(event, at: .benchmark)
        }
    }
}
