internal import PopSource

/// A request that takes longer than the files themselves, until it is answered.
///
/// It is worked on while no message waits. If one comes, the work is given up and done again
/// later, with what is left of its budget: at the end of that the request is answered from what is
/// known.
struct PendingRequest: Sendable {
    let id: JSON
    let feature: Feature
    let parameters: JSON
    /// The URI of the document that it is about, and the version of its content.
    let document: (uri: String, edition: Int)?
    let budget: WorkBudget
}

/// Requests in the order in which they are answered.
struct PendingRequests: Sendable {
    private var requests: [PendingRequest] = []
    /// Messages that were handled since the first request was worked on last.
    private var messages = 0

    var count: Int { requests.count }
    var first: PendingRequest? { requests.first }

    mutating func add(_ request: PendingRequest) { requests.append(request) }

    mutating func removeFirst() -> PendingRequest? {
        messages = 0
        return requests.isEmpty ? nil : requests.removeFirst()
    }

    /// Removes and returns the requests with an ID.
    mutating func remove(_ id: JSON) -> [PendingRequest] {
        let found = requests.filter { $0.id == id }
        if !found.isEmpty { requests.removeAll { $0.id == id } }
        return found
    }

    /// Takes out all of them.
    mutating func removeAll() -> [PendingRequest] {
        defer { requests = [] }
        return requests
    }

    /// Removes and returns the requests about outdated contents.
    mutating func removeStale(_ edition: (String) -> Int?) -> [PendingRequest] {
        func isStale(_ request: PendingRequest) -> Bool {
            request.document.map { edition($0.uri) != $0.edition } ?? false
        }
        let found = requests.filter(isStale)
        if !found.isEmpty { requests.removeAll(where: isStale) }
        return found
    }

    /// Counts a message; answers whether the first request is due, however many more there are.
    mutating func isDue(afterMessages most: Int) -> Bool {
        if requests.isEmpty { return false }
        messages += 1
        guard messages >= most else { return false }
        messages = 0
        return true
    }
}

// MARK: - the server's

extension LanguageServer {
    /// Indicates whether a request waits, so that it should be processed immediately.
    package var hasPending: Bool { phase == .running && pending.count > 0 }

    /// Puts a request off until no message waits; answers it where too many wait.
    mutating func putOff(_ id: JSON, _ feature: Feature, _ parameters: JSON) -> [JSON] {
        guard pending.count < limits.pendingRequests else {
            let message = "more than \(limits.pendingRequests) requests are waiting"
            return [.response(to: id, failure: ResponseError(.requestFailed, message))]
        }
        let uri = parameters["textDocument"]?["uri"]?.text
        pending.add(
            PendingRequest(
                id: id, feature: feature, parameters: parameters,
                document: uri.flatMap { uri in desk.document(uri).map { (uri, $0.edition) } },
                budget: WorkBudget(limits.workOfRequest)))
        return []
    }

    /// Ends requests with an id that the client has no use for any more.
    mutating func cancel(_ parameters: JSON) -> [JSON] {
        guard let id = parameters["id"] else { return [] }
        return end(pending.remove(id), by: ResponseError(.requestCancelled, "cancelled"))
    }

    /// Ends the requests about outdated contents: their positions are no longer valid.
    mutating func endStale() -> [JSON] {
        let stale = pending.removeStale { [desk] in desk.document($0)?.edition }
        return end(stale, by: ResponseError(.contentModified, "the document has changed"))
    }

    /// Ends all of them.
    mutating func endPending() -> [JSON] {
        end(pending.removeAll(), by: ResponseError(.requestCancelled, "the server shuts down"))
    }

    private func end(_ requests: [PendingRequest], by failure: ResponseError) -> [JSON] {
        for request in requests { request.budget.cancel() }
        return requests.map { .response(to: $0.id, failure: failure) }
    }

    /// Works on the first request; keeps it if `isInterrupted` returns true before the end.
    mutating func answerFirst(until isInterrupted: @escaping @Sendable () -> Bool) -> [JSON] {
        guard let request = pending.first else { return [] }
        let before = self
        budget = request.budget
        defer { budget = WorkBudget(limits.workOfRequest) }
        let answer = request.budget.work(until: isInterrupted) { () -> JSON in
            do throws(ResponseError) {
                return .response(
                    to: request.id, try request.feature.answer(&self, request.parameters))
            } catch {
                return .response(to: request.id, failure: error)
            }
        }
        guard let answer else {
            // Partial results are discarded.
            self = before
            return []
        }
        _ = pending.removeFirst()
        return [answer]
    }

    /// Works on the first request for a while, if many messages came since that was done last: so
    /// that a client which never stops gets an answer too.
    mutating func takeTurn() -> [JSON] {
        guard pending.isDue(afterMessages: limits.messagesOfTurn) else { return [] }
        let questions = LockedValue(limits.questionsOfTurn)
        return answerFirst {
            questions.withLock { left in
                left -= 1
                return left < 0
            }
        }
    }
}
