// Starts `poprules lsp` and shows what lenses answer as a document that cannot be written.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
const texts = new Map();

exports.activate = async (context) => {
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("poprules", {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "",
    })
  );
  const command = vscode.workspace.getConfiguration("poprules").get("path");
  client = new LanguageClient(
    "poprules", "poprules", { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "yaml" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml}") },
      middleware: {
        executeCommand: async (command, args, next) => {
          const answer = await next(command, args);
          if (!answer?.text) return answer;
          const uri = vscode.Uri.from({ scheme: "poprules", path: `/${answer.title}.txt` });
          texts.set(uri.path, answer.text);
          changed.fire(uri);
          await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
          return answer;
        },
      },
    }
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
