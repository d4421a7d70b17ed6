package import PopSource

/// What one editor may use up.
package struct ServerLimits: Sendable {
    /// Bytes of a message, its header apart; a document of 16 MiB fits with every byte escaped.
    package var messageBytes = 128 * 1024 * 1024
    /// Bytes of a header.
    package var headerBytes = 4 * 1024
    /// Bytes of an open document.
    package var documentBytes = 16 * 1024 * 1024
    /// Folders that are open at the same time.
    package var folders = 200
    /// Places in one request.
    package var positions = 1_000
    /// Bytes of the texts between the changes of one message, all together.
    package var changedBytes = 2_000_000_000
    /// Documents that are open at the same time.
    package var documents = 2_000
    /// Bytes of a message that is too large which are passed over; after the header of a larger
    /// message, the next header is looked for.
    package var skippedBytes = 1 << 30
    /// Requests that wait for an answer at the same time.
    package var pendingRequests = 256
    /// Messages after which the first of them is worked on, also while more messages wait.
    package var messagesOfTurn = 16
    /// How often such a turn asks whether the work may go on: about once in a millisecond.
    package var questionsOfTurn = 50
    /// What one request may use up; then it is answered from what is known.
    package var workOfRequest: [WorkBudget.Kind: Int] = [
        .logicSteps: 50_000_000, .comparedPairs: 4_000_000, .judgedPopups: 2_000_000,
        .simulatedSteps: 200_000, .generatedRows: 1_000_000,
    ]
    /// What one step of tests and advice may use up.
    package var workOfStep: [WorkBudget.Kind: Int] = [
        .logicSteps: 75_000_000, .comparedPairs: 20_000_000, .judgedPopups: 5_000_000,
        .simulatedSteps: 2_000_000, .generatedRows: 1_000_000,
    ]
    /// What is offered at one place.
    package var completions = 1_000
    /// Popups up to which nothing is told of how far the work is.
    package var quietPopups = 200
    /// Findings for which code actions are offered in one request, those at the range first.
    package var findingsOfActions = 100
    /// Symbols of the workspace that are answered.
    package var symbols = 1_000

    /// The standard limits, to change one by one.
    package init() {}

    /// 16 MiB a document, 2,000 documents, 1,000 completions.
    package static let standard = ServerLimits()
}
