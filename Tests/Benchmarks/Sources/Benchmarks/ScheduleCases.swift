import CountedAllocation
import Measuring
import PopScheduler

/// Adding tasks, and a change that lets one of them show, at several sizes.
func measureScheduling(_ sizes: [Int] = [1_000, 10_000, 100_000]) throws -> [Figure] {
    var results: [Figure] = []
    for count in sizes {
        let crowd = try Crowd(count)
        results += measure([adding(crowd)], rounds: 7)
        results += measure(
            [
                showing(crowd), evaluation(crowd), choice(crowd), presentation(crowd),
                silentChange(crowd), linearChange(count),
            ], rounds: 15)
        if count <= 10_000 { results += measure([linearAdding(count)], rounds: 3) }
        results.append(memory(of: crowd))
    }
    return results
}

private func adding(_ crowd: Crowd) -> Case {
    Case("schedule \(crowd.count): add all", .milliseconds) { runs in
        var total = Duration.zero
        for _ in 0..<runs {
            var scheduler = crowd.scheduler()
            total += processorTime {
                use(scheduler.handle(.started, at: .benchmark).count)
            }
        }
        return total
    }
}

/// From the change until the popup is handed to the presenter. The time that the host takes to
/// answer does not count.
private func showing(_ crowd: Crowd) -> Case {
    var stage = Stage(crowd)
    return Case("schedule \(crowd.count): one change shows one", .microseconds) { runs in
        medianTime(of: runs) { stage.showOne() }
    }
}

/// Measures only the evaluation that a change causes. Before each evaluation, a whole scheduler
/// handles a change, which is not measured. So the caches hold as little of what the evaluation
/// reads as of what a change reads.
private func evaluation(_ crowd: Crowd) -> Case {
    var stage = Stage(crowd)
    var evaluation = Evaluation(crowd)
    return Case("schedule \(crowd.count): the evaluation alone", .microseconds) { runs in
        medianTime(of: runs) {
            use(stage.showOne())
            return evaluation.next()
        }
    }
}

/// From the change until the host is asked about the popup; taking it down again does not count.
private func choice(_ crowd: Crowd) -> Case {
    var stage = Stage(crowd)
    return Case("schedule \(crowd.count): one change chooses one", .microseconds) { runs in
        medianTime(of: runs) { stage.showOneInSteps().choosing }
    }
}

/// From the host's answer until the popup is handed to the presenter, its impression recorded.
private func presentation(_ crowd: Crowd) -> Case {
    var stage = Stage(crowd)
    return Case("schedule \(crowd.count): the chosen one is presented", .microseconds) { runs in
        medianTime(of: runs) { stage.showOneInSteps().presenting }
    }
}

/// Returns the time of the median run, multiplied by the number of runs. These few microseconds are
/// too short to query the processor time, and a run that another process interrupts takes a
/// thousand times as long.
private func medianTime(of runs: Int, _ run: () -> Duration) -> Duration {
    let times = (0..<runs).map { _ in run() }.sorted()
    return times[runs / 2] * runs
}

private func silentChange(_ crowd: Crowd) -> Case {
    var scheduler = crowd.waiting()
    var unread: Int64 = 0
    return Case("schedule \(crowd.count): a change nobody waits for", .microseconds) {
        unread = (unread + 1) % 100
        use(scheduler.handle(.update(["app.unread": .int(unread)]), at: .benchmark).count)
    }
}

private func linearChange(_ count: Int) -> Case {
    var scheduler = LinearScheduler(
        flags: count, tasks: (0..<count).map { .waiting($0, priority: 1) })
    var number = 0
    return Case("schedule \(count): one change, linear", .microseconds) {
        number = (number + 7_919) % count
        use(scheduler.set(number, true))
        scheduler.flags[number] = false
    }
}

private func linearAdding(_ count: Int) -> Case {
    Case("schedule \(count): add all, linear", .milliseconds) {
        var scheduler = LinearScheduler(flags: count)
        for number in 0..<count {
            use(scheduler.add(.waiting(number, priority: number * 7_919 % 1_000)))
        }
    }
}

/// Measures the memory that a scheduler holds for each popup whose task waits, without the rules.
private func memory(of crowd: Crowd) -> Figure {
    let before = bytes_in_use()
    var scheduler = crowd.scheduler()
    use(scheduler.handle(.started, at: .benchmark).count)
    let after = bytes_in_use()
    use(scheduler.isEmpty)
    let each = (Double(after) - Double(before)) / Double(crowd.count)
    return Figure("memory: waiting task, \(crowd.count)", .bytes, exactly: each)
}

extension LinearScheduler.Task {
    fileprivate static func waiting(_ number: Int, priority: Int) -> Self {
        Self(id: number, priority: priority) { $0[number] }
    }
}
