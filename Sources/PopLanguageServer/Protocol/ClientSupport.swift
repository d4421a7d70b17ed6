internal import PopSource

/// What a client can do, as its `initialize` says.
struct ClientSupport: Sendable {
    var encoding = PositionEncoding.utf16
    /// Whether edits name the version of the document that they are for.
    var versionsEdits = false
    /// Whether it asks for findings, so that none are sent by themselves.
    var pullsDiagnostics = false
    var refreshesDiagnostics = false
    var refreshesLenses = false
    var watchesFiles = false
    var takesSnippets = false
    /// Whether it shows how far work is that takes long.
    var showsProgress = false
    /// Whether symbols may stand in each other.
    var nestsSymbols = false
    /// Whether texts may be Markdown.
    var takesMarkdown = false
    /// `off`, `messages` or `verbose`.
    var traces = "off"

    init(_ parameters: JSON) {
        let all = parameters["capabilities"]
        let (document, workspace) = (all?["textDocument"], all?["workspace"])
        let encodings = (all?["general"]?["positionEncodings"]?.items ?? []).compactMap(\.text)
        encoding = encodings.lazy.compactMap { PositionEncoding(rawValue: $0) }.first ?? .utf16
        versionsEdits = workspace?["workspaceEdit"]?["documentChanges"]?.bool ?? false
        pullsDiagnostics = document?["diagnostic"] != nil
        refreshesDiagnostics = workspace?["diagnostics"]?["refreshSupport"]?.bool ?? false
        refreshesLenses = workspace?["codeLens"]?["refreshSupport"]?.bool ?? false
        watchesFiles =
            workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
        showsProgress = all?["window"]?["workDoneProgress"]?.bool ?? false
        takesSnippets =
            document?["completion"]?["completionItem"]?["snippetSupport"]?.bool ?? false
        nestsSymbols =
            document?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.bool ?? false
        let formats = document?["hover"]?["contentFormat"]?.items ?? []
        takesMarkdown = formats.contains("markdown")
        traces = parameters["trace"]?.text ?? "off"
    }
}
