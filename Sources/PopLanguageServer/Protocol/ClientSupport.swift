internal import PopSource

/// The capabilities of a client, as its `initialize` declares them.
struct ClientSupport: Sendable {
    var encoding = PositionEncoding.utf16
    /// Indicates whether edits name the version of their document.
    var versionsEdits = false
    /// Indicates whether it pulls diagnostics, so that none are pushed.
    var pullsDiagnostics = false
    var refreshesDiagnostics = false
    var refreshesLenses = false
    var watchesFiles = false
    var takesSnippets = false
    /// Indicates whether it shows the progress of slow work.
    var showsProgress = false
    /// Indicates whether symbols may be nested.
    var nestsSymbols = false
    /// Indicates whether strings may be Markdown.
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

/// The capabilities that the server announces.
enum Capabilities {
    static func json(for client: ClientSupport) -> JSON {
        .object([
            "positionEncoding": .string(client.encoding.rawValue),
            "textDocumentSync": .object([
                "openClose": true, "change": .int(2), "save": true,
            ]),
            "completionProvider": .object([
                "triggerCharacters": [".", "\"", "'", " ", ":", "{", "[", "("]
            ]),
            "signatureHelpProvider": .object(["triggerCharacters": ["(", ","]]),
            "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
            "documentHighlightProvider": true, "documentSymbolProvider": true,
            "workspaceSymbolProvider": true, "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "documentLinkProvider": .object(["resolveProvider": false]),
            "renameProvider": .object(["prepareProvider": true]),
            "callHierarchyProvider": true,
            "codeActionProvider": .object([
                "codeActionKinds": ["quickfix", "source.fixAll"]
            ]),
            "codeLensProvider": .object(["resolveProvider": false]),
            "inlayHintProvider": true, "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": .object(["firstTriggerCharacter": "\n"]),
            "semanticTokensProvider": .object([
                "legend": SemanticTokens.legend, "full": true, "range": true,
            ]),
            "diagnosticProvider": client.pullsDiagnostics
                ? .object([
                    "identifier": "poprules", "interFileDependencies": true,
                    "workspaceDiagnostics": true,
                ]) : nil,
            "executeCommandProvider": .object([
                "commands": .array(ServerCommand.allCases.map { .string($0.rawValue) })
            ]),
            "workspace": .object([
                "workspaceFolders": .object(["supported": true, "changeNotifications": true])
            ]),
        ])
    }
}
