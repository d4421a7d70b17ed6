"""What editors of today ask for and those of Debian do not: inlay hints, semantic tokens and pulled findings, as the
client of pytest-lsp asks for them.

Run by `Editors/tests/run` where pytest-lsp is installed, which says where the program and the files are.
"""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(os.environ["FOLDER"])
FILE = FOLDER / "rules" / "shop.yaml"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["POPRULES"], "lsp"]))
async def client(lsp_client: LanguageClient):
    lsp_client.feature("client/registerCapability")(lambda *_: None)
    parameters = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"), root_uri=FOLDER.as_uri())
    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


def opened(client, text, version=1):
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(FILE.as_uri(), "yaml", version, text)))
    return types.TextDocumentIdentifier(FILE.as_uri())


@pytest.mark.asyncio
async def test_findings_are_pulled(client):
    wrong = FILE.read_text().replace("owner: growth", "ownr: growth", 1)
    document = opened(client, wrong)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert [item.code for item in report.items] == ["P0101"]
    again = await client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(document, previous_result_id=report.result_id))
    assert again.kind == "unchanged"


@pytest.mark.asyncio
async def test_lengths_of_time_have_hints(client):
    document = opened(client, FILE.read_text())
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert [hint.label for hint in hints] == ["30 d"]


@pytest.mark.asyncio
async def test_expressions_have_colours(client):
    text = FILE.read_text()
    document = opened(client, text)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and len(tokens.data) > 100
    lines = text.split("\n")
    line = column = 0
    for delta_line, delta_column, length, _, _ in zip(*[iter(tokens.data)] * 5):
        line += delta_line
        column = delta_column if delta_line else column + delta_column
        assert lines[line][column:column + length].strip() != ""
