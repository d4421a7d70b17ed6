import PopCEL
import PopEngine
import PopExplanations
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories

/// An app in a terminal: the engine, its screen and a user at the keyboard.
@MainActor
final class PlaySession {
    let engine: PopupEngine
    let clock = SkippingClock()
    let screen: PlayScreen
    private let terminal: RawTerminal
    private let style: TextStyle
    private let inputs: AsyncStream<PlayInput>
    private let sources: PlaySources
    private(set) var rules: RuleSet
    var state: PlayState
    private var keys = PlayKeyReader()
    /// The initial values of the keys.
    private let firstValues: [String: Value]
    /// The event fields that created the tasks of popups, by the popup's ID.
    private var payloads: [String: (task: TaskID, fields: [String: Value])] = [:]
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
        firstValues = PlaySession.values(of: rules, in: engine.context)
        self.rules = rules
        self.terminal = terminal
        self.style = style
        state = PlayState(title: "poprules play \(path)")
        screen.values = { [weak self] popup in self?.values(for: popup) ?? [:] }
    }

    /// Plays until the user quits or the process is asked to end; returns the exit code.
    func run(following source: RuleSource, describe: @escaping @Sendable (any Error) -> String)
        async -> Int32
    {
        await sources.listenToSignals()
        sources.follow(engine.events)
        engine.start()
        sources.follow(source, describe: describe)
        sources.tick()
        Terminal.show(TerminalFrame.enter)
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
        Terminal.show(TerminalFrame.leave)
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

    /// Adds a line to the log, with the time of day of the simulated clock.
    private func note(_ text: String) {
        let time = "\(Timestamp(seconds: clock.now.date.seconds))".dropFirst(11).prefix(8)
        state.note("\(time)  \(text.prefix(PlayLimits.logLine))")
    }

    private func note(_ event: EngineEvent) {
        switch event.kind {
        case .scheduler(let event): if let words = event.words { note(words) }
        case .historyUnavailable(let error): note("history unavailable: \(error)")
        case .historyRestored: note("history restored")
        case .historyLost(let records): note("\(records) history records lost")
        case .removalsLost(let users): note("removing \(users) users from the history failed")
        case .remark(let remark): note("\(remark)")
        case .eventsLeftOut(let count): note("\(count) events left out")
        case .mainActorBlocked: note("the main actor does not respond")
        case .mainActorFree: note("the main actor responds again")
        case .rulesRefused: note("rules have errors; the last valid rules stay")
        case .rulesReloaded: note("rules reloaded")
        }
    }

    // MARK: Drawing

    private func measure() {
        let size = terminal.size ?? (80, 24)
        state.columns = min(size.columns, PlayLimits.terminal)
        state.rows = min(size.rows, PlayLimits.terminal)
        state.scroll(by: 0)
        frame.reset()
    }

    private func draw() {
        read()
        let page = PlayPage(state, style: style)
        Terminal.show(frame.update(to: page.lines, cursorColumn: page.cursorColumn))
    }

    /// Updates the state from the engine.
    private func read() {
        state.date = Timestamp(seconds: clock.now.date.seconds)
        state.skipped = clock.skipped
        let showing = engine.showing
        screen.keep(only: showing)
        state.suspended = engine.suspended
        state.areas = rules.schedulers.map {
            PlayState.Area(scheduler: $0.name, shown: screen[$0.name])
        }
        readPopups(showing: Set(showing.values))
        readContext()
    }

    /// Reads the popups that aren't on a screen; explanations are only read for those in sight.
    private func readPopups(showing: Set<String>) {
        let waiting = engine.waiting
        var listed: [PlayState.Listed] = []
        var seen = showing
        for (index, lane) in rules.schedulers.enumerated() {
            for (place, popup) in (waiting[lane.name] ?? []).enumerated() {
                seen.insert(popup)
                listed.append(
                    PlayState.Listed(
                        popup: popup, scheduler: index == 0 ? nil : lane.name, place: place + 1))
            }
        }
        for popup in rules.popups where !seen.contains(popup.id) {
            let lane = rules.schedulers[popup.scheduler].name
            listed.append(
                PlayState.Listed(popup: popup.id, scheduler: popup.scheduler == 0 ? nil : lane))
        }
        state.popups = listed
        state.reasons = [:]
        for popup in state.inSight.map(\.popup) {
            state.reasons[popup] = engine.explain(popup)?.words ?? ""
        }
    }

    private func readContext() {
        let now = Self.values(of: rules, in: engine.context)
        let keys = rules.keys.map { key in
            PlayState.Key(
                name: key.name, value: now[key.name].map { bounded("\($0)") } ?? "missing",
                isChanged: now[key.name] != firstValues[key.name])
        }
        state.context = keys.filter(\.isChanged) + keys.filter { !$0.isChanged }
    }

    private static func values(of rules: RuleSet, in context: ContextStore) -> [String: Value] {
        let values = context.snapshot
        var result: [String: Value] = [:]
        for key in rules.keys { result[key.name] = values[key.name] as Value? }
        return result
    }

    /// Returns the placeholder values of a popup: the context, and the event that created its task.
    private func values(for popup: Popup) -> [String: Value] {
        var values = Self.values(of: rules, in: engine.context)
        guard let payload = payloads[popup.id], payload.task == popup.presentation.task else {
            return values
        }
        for (name, value) in payload.fields { values["event.\(name)"] = value }
        return values
    }

    /// Sends an event, and keeps its payload for the popups of which it makes a task.
    func send(_ event: String, payload: [String: Value]) {
        let triggered = rules.popups.filter { $0.isTriggered(by: event, in: rules) }.map(\.id)
        let before = triggered.map { engine.explain($0)?.task }
        engine.send(event, payload)
        for (popup, old) in zip(triggered, before) {
            guard let task = engine.explain(popup)?.task, task != old else { continue }
            payloads[popup] = (task, payload)
        }
    }
}

extension PopupRule {
    fileprivate func isTriggered(by event: String, in rules: RuleSet) -> Bool {
        triggers.contains { trigger in
            if case .event(let trigger) = trigger {
                rules.events[trigger.event].name == event
            } else {
                false
            }
        }
    }
}

/// The effects of keys and commands.
extension PlaySession {
    enum Outcome {
        case goOn
        case end
    }

    func press(_ key: PlayKey) -> Outcome {
        if key == .interrupt { return .end }
        guard case .typing(let text) = state.line else { return pressSingle(key) }
        switch key {
        case .character(let character):
            if text.utf8.count < PlayLimits.order { state.line = .typing(text + "\(character)") }
        case .backspace: state.line = text.isEmpty ? .keys : .typing(String(text.dropLast()))
        case .clear: state.line = .typing("")
        case .escape, .interrupt: state.line = .keys
        case .enter:
            state.line = .keys
            return obey(text)
        case .tab, .up, .down, .pageUp, .pageDown, .home, .end: break
        }
        return .goOn
    }

    private func pressSingle(_ key: PlayKey) -> Outcome {
        if scroll(key) { return .goOn }
        if state.reading != nil {
            state.reading = nil
            return .goOn
        }
        switch key {
        case .enter, .character(":"): state.line = .typing("")
        case .tab: state.pane = state.pane.next
        case .character("c"): close(state.areas.first { $0.shown != nil })
        case .character("s"): suspend(engine.suspended.count < rules.schedulers.count)
        case .character("t"): skip(.seconds(10))
        case .character("m"): skip(.seconds(60))
        case .character("h"): skip(.seconds(3600))
        case .character("d"): skip(.seconds(86_400))
        case .character("w"): if let first = state.inSight.first { explain(first.popup) }
        case .character("?"): showHelp()
        case .character("q"): return .end
        case .character(let character):
            guard let number = character.wholeNumberValue, number > 0 else { break }
            close(state.areas.dropFirst(number - 1).first)
        case .backspace, .escape, .up, .down, .pageUp, .pageDown, .home, .end, .clear, .interrupt:
            break
        }
        return .goOn
    }

    /// Scrolls for a key; returns false if the key doesn't scroll.
    private func scroll(_ key: PlayKey) -> Bool {
        let page = max(PlayPage.readingRows(state.rows) - 1, 1)
        switch key {
        case .up, .character("k"): state.scroll(by: -1)
        case .down, .character("j"): state.scroll(by: 1)
        case .pageUp: state.scroll(by: -page)
        case .pageDown: state.scroll(by: page)
        case .home: state.scroll(by: -state.longest)
        case .end: state.scroll(by: state.longest)
        case .character, .enter, .backspace, .escape, .tab, .clear, .interrupt: return false
        }
        return true
    }

    private func close(_ area: PlayState.Area?) {
        guard let popup = area?.shown?.popup else {
            state.message = "there is no popup to close"
            return
        }
        state.message = "closed \(popup)"
        engine.userClosed(popup)
    }

    private func suspend(_ isSuspended: Bool) {
        state.message = isSuspended ? "suspended: no new popups show" : "resumed"
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
        case .send(let event, let payload): send(event, payload: payload)
        case .enqueue(let popup): engine.enqueue(popup)
        case .close(let popup): engine.userClosed(popup)
        case .act(let popup, let action): engine.acted(popup, action)
        case .dismiss(let popup): engine.dismiss(popup)
        case .remove(let popup): engine.remove(popup)
        case .suspend(nil): suspend(true)
        case .resume(nil): suspend(false)
        case .suspend(let scheduler): engine.suspend(scheduler: scheduler)
        case .resume(let scheduler): engine.resume(scheduler: scheduler)
        case .skip(let duration): skip(duration)
        case .why(let popup): explain(popup)
        case .user(let name): Task { await engine.switchUser(name) }
        case .help: showHelp()
        case .quit: return .end
        }
        return .goOn
    }

    private func explain(_ popup: String) {
        guard let explanation = engine.explain(popup) else {
            state.message = "there is no popup `\(popup)`"
            return
        }
        state.reading = PlayState.Reading(texts: explanation.lines(in: rules))
    }

    private func showHelp() {
        var table = TextTable(indent: 2)
        table.add("1 to 9", "closes the popup in this area; c closes the first popup")
        table.add("tab", "selects the next list; arrows, Page Up and Page Down scroll it")
        for usage in PlayOrder.usages { table.add(usage.order, usage.meaning) }
        let intro = ["Press : and type a command, then Enter; Escape cancels.", ""]
        state.reading = PlayState.Reading(texts: intro + table.lines)
    }
}
