import PopCEL
import PopScheduler
import Testing

/// The basis of experiments: until the first exposure, a user in the control group goes through the
/// same as one who sees a variant would.
struct PairedArmsTests {
    /// A host that obeys immediately.
    private struct Host {
        var scheduler: Scheduler
        var now = Stage.start
        /// The events that were reported at the last input.
        var told: [String] = []

        init(_ rules: RuleSet, putting popup: String, into arm: String) {
            scheduler = Scheduler(rules: rules, seed: 1, user: "u0", at: now)
            _ = scheduler.handle(.update(["u": .string("u1")]), at: now)
            _ = scheduler.handle(.forceArm(popup: popup, arm: arm), at: now)
        }

        mutating func handle(_ event: Event) {
            told = []
            var inbox = [event]
            var next = 0
            while next < inbox.count {
                for effect in scheduler.handle(inbox[next], at: now) {
                    switch effect {
                    case .askWillShow(let asked): inbox.append(.answered(asked.id, .show))
                    case .present(let asked): inbox.append(.didPresent(asked.id))
                    case .dismiss(let id): inbox.append(.didDismiss(id))
                    case .emit(let event): told.append(describe(event))
                    case .record: break
                    }
                }
                next += 1
            }
        }
    }

    private static func event(_ input: Input, now: inout Moment) -> Event? {
        switch input {
        case .advance(let milliseconds):
            now = now.advanced(by: .milliseconds(milliseconds))
            return .timePassed
        case .started: return .started
        case .key(let key, let value) where key < 3:
            return .update([RandomRules.keys[key]: key == 2 ? .int(Int64(value)) : .bool(value > 1)]
            )
        case .send(let name, let value):
            return .send(name, payload: name == "e" ? ["x": .int(Int64(value))] : [:])
        case .enqueue(let id): return .enqueue(id)
        case .dismiss(let id): return .dismiss(id)
        case .userClosed(let id): return .userClosed(id)
        default: return nil
        }
    }

    /// Where the arms part: the first exposure in each of two plays that are the same but for the
    /// arm.
    private static func firstExposures(
        _ rules: RuleSet, of popup: String, _ inputs: [Input]
    ) -> (variant: String?, control: String?, isRequeued: Bool)? {
        var (variant, control) = (
            Host(rules, putting: popup, into: "long"), Host(rules, putting: popup, into: "control")
        )
        for input in inputs {
            guard let event = event(input, now: &variant.now) else { continue }
            control.now = variant.now
            variant.handle(event)
            control.handle(event)
            let exposures = [variant, control].map { host in
                host.told.first { $0.hasPrefix("exposed \(popup) ") }
            }
            if exposures[0] != nil || exposures[1] != nil {
                return (exposures[0], exposures[1], variant.told.contains("requeued \(popup)"))
            }
            #expect(variant.told == control.told)
        }
        return nil
    }

    @Test func `control is exposed at the same time at which a variant would be`() throws {
        var count = 0
        for seed in UInt64(0)..<600 {
            let rules = RandomRules.make(seed, 0)
            for rule in rules.popups
            where rule.audience.experiment?.has(arm: "long") ?? false {
                guard
                    let first = Self.firstExposures(
                        rules, of: rule.id, SimulationTests.inputs(seed)), !first.isRequeued
                else { continue }
                count += 1
                #expect(first.variant == "exposed \(rule.id) long first", "seed \(seed)")
                #expect(first.control == "exposed \(rule.id) control first", "seed \(seed)")
            }
        }
        #expect(count > 100)
    }
}
