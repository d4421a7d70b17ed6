#!/usr/bin/env python3
"""Lets two tabs show popups at the same time, and a third one look at what they kept: tabs.py [ROUNDS]

Needs Chromium, Playwright, and what `Web/tests/run` has made. Exits with 1 if a round lost something."""

import functools
import http.server
import pathlib
import shutil
import sys
import tempfile
import threading

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    print("tabs: skipped, python3 has no module playwright")
    sys.exit(0)

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
top = pathlib.Path(__file__).parent.parent.parent
page_text = """<!doctype html><title>tab</title><script type="module">
import { Engine, Popups } from "./poprules.js";
const bytes = await (await fetch("engine.wasm")).arrayBuffer();
const bundle = await (await fetch("web.popbundle")).text();
globalThis.shown = [];
globalThis.popups = new Popups(await Engine.load(bytes), {
  bundle, user: "ann",
  presenter: { present({ popup }) { shown.push(popup); }, dismiss() {} },
});
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


def opened(context, address):
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("globalThis.popups !== undefined")
    return page


def at(time, call):
    """Calls in the tab as near to a time as it can."""
    return f"""new Promise((resolve) => setTimeout(() => {{
        while (Date.now() < {time}) {{}}
        {call}; resolve(); }}, {time} - Date.now() - 20))"""


def lost(browser, address, offset):
    context = browser.new_context()
    one, other = opened(context, address), opened(context, address)
    time = one.evaluate("Date.now()") + 120
    one.evaluate(f"void {at(time, 'popups.start()')}")
    other.evaluate(f"void {at(time + offset, 'popups.send(`order.placed`)')}")
    one.wait_for_function("shown.length > 0")
    other.wait_for_function("shown.length > 0")
    kept = set(one.evaluate("shown") + other.evaluate("shown"))
    third = opened(context, address)
    third.evaluate("popups.start(); popups.send('order.placed')")
    again = kept & set(third.evaluate("shown"))
    context.close()
    return again


folder = pathlib.Path(tempfile.mkdtemp())
for name in [*top.glob("Web/*.js"), top / ".build/wasm/engine.wasm", top / ".build/wasm/web.popbundle"]:
    shutil.copy(name, folder)
(folder / "index.html").write_text(page_text)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    failures = 0
    for number in range(rounds):
        offset = [0, 0, 1, 2, 3, 5, 10, 20][number % 8]
        again = lost(browser, f"http://127.0.0.1:{server.server_port}/", offset)
        if again:
            failures += 1
            print(f"tabs: round {number}, {offset} ms apart: {', '.join(sorted(again))} shown again")
    browser.close()
shutil.rmtree(folder)
print(f"tabs: {rounds - failures} of {rounds} rounds lost nothing")
sys.exit(1 if failures else 0)
