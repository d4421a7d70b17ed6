"""What the editors of today's Debian do not ask for: semantic tokens, inlay hints, lenses, pulled findings.

Run by `Editors/tests/run`, which says where the program and the files are.
"""
import json
import os
import subprocess
import sys

folder = os.environ["FOLDER"]
server = subprocess.Popen(
    [os.environ["POPRULES"], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
count = 0


def send(message):
    body = json.dumps(dict(message, jsonrpc="2.0")).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def request(method, parameters):
    global count
    count += 1
    send({"id": count, "method": method, "params": parameters})
    while True:
        header = server.stdout.readline()
        server.stdout.readline()
        message = json.loads(server.stdout.read(int(header.split(b":")[1])))
        if message.get("id") == count and "method" not in message:
            assert "error" not in message, message
            return message["result"]


uri = f"file://{folder}/rules/shop.yaml"
document = {"textDocument": {"uri": uri}}
capabilities = {"textDocument": {"diagnostic": {}}, "general": {"positionEncodings": ["utf-8"]}}
answer = request("initialize", {"capabilities": capabilities, "rootUri": f"file://{folder}"})
assert answer["capabilities"]["positionEncoding"] == "utf-8"
send({"method": "initialized", "params": {}})
text = open(f"{folder}/rules/shop.yaml").read().replace("owner: growth", "ownr: growth", 1)
send({"method": "textDocument/didOpen",
      "params": {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}}})

report = request("textDocument/diagnostic", document)
assert [item["code"] for item in report["items"]] == ["P0101"], report
again = request("textDocument/diagnostic", dict(document, previousResultId=report["resultId"]))
assert again["kind"] == "unchanged", again
tokens = request("textDocument/semanticTokens/full", document)["data"]
assert len(tokens) % 5 == 0 and len(tokens) > 100, tokens
whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
hints = request("textDocument/inlayHint", dict(document, range=whole))
assert [hint["label"] for hint in hints] == ["30 d"], hints
send({"method": "textDocument/didChange", "params": {
    "textDocument": {"uri": uri, "version": 2},
    "contentChanges": [{"text": text.replace("ownr", "owner")}]}})
lenses = request("textDocument/codeLens", document)
assert "Explain" in [lens["command"]["title"] for lens in lenses], lenses
assert request("shutdown", None) is None
send({"method": "exit"})
sys.exit(server.wait() or print("protocol: pulled findings, tokens, hints and lenses"))
