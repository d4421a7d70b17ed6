import Foundation
import PopCEL
import PopEngine
import PopRuleFiles
import PopScheduler
import PopSource
import PopTesting

/// An app in a terminal: the engine, its screen and a person at the keys.
@MainActor
final class PlaySession {
    private let engine: PopupEngine
    private let clock = SkippingClock()
    private let screen: PlayScreen
    private let terminal: RawTerminal
    private let style: TextStyle
    private let inputs: AsyncStream<PlayInput>
    private let sources: PlaySources
    private var rules: RuleSet
    private var state: PlayState
    private var keys = PlayKeyReader()
    private var frame = TerminalFrame()

    init(
        rules: RuleSet, path: String, context: [String: Value], style: TextStyle,
        terminal: RawTerminal
    ) {
        let (inputs, feed) = AsyncStream.makeStream(of: PlayInput.self)
        self.inputs = inputs
        sources = PlaySources(feed)
        screen = PlayScreen { feed.yield(.presented) }
        var options = EngineOptions()
        options.clock = clock
        engine = PopupEngine(
            rules: rules, presenter: screen, context: ContextStore(context), options: options)
        self.rules = rules
        self.terminal = terminal
        self.style = style
        state = PlayState(title: "poprules play \(path)")
    }

    /// Plays until a person quits or the process is asked to end; gives the exit code.
    func run(following source: RuleSource, describe: @escaping @Sendable (any Error) -> String)
        async -> Int32
    {
        await sources.listenToSignals()
        sources.follow(engine.events)
        engine.start()
        sources.follow(source, describe: describe)
        sources.tick()
        Terminal.put(TerminalFrame.enter)
        measure()
        draw()
        sources.listenToKeys()
        var status: Int32?
        for await input in inputs {
            status = handle(input)
            if status != nil { break }
            draw()
        }
        sources.stop()
        await engine.stop()
        Terminal.put(TerminalFrame.leave)
        terminal.restore()
        return status ?? ExitStatus.clean
    }

    /// The exit code, when it is time to go.
    private func handle(_ input: PlayInput) -> Int32? {
        switch input {
        case .typed(let bytes):
            for key in keys.keys(in: bytes) where press(key) == .end { return ExitStatus.clean }
        case .inputEnded: return ExitStatus.clean
        // As shells report it.
        case .signalled(let number): return 128 + number
        case .resized: measure()
        case .ticked, .presented: break
        case .told(let event): note(event)
        case .rules(let rules):
            self.rules = rules
            state.rulesError = nil
            engine.reload(rules)
        case .refused(let message):
            state.rulesError = message
            engine.refuseRules(message)
        }
        return nil
    }

    private func note(_ event: EngineEvent) {
        switch event.kind {
        case .scheduler(let event): state.note(event.logLine)
        case .historyUnavailable(let message): state.note("history unavailable: \(message)")
        case .historyRestored: state.note("history restored")
        case .historyLost(let records): state.note("\(records) records of the history lost")
        case .remark(let remark): state.note("\(remark)")
        case .eventsLeftOut(let count): state.note("\(count) events left out")
        case .mainActorBlocked: state.note("the main actor does not answer")
        case .mainActorFree: state.note("the main actor answers again")
        case .rulesRefused: state.note("rules refused, the last good ones go on")
        case .rulesReloaded: state.note("rules reloaded")
        }
    }

    // MARK: Drawing

    private func measure() {
        let size = terminal.size ?? (PlayPage.leastColumns, PlayPage.leastRows)
        state.columns = size.columns
        state.rows = size.rows
        frame.reset()
    }

    private func draw() {
        read()
        let page = PlayPage(state, style: style)
        Terminal.put(frame.update(to: page.lines, cursorColumn: page.cursorColumn))
    }

    /// Brings the state to what the engine says now.
    private func read() {
        state.date = Timestamp(seconds: clock.now.date.seconds)
        state.skipped = clock.skipped
        screen.keep(only: engine.showing)
        let waiting = engine.waiting
        state.suspended = engine.suspended
        state.areas = rules.schedulers.map { scheduler in
            PlayState.Area(
                scheduler: scheduler.name,
                shown: screen[scheduler.name].map { PlayState.Shown($0) },
                waiting: (waiting[scheduler.name] ?? []).map { id in
                    let reason = engine.explain(id)?.reason?.rawValue
                    return PlayState.Waiting(popup: id, reason: reason ?? "showing")
                })
        }
        let values = engine.context.snapshot
        state.context = rules.keys.map { key in
            (key.name, (values[key.name] as Value?).map { "\($0)" } ?? "missing")
        }
    }
}

// MARK: Keys

extension PlaySession {
    private enum Outcome {
        case goOn
        case end
    }

    private func press(_ key: PlayKey) -> Outcome {
        if key == .interrupt { return .end }
        guard case .typing(let text) = state.line else { return pressSingle(key) }
        switch key {
        case .character(let character):
            if text.utf8.count < Self.longestLine { state.line = .typing(text + "\(character)") }
        case .backspace: state.line = text.isEmpty ? .keys : .typing(String(text.dropLast()))
        case .clear: state.line = .typing("")
        case .escape, .interrupt: state.line = .keys
        case .enter:
            state.line = .keys
            return obey(text)
        }
        return .goOn
    }

    private static let longestLine = 4096

    private func pressSingle(_ key: PlayKey) -> Outcome {
        if state.isHelpShown {
            state.isHelpShown = false
            return key == .character("q") ? .end : .goOn
        }
        switch key {
        case .enter, .character(":"): state.line = .typing("")
        case .character("c"): close(state.areas.first { $0.shown != nil })
        case .character("s"): suspend(engine.suspended.count < rules.schedulers.count)
        case .character("t"): skip(.seconds(10))
        case .character("m"): skip(.seconds(60))
        case .character("h"): skip(.seconds(3600))
        case .character("d"): skip(.seconds(86_400))
        case .character("?"): state.isHelpShown = true
        case .character("q"): return .end
        case .character(let character):
            guard let number = character.wholeNumberValue, number > 0 else { break }
            close(state.areas.dropFirst(number - 1).first)
        default: break
        }
        return .goOn
    }

    private func close(_ area: PlayState.Area?) {
        guard let popup = area?.shown?.popup else {
            state.message = "there is nothing to close"
            return
        }
        state.message = "closed \(popup)"
        engine.userClosed(popup)
    }

    private func suspend(_ isSuspended: Bool) {
        state.message = isSuspended ? "suspended: nothing new shows" : "resumed"
        if isSuspended { engine.suspend() } else { engine.resume() }
    }

    private func skip(_ duration: Duration) {
        clock.skip(by: duration)
        engine.poke()
        state.message = "skipped \(timeText(duration))"
    }

    private func obey(_ line: String) -> Outcome {
        guard !line.allSatisfy(\.isWhitespace) else { return .goOn }
        do {
            let order = try PlayOrder(line, rules: rules)
            state.message = line
            return obey(order)
        } catch {
            state.message = error.message
            return .goOn
        }
    }

    private func obey(_ order: PlayOrder) -> Outcome {
        switch order {
        case .set(let values):
            engine.context.update { context in
                for (key, value) in values { context[key] = value }
            }
        case .unset(let key): engine.context[key] = Value?.none
        case .send(let event, let payload): engine.send(event, payload)
        case .enqueue(let popup): engine.enqueue(popup)
        case .close(let popup): engine.userClosed(popup)
        case .dismiss(let popup): engine.dismiss(popup)
        case .remove(let popup): engine.remove(popup)
        case .suspend(nil): suspend(true)
        case .resume(nil): suspend(false)
        case .suspend(let scheduler): engine.suspend(scheduler: scheduler)
        case .resume(let scheduler): engine.resume(scheduler: scheduler)
        case .skip(let duration): skip(duration)
        case .why(let popup):
            state.message = engine.explain(popup)?.sentence ?? "there is no popup `\(popup)`"
        case .user(let name): Task { await engine.switchUser(name) }
        case .help: state.isHelpShown = true
        case .quit: return .end
        }
        return .goOn
    }
}
