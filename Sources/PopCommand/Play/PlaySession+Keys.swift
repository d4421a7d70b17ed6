import PopCEL
import PopEngine
import PopScheduler
import PopSource
import PopStories

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
        table.add("1 to 9", "closes the popup in that area; c closes the first popup")
        table.add("tab", "selects the next list; arrows, Page Up and Page Down scroll it")
        for usage in PlayOrder.usages { table.add(usage.order, usage.meaning) }
        let intro = ["Press : and type a command, then Enter; Escape cancels.", ""]
        state.reading = PlayState.Reading(texts: intro + table.lines)
    }
}
