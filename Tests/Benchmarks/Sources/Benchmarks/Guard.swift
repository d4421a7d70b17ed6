import CountedAllocation
import Measuring
import PopCEL
import PopRuleFiles
import PopScheduler
import RuleText

/// A case that is counted instead of timed: it does the same work every time, so that the number of
/// its instructions hardly differs between two runs.
private struct GuardedCase: Sendable {
    var name: String
    var prepare: @Sendable () throws -> () -> Void
}

private let guarded: [GuardedCase] =
    measuredConditions.map { condition in
        GuardedCase(name: "eval-\(condition.name)") {
            let program = try Values.environment.compile(condition.text, expecting: .bool).get()
            let slots = program.slotValues(Values().context)
            return { for _ in 0..<1_000 { use(isMet(program, slots)) } }
        }
    }
    + measuredConditions.map { condition in
        GuardedCase(name: "closure-\(condition.name)") {
            let values = Values()
            return { for _ in 0..<1_000 { use(condition.closure(values)) } }
        }
    }
    + measuredConditions.map { condition in
        GuardedCase(name: "compile-\(condition.name)") {
            let environment = Values.environment
            return { for _ in 0..<100 { compile(condition, environment) } }
        }
    } + [
        GuardedCase(name: "raw-events-500") {
            let bytes = Array(ruleText(popups: 500).utf8)
            return { use(countEvents(bytes)) }
        },
        GuardedCase(name: "load-500") {
            let sources = sources([ruleText(popups: 500)])
            return { use(RuleSet.check(sources)) }
        },
        GuardedCase(name: "raw-events-20") {
            let bytes = Array(ruleText(popups: 20).utf8)
            return { for _ in 0..<10 { use(countEvents(bytes)) } }
        },
        GuardedCase(name: "load-20") {
            let sources = sources([ruleText(popups: 20)])
            return { for _ in 0..<10 { use(RuleSet.check(sources)) } }
        },
        GuardedCase(name: "schedule-add-1000") {
            let crowd = try Crowd(1_000)
            return {
                var scheduler = crowd.scheduler()
                use(scheduler.handle(.started, at: .benchmark).count)
            }
        },
        GuardedCase(name: "schedule-change-1000") { try hundredChanges(among: 1_000) },
        GuardedCase(name: "schedule-change-10000") { try hundredChanges(among: 10_000) },
    ]

/// With taking the popup down and queueing it again.
private func hundredChanges(among count: Int) throws -> () -> Void {
    var stage = Stage(try Crowd(count))
    return { for _ in 0..<100 { use(stage.showOne()) } }
}

/// Prints the case and the allocations of each; callgrind writes the instructions between two
/// marks.
///
/// Everything runs once before it counts, so that caches and tables of the runtime are filled.
func runGuarded() throws {
    for guarded in guarded {
        let run = try guarded.prepare()
        run()
        guard_mark()
        let before = allocations_so_far()
        run()
        let after = allocations_so_far()
        guard_mark()
        print(guarded.name, after - before)
    }
}
