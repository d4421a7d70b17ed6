package import PopSource

/// The limits of the resources for one editor.
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
    /// The maximum number of bytes in the document between the changes of one message, in total.
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
    /// The number of times that such a turn checks whether the work may continue: about once per
    /// millisecond.
    package var questionsOfTurn = 50
    /// The work budget of one request; beyond it, the answer uses only what is known so far.
    package var workOfRequest: [WorkBudget.Kind: Int] = [
        .logicSteps: 50_000_000, .comparedPairs: 4_000_000, .judgedPopups: 2_000_000,
        .simulatedSteps: 200_000, .generatedRows: 1_000_000,
    ]
    /// The work budget of one step of tests and advice.
    package var workOfStep: [WorkBudget.Kind: Int] = [
        .logicSteps: 75_000_000, .comparedPairs: 20_000_000, .judgedPopups: 5_000_000,
        .simulatedSteps: 2_000_000, .generatedRows: 1_000_000,
    ]
    /// The maximum number of completions at one place.
    package var completions = 1_000
    /// The maximum number of popups for which no progress is reported.
    package var quietPopups = 200
    /// The maximum number of diagnostics for which one request offers code actions, those at the
    /// range first.
    package var findingsOfActions = 100
    /// Symbols of the workspace that are answered.
    package var symbols = 1_000

    /// The standard limits, to change one by one.
    package init() {}

    /// 16 MiB a document, 2,000 documents, 1,000 completions.
    package static let standard = ServerLimits()
}
