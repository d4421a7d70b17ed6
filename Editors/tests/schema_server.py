"""Stands in for yaml-language-server, which needs npm: it announces the same, knows popups by the schema that a file's first
line names, as far as keys of popups go, and heeds the settings that switch it off. Speaks over standard input and output."""
import json
import pathlib
import re
import sys
import urllib.parse

settings = {"validate": True, "completion": True, "hover": True, "format": {"enable": True}}
texts = {}


def read():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def keys_of_popups(uri):
    """Nothing is known of a file whose first line names no schema."""
    named = re.match(r"# yaml-language-server: \$schema=(\S+)", texts.get(uri, ""))
    if not named:
        return {}
    path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path)).parent / named[1]
    definitions = json.loads(path.read_text())["definitions"]
    return definitions["popup"]["properties"]


def lines_of_popups(uri):
    lines = texts.get(uri, "").split("\n")
    start = lines.index("popups:") if "popups:" in lines else len(lines)
    for number in range(start, len(lines)):
        if key := re.match(r"    (\w+):", lines[number]):
            yield number, key[1]


def diagnostics(uri):
    known = keys_of_popups(uri)
    wrong = [(n, key) for n, key in lines_of_popups(uri) if known and key not in known]
    send(method="textDocument/publishDiagnostics", params={"uri": uri, "diagnostics": [
        {"range": {"start": {"line": n, "character": 4}, "end": {"line": n, "character": 4 + len(key)}},
         "severity": 1, "source": "yaml-schema", "message": f"Property {key} is not allowed."}
        for n, key in wrong] if settings["validate"] else []})


def answer(method, params):
    if method == "initialize":
        return {"capabilities": {
            "textDocumentSync": 1, "completionProvider": {"resolveProvider": False}, "hoverProvider": True,
            "documentSymbolProvider": True, "documentFormattingProvider": True,
            "documentOnTypeFormattingProvider": {"firstTriggerCharacter": "\n"}, "definitionProvider": True,
            "renameProvider": {"prepareProvider": True}, "documentLinkProvider": {}, "foldingRangeProvider": True,
            "selectionRangeProvider": True, "codeActionProvider": True, "codeLensProvider": {"resolveProvider": False}}}
    uri = params.get("textDocument", {}).get("uri") if params else None
    if method == "textDocument/completion" and settings["completion"]:
        return [{"label": key, "kind": 10, "insertText": f"{key}: "} for key in keys_of_popups(uri)]
    if method == "textDocument/hover" and settings["hover"]:
        line = params["position"]["line"]
        for number, key in lines_of_popups(uri):
            if number == line and key in keys_of_popups(uri):
                return {"contents": {"kind": "markdown", "value": keys_of_popups(uri)[key].get("description", key)}}
    if method == "textDocument/formatting" and settings["format"]["enable"]:
        text = texts[uri]
        return [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}},
                 "newText": text}]
    return None if method in ("shutdown", "textDocument/hover") else []


while (message := read()) is not None:
    method, params = message.get("method"), message.get("params")
    if method == "exit":
        break
    if method == "workspace/didChangeConfiguration":
        settings.update(params["settings"].get("yaml", {}))
        for open_uri in texts:
            diagnostics(open_uri)
    elif method == "textDocument/didOpen":
        texts[params["textDocument"]["uri"]] = params["textDocument"]["text"]
        diagnostics(params["textDocument"]["uri"])
    elif method == "textDocument/didChange":
        texts[params["textDocument"]["uri"]] = params["contentChanges"][-1]["text"]
        diagnostics(params["textDocument"]["uri"])
    elif method and "id" in message:
        send(id=message["id"], result=answer(method, params))
