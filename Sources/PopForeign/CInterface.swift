public import CPoprules
internal import PopBacktest
internal import PopReplay
internal import PopSource
internal import PopWire

// The functions of poprules.h, which documents them; the compiler checks their signatures against
// it. All input from outside is validated here.

/// Returns the version of the interface.
@c @implementation
public func pop_abi_version() -> UInt32 { UInt32(POP_ABI_VERSION) }

/// Frees an answer.
@c @implementation
public func pop_free(_ answer: UnsafeMutablePointer<pop_answer>?) {
    guard let answer = unsafe answer else { return }
    unsafe answer.pointee.bytes?.deallocate()
    unsafe answer.pointee = pop_answer()
}

/// Forgets rules or a session.
@c @implementation
public func pop_close(
    _ handle: pop_handle, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        try handles.withLock { handles throws(ForeignError) in try handles.close(handle) }
        return []
    }
}

// MARK: Rules

/// Reads a bundle.
@c @implementation
public func pop_rules_from_bundle(
    _ bundle: UnsafePointer<UInt8>?, _ length: Int, _ rules: UnsafeMutablePointer<pop_handle>?,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe opening(rules, answer) { () throws(ForeignError) in
        (.rules(try LoadedRules(bundle: unsafe bytes(bundle, count: length))), [])
    }
}

/// Reads a rule file or a folder of them.
@c @implementation
public func pop_rules_from_path(
    _ path: UnsafePointer<CChar>?, _ rules: UnsafeMutablePointer<pop_handle>?,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe opening(rules, answer) { () throws(ForeignError) in
        let (rules, findings) = try LoadedRules.read(unsafe name(path))
        return (.rules(rules), Array(findings.utf8))
    }
}

/// Answers rules as a bundle.
@c @implementation
public func pop_rules_bundle(
    _ rules: pop_handle, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in try loaded(rules).rules.bundle() }
}

/// Answers the names of what rules have.
@c @implementation
public func pop_rules_describe(
    _ rules: pop_handle, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in try loaded(rules).description }
}

/// Answers all findings about a file or a folder.
@c @implementation
public func pop_check(
    _ path: UnsafePointer<CChar>?, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        Array(try check(unsafe name(path)).utf8)
    }
}

/// Evaluates an expression.
@c @implementation
public func pop_evaluate(
    _ rules: pop_handle, _ expression: UnsafePointer<CChar>?, _ context: UnsafePointer<CChar>?,
    _ at: UnsafePointer<CChar>?, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let value = try evaluation(
            of: unsafe text(expression, of: "expression"),
            context: unsafe context == nil ? "{}" : text(context, of: "context"),
            at: unsafe at == nil ? nil : text(at, of: "time"),
            in: rules == 0 ? nil : loaded(rules))
        return Array(value.utf8)
    }
}

/// Reports the effects of a change of rules.
@c @implementation
public func pop_diff(
    _ before: pop_handle, _ after: pop_handle, _ format: UnsafePointer<CChar>?,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let changes = try difference(
            from: loaded(before).rules, to: loaded(after).rules,
            format: unsafe text(format, of: "format"))
        return Array(changes.utf8)
    }
}

/// Plays the tests of a test file.
@c @implementation
public func pop_simulate(
    _ path: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let stories = try stories(
            of: unsafe name(path),
            text: unsafe text == nil ? nil : PopForeign.text(text, of: "text"))
        return Array(stories.utf8)
    }
}

// MARK: Sessions

/// Opens a session.
@c @implementation
public func pop_session_open(
    _ rules: pop_handle, _ request: UnsafePointer<UInt8>?, _ length: Int,
    _ session: UnsafeMutablePointer<pop_handle>?, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe opening(session, answer) { () throws(ForeignError) in
        let rules = try loaded(rules).rules
        let request = unsafe try bytes(request, count: length)
        return try readable { () throws(BundleError) in
            let (session, answer) = try ReplaySession.opened(by: request, rules: rules)
            return (.session(OpenSession(session)), lines([.object(answer)]))
        }
    }
}

/// Takes in the inputs of a request.
@c @implementation
public func pop_session_handle(
    _ session: pop_handle, _ request: UnsafePointer<UInt8>?, _ length: Int,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe asking(session, request, length, answer) { session, request throws(BundleError) in
        [try session.handle(request)]
    }
}

/// Takes in inputs, one a line.
@c @implementation
public func pop_session_handle_lines(
    _ session: pop_handle, _ lines: UnsafePointer<UInt8>?, _ length: Int,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe asking(session, lines, length, answer) { session, lines throws(BundleError) in
        try session.handle(lines: lines)
    }
}

/// Explains why popups show or do not.
@c @implementation
public func pop_session_explain(
    _ session: pop_handle, _ request: UnsafePointer<UInt8>?, _ length: Int,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe asking(session, request, length, answer) { session, request throws(BundleError) in
        [try session.explain(request)]
    }
}

/// Explains why popups would show or not after inputs.
@c @implementation
public func pop_session_suppose(
    _ session: pop_handle, _ request: UnsafePointer<UInt8>?, _ length: Int,
    _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe asking(session, request, length, answer) { session, request throws(BundleError) in
        [try session.suppose(request)]
    }
}

/// Answers what is known of the user.
@c @implementation
public func pop_session_history(
    _ session: pop_handle, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let session = try handles.withLock { handles throws(ForeignError) in
            try handles.session(session)
        }
        return lines([session.withSession { $0.history }])
    }
}

/// Plays inputs on a scheduler and discards it.
@c @implementation
public func pop_replay(
    _ request: UnsafePointer<UInt8>?, _ length: Int, _ answer: UnsafeMutablePointer<pop_answer>?
) -> pop_status {
    unsafe answering(answer) { () throws(ForeignError) in
        let request = unsafe try bytes(request, count: length)
        return lines([try readable { () throws(BundleError) in try replayed(request) }])
    }
}
