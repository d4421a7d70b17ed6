package import PopCEL
internal import PopRuleFiles
package import PopSource

/// The server of one editor (Language Server Protocol 3.17): messages in, messages out.
///
/// It reads files, and writes none. It does one thing at a time; slow work is done by `settle`
/// while no message waits: requests that need the meaning of conditions, then tests and advice.
package struct LanguageServer: Sendable {
    package enum Phase: Sendable, Hashable {
        /// Until `initialize`.
        case fresh
        case running
        /// From `shutdown` on: only `exit` follows.
        case shutDown
        case ended
    }

    package private(set) var phase = Phase.fresh
    /// Indicates whether `exit` came without `shutdown`.
    package private(set) var endedEarly = false

    let limits: ServerLimits
    private let clock: @Sendable () -> Timestamp
    var client = ClientSupport(.null)
    var desk: ServerState
    /// The diagnostics that were last sent to the client, by URI.
    private var published: [String: JSON] = [:]
    private var requests = 0
    /// Requests that are answered while no message waits.
    var pending = PendingRequests()
    /// The work budget of the current request.
    var budget: WorkBudget
    /// The token of the work whose progress the client receives; nil without such work.
    private var work: String?

    /// Creates a server for an editor that has not sent a message yet; `clock` returns the time,
    /// `zone` is the time zone of the device.
    package init(
        limits: ServerLimits = .standard, zone: String? = nil,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.limits = limits
        self.clock = clock
        budget = WorkBudget(limits.workOfRequest)
        desk = ServerState(limits: limits)
        desk.zone = zone
    }

    /// Indicates whether `settle` has work to do.
    package var isUnsettled: Bool {
        phase == .running && (pending.count > 0 || desk.unsettled != nil)
    }

    /// Handles a message; returns the messages to send. Slow requests may be answered later.
    /// Documents are looked at once no more of their messages come: `hasMore` indicates that the
    /// next message is already known.
    package mutating func handle(_ message: Message, hasMore: Bool = false) -> [JSON] {
        if phase == .running, case .notification(let method, let parameters) = message, hasMore,
            method == "textDocument/didOpen" || method == "textDocument/didChange"
        {
            return note(method, parameters: parameters) + endStale()
        }
        desk.takeUpWaiting()
        return take(message) + (phase == .running ? takeTurn() : endPending())
    }

    private mutating func take(_ message: Message) -> [JSON] {
        switch message {
        case .request(let id, let method, let parameters):
            if phase == .running, let feature = Feature.named(method),
                feature.takesLong(&self, parameters)
            {
                return putOff(id, feature, parameters) + news
            }
            budget = WorkBudget(limits.workOfRequest)
            do throws(ResponseError) {
                return [.response(to: id, try answer(method, parameters: parameters))] + news
            } catch {
                return [.response(to: id, failure: error)] + news
            }
        case .notification(let method, let parameters):
            let answers = note(method, parameters: parameters)
            desk.takeUpWaiting()
            let isOver = desk.unsettled.map { !desk.projects[$0].isHalfSettled } ?? true
            return answers + endStale() + (isOver ? endOfWork : []) + news
        case .response: return []
        case .malformed(let id, let failure): return [.response(to: id, failure: failure)]
        }
    }

    /// Performs the next step of slow work: answers the first request that was put off, and if no
    /// request was put off, runs tests and advice. `isInterrupted` returns true if a message waits;
    /// then the rest is left for later.
    package mutating func settle(
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) -> [JSON] {
        if hasPending { return answerFirst(until: isInterrupted) + news }
        guard let index = desk.unsettled else { return [] }
        var messages: [JSON] = []
        let hasMore: Bool
        do {
            hasMore = try desk.projects[index].settleNext(
                within: limits.workOfStep, until: isInterrupted)
        } catch {
            return endOfWork
        }
        if hasMore { desk.outdate(index) }
        messages += news + progress(of: index)
        guard desk.projects[index].isSettled else { return messages }
        if client.pullsDiagnostics, client.refreshesDiagnostics {
            messages.append(request("workspace/diagnostic/refresh", parameters: .null))
        }
        if client.refreshesLenses {
            messages.append(request("workspace/codeLens/refresh", parameters: .null))
        }
        return messages
    }

    private mutating func request(_ method: String, parameters: JSON) -> JSON {
        requests += 1
        return .request(method, parameters: parameters, id: "poprules-\(requests)")
    }
}

// MARK: - life

extension LanguageServer {
    private mutating func answer(_ method: String, parameters: JSON) throws(ResponseError) -> JSON {
        switch (phase, method) {
        case (.fresh, "initialize"): return initialize(parameters)
        case (.fresh, _):
            throw ResponseError(.serverNotInitialized, "`initialize` must be the first request")
        case (.running, "initialize"):
            throw ResponseError(.invalidRequest, "`initialize` may be sent only once")
        case (.running, "shutdown"):
            phase = .shutDown
            return .null
        case (.running, _):
            guard let feature = Feature.named(method) else {
                throw ResponseError(.methodNotFound, "unknown method `\(method)`")
            }
            return try feature.answer(&self, parameters)
        case (.shutDown, _), (.ended, _):
            throw ResponseError(.invalidRequest, "only `exit` is allowed after `shutdown`")
        }
    }

    private mutating func initialize(_ parameters: JSON) -> JSON {
        client = ClientSupport(parameters)
        phase = .running
        desk.encoding = client.encoding
        desk.now = clock()
        var folders = (parameters["workspaceFolders"]?.items ?? []).compactMap { $0["uri"]?.text }
        if folders.isEmpty, let root = parameters["rootUri"]?.text { folders = [root] }
        desk.folders = Array(
            folders.lazy.compactMap { DocumentURI.path(of: $0) }.prefix(limits.folders))
        for folder in desk.folders { ProtectedFolders.add(projectOf: folder) }
        return .object([
            "capabilities": Capabilities.json(for: client),
            "serverInfo": .object([
                "name": "poprules", "version": .string(Product.version),
            ]),
        ])
    }

    private mutating func note(_ method: String, parameters: JSON) -> [JSON] {
        if method == "exit" {
            endedEarly = phase != .shutDown
            phase = .ended
            return []
        }
        guard phase == .running else { return [] }
        desk.now = clock()
        do throws(ResponseError) {
            switch method {
            case "initialized":
                desk.openFolders()
                return client.watchesFiles ? [watchRequest()] : []
            case "textDocument/didOpen": try desk.open(parameters)
            case "textDocument/didChange": try desk.change(parameters)
            case "textDocument/didClose": desk.close(parameters)
            case "textDocument/didSave": desk.save(parameters)
            case "workspace/didChangeWatchedFiles": desk.filesChanged(parameters)
            case "workspace/didChangeWorkspaceFolders": desk.foldersChanged(parameters)
            case "$/cancelRequest": return cancel(parameters)
            case "$/setTrace": client.traces = parameters["value"]?.text ?? "off"
            default: break
            }
        } catch {
            return [.logMessage("\(method): \(error.message)", level: 2)]
        }
        guard client.traces == "verbose" else { return [] }
        return [
            .notification(
                "$/logTrace", parameters: .object(["message": .string("handled \(method)")]))
        ]
    }

    /// Requests notifications of files that change outside of the editor.
    private mutating func watchRequest() -> JSON {
        request(
            "client/registerCapability",
            parameters: .object([
                "registrations": [
                    .object([
                        "id": "poprules-files", "method": "workspace/didChangeWatchedFiles",
                        "registerOptions": .object([
                            "watchers": [
                                .object(["globPattern": "**/*.yaml"]),
                                .object(["globPattern": "**/*.yml"]),
                            ]
                        ]),
                    ])
                ]
            ]))
    }
}

// MARK: - findings

extension LanguageServer {
    /// Returns the messages with new diagnostics for the client.
    private mutating func newFindings() -> [JSON] {
        let all = desk.findings()
        guard !client.pullsDiagnostics else { return [] }
        var messages: [JSON] = []
        for uri in Set(published.keys).union(all.keys).sorted() {
            let list = all[uri] ?? .array([])
            guard list != published[uri] ?? .array([]) else { continue }
            published[uri] = list.items.isEmpty ? nil : list
            messages.append(
                .notification(
                    "textDocument/publishDiagnostics",
                    parameters: .object([
                        "uri": .string(uri), "version": desk.version(of: uri).map(JSON.int),
                        "diagnostics": list,
                    ])))
        }
        return messages
    }

    private var news: [JSON] {
        mutating get {
            guard phase == .running else { return [] }
            return desk.takeLog() + (desk.hasNews ? newFindings() : [])
        }
    }
}

// MARK: - progress

extension LanguageServer {
    /// Reports the progress of the work on a project, if the project is so large that users may
    /// wait.
    private mutating func progress(of index: Int) -> [JSON] {
        let project = desk.projects[index]
        guard let (activity, percent) = project.progress else { return endOfWork }
        guard client.showsProgress, project.popupCount > limits.quietPopups else { return [] }
        let state: [JSON.Member] = [
            .init(key: "message", value: .string(activity)),
            .init(key: "percentage", value: .int(percent)),
        ]
        if let work { return [Self.progress(work, kind: "report", state: state)] }
        let token = "poprules-work-\(requests)"
        work = token
        return [
            request(
                "window/workDoneProgress/create", parameters: .object(["token": .string(token)])),
            Self.progress(
                token, kind: "begin", state: [.init(key: "title", value: "poprules")] + state),
        ]
    }

    private var endOfWork: [JSON] {
        mutating get {
            defer { work = nil }
            return work.map { [Self.progress($0, kind: "end", state: [])] } ?? []
        }
    }

    private static func progress(
        _ token: String, kind: String, state: [JSON.Member]
    ) -> JSON {
        let value = JSON.object([.init(key: "kind", value: .string(kind))] + state)
        return .notification(
            "$/progress", parameters: .object(["token": .string(token), "value": value]))
    }
}

extension JSON {
    /// A line for the log of the client; 1 is an error, 2 a warning, 3 information.
    static func logMessage(_ text: String, level: Int) -> JSON {
        .notification(
            "window/logMessage",
            parameters: .object(["type": .int(level), "message": .string("poprules: \(text)")]))
    }
}
