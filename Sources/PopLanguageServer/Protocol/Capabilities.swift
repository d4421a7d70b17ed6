internal import PopSource

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
