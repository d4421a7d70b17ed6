#!/usr/bin/env python3
"""Drives pages in Chromium: every view and control, and what hostile rules try.

Usage: page.py POPRULES [--pictures FOLDER] [--random STORIES]

Needs `pip install playwright axe-playwright-python` and Chromium, by default /usr/bin/chromium
(CHROMIUM names another one). Without the engine in POPRULES, what is played is left out and said.
"""
import argparse
import contextlib
import functools
import http.server
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from playwright.sync_api import Error as PlaywrightError, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "Web/tests/hostile"
# Seconds in which something must have come to be so: a page draws what follows from a click when its events arrive.
PATIENCE = 10


class Checks:
    """What was checked; `that` waits until it is so, notes a failure and goes on."""

    def __init__(self):
        self.count = 0
        self.failed = []

    def that(self, holds, words):
        self.count += 1
        end = time.monotonic() + PATIENCE
        while not self.is_so(holds):
            if time.monotonic() > end:
                self.failed.append(words)
                print(f"FAIL  {words}", flush=True)
                return
            time.sleep(0.05)

    @staticmethod
    def is_so(holds):
        try:
            return holds()
        except PlaywrightError:
            # What was looked at has been drawn anew meanwhile.
            return False


class Bench:
    """The program, the browser, and the pages that are made."""

    def __init__(self, arguments, browser, folder):
        self.program = str(pathlib.Path(arguments.program).resolve())
        self.pictures = arguments.pictures and pathlib.Path(arguments.pictures)
        self.browser = browser
        self.folder = folder
        self.checks = Checks()

    def run(self, *words, cwd=ROOT, check=True):
        done = subprocess.run([self.program, *words], cwd=cwd, capture_output=True, text=True)
        if check and done.returncode:
            sys.exit(f"{' '.join(words)}: {done.stderr}{done.stdout}")
        return done.stdout

    def make(self, name, *words, cwd=ROOT):
        path = self.folder / f"{name}.html"
        self.run("page", *words, "-o", str(path), "--force", cwd=cwd)
        return path

    @contextlib.contextmanager
    def open(self, path, address="", tolerated=None, **options):
        """A page, with a check that nothing went wrong on it and nothing was asked for."""
        options.setdefault("viewport", {"width": 1300, "height": 900})
        context = self.browser.new_context(**options)
        # Machines are busy; what never comes fails all the same.
        context.set_default_timeout(120_000)
        page = context.new_page()
        wrong, asked = [], []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text)
                if message.type == "error" and not (tolerated and tolerated in message.text) else None)
        page.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request))
        page.goto(f"file://{path}{'#' if address else ''}{address}")
        page.wait_for_selector("html[data-ready]")
        yield page
        self.checks.that(lambda: not wrong, f"nothing goes wrong at {path.name}#{address}: {wrong[:3]}")
        # What the policy refuses is a request that fails, and reaches nobody.
        urls = [request.url for request in asked if request.failure != "csp"]
        foreign = [url for url in urls if not url.startswith(f"file://{path}") and not url.startswith("data:image/")]
        self.checks.that(lambda: not foreign, f"nothing is asked for by {path.name}: {foreign[:3]}")
        context.close()

    def go(self, page, address):
        page.evaluate("address => { location.hash = address }", address)
        # Once what hangs on it is drawn.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.wait_for_timeout(60)

    def picture(self, page, name, whole=False):
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(self.pictures / f"{name}.png"), full_page=whole)


SEEN = """element => {
    const text = (node) => node.nodeType === 3 ? node.data
        : [...(node.shadowRoot ?? node).childNodes].filter((one) => one.nodeName !== "STYLE").map(text).join(" ");
    return text(element);
}"""


def seen(locator):
    """The text of an element, what stands in shadow roots included."""
    return locator.first.evaluate(SEEN) if locator.count() else ""


def counted(locator, number):
    """Whether there are so many, once what is drawn later is there, too."""
    for _ in range(50):
        if locator.count() == number:
            return True
        locator.page.wait_for_timeout(50)
    return False


def start_playing(page):
    page.wait_for_selector(".phone")


def check_popups(bench, path):
    that = bench.checks.that
    with bench.open(path, "popups") as page:
        cards = page.locator("article.card")
        that(lambda: counted(cards, 23), f"each popup has a card: {cards.count()}")
        bench.picture(page, "popups", whole=True)
        page.locator("summary", has_text="shared by popups").click()
        said = page.inner_text("details.shared")
        that(lambda: "2× in 7d for popups tagged sales" in said, f"the page shows what popups share: {said}")
        page.locator("summary", has_text="calendar of 3 schedules").click()
        that(lambda: page.locator("svg.month rect.open").count() > 20, "schedules are drawn under each other as a month")
        page.get_by_role("button", name="month before").click()
        that(lambda: "month=" in page.url, "the month stands in the address")
        bench.picture(page, "calendar")
        page.fill("#search", "free delivery")
        that(lambda: counted(cards, 2), "the search finds what popups say")
        that(lambda: "q=free+delivery" in page.url, "the search stands in the address")
        that(lambda: page.evaluate("document.activeElement.id") == "search", "the search keeps the focus")
        page.fill("#search", "")
        page.select_option("[data-filter=owner] select", "team-maps")
        that(lambda: counted(cards, 3), "popups are filtered by owner")
        page.select_option("[data-filter=owner] select", "")
        page.select_option("[data-filter=tag] select", "sales")
        that(lambda: counted(cards, 2), "popups are filtered by tag")
        page.select_option("[data-filter=tag] select", "")
        page.select_option("[data-filter=lane] select", "toast")
        that(lambda: counted(cards, 7), "popups are filtered by scheduler")
        that(lambda: "You are offline" in seen(page.locator("#popup-offline .looks pop-preview")), "the preview is in the fallback language")
        page.select_option("text=language >> select", "de")
        that(lambda: "Kein Netz" in seen(page.locator("#popup-offline .looks pop-preview")), "a language can be chosen")
    with bench.open(path, "popups/cart_reminder") as page:
        that(lambda: cards_of(page) == ["cart_reminder"], "a popup has an address of its own")
        that(lambda: page.locator("figure").count() == 3, "each variant is shown")
        that(lambda: "[object" not in page.inner_text("main"), "every key of a rule has its words")
        page.locator("summary", has_text="who sees which variant").click()
        that(lambda: "assigned at" in page.inner_text("main") or "in layer copy" in page.inner_text("main"), "it is said which persona sees which variant, and why")
        chosen = page.locator("text=as seen by >> select")
        that(lambda: chosen.count() == 0, "one popup has no bar of filters")
    with bench.open(path, "popups/promotion_of_the_week") as page:
        that(lambda: page.locator("svg.week").count() == 1, "a schedule is drawn as a week")
        that(lambda: "16 Nov 2026" in page.inner_text("main"), "dates are those of the schedule's zone")
        bench.picture(page, "popup", whole=True)


def cards_of(page):
    return [card.inner_text() for card in page.locator("article.card h3").all()]


def check_stories(bench, path):
    that = bench.checks.that
    with bench.open(path, "stories") as page:
        links = page.locator("ul.stories a")
        that(lambda: links.count() > 20, "stories are listed")
        bench.picture(page, "stories")
        links.filter(has_text="a closer one interrupts").click()
        that(lambda: page.locator("svg.drawing g rect.shows").count() == 3, "what showed is drawn")
        that(lambda: "passed" in page.inner_text("main"), "it is said how it went")
        bench.picture(page, "story", whole=True)
    with bench.open(path, "stories?popup=map_download") as page:
        that(lambda: 0 < page.locator("ul.stories a").count() < 30, "stories with a popup can be asked for")


def check_rest(bench, path):
    that = bench.checks.that
    with bench.open(path, "collisions") as page:
        cells = page.locator("table.matrix button")
        that(lambda: cells.count() > 5, "collisions are cells of a matrix")
        bench.picture(page, "collisions")
        cells.first.click()
        that(lambda: page.locator("article.entry").count() == 1, "a cell shows its pair")
        that(lambda: "pair=" in page.url, "the pair stands in the address")
        page.locator("article.entry summary").click()
        that(lambda: "poprules_test: 1" in page.inner_text("article.entry pre"), "a collision has its test")
        play = page.get_by_role("button", name="play it step by step")
        if play.count():
            play.click()
            start_playing(page)
            while page.locator("[data-stay=step]").is_enabled():
                page.locator("[data-stay=step]").click()
            that(lambda: "the test is over" in page.inner_text("main"), "a collision can be played to its end")
            bench.picture(page, "collision-played")
    with bench.open(path, "coverage") as page:
        that(lambda: page.locator("meter").count() == 5, "coverage has its shares")
        bench.picture(page, "coverage")
        unshown = page.locator("section", has_text="Popups that no test shows").first.locator("a")
        that(lambda: unshown.count() == 2, f"popups that no test shows are listed: {unshown.all_inner_texts()}")
        that(lambda: "SESSION_CAP" in page.inner_text("main"), "what was not seen is told")
        page.fill("#search", "group_cap")
        that(lambda: "GROUP_CAP" in page.inner_text("main") and "SESSION_CAP" not in page.inner_text("main"),
             "what was not seen can be searched")
    with bench.open(path, "changes") as page:
        that(lambda: "paywall" in page.inner_text("main"), "changes are told popup by popup")
        gone = page.locator("article.entry.removed", has_text="old_offer")
        that(lambda: "cart.items is at least 4" in gone.inner_text(), "what a removed popup was is told")
        that(lambda: page.locator(".sides figure").count() >= 2, "before and after stand side by side")
        bench.picture(page, "changes", whole=True)


def check_play(bench, path):
    that = bench.checks.that
    with bench.open(path, "play") as page:
        start_playing(page)
        that(lambda: "Your data, your choice" in seen(page.locator(".phone pop-preview")), "the start shows the consent")
        bench.picture(page, "play")
        page.locator(".phone pop-preview button").first.click()
        that(lambda: page.locator(".phone pop-preview").count() == 0, "a button of the popup closes it")
        page.get_by_label("consent.answered").check()
        page.locator(".tabs button", has_text="home").click()
        page.get_by_role("button", name="+1s", exact=True).click()
        page.get_by_role("button", name="+10s", exact=True).click()
        that(lambda: "Welcome" in seen(page.locator(".phone")), "the welcome comes once the screen is home")
        that(lambda: "s=%7B" in page.url, "what was played stands in the address")
        page.locator("summary", has_text="as a test").click()
        that(lambda: "showing: { main: welcome" in page.locator("pre.test").text_content(), "what was played is a test")
        test = page.locator("pre.test").text_content()
        (bench.folder / "rules").mkdir(exist_ok=True)
        for file in (ROOT / "rules").glob("*.yaml"):
            if not file.name.endswith(".test.yaml"):
                shutil.copy(file, bench.folder / "rules")
        (bench.folder / "rules/played.test.yaml").write_text(test)
        told = bench.run("test", str(bench.folder / "rules"), check=False)
        that(lambda: "1 passed, 0 failed" in told, f"the recorded test passes: {told}")
        address = page.url
        for _ in range(2):
            page.get_by_role("button", name="undo the last step").click()
        that(lambda: "Welcome" not in seen(page.locator(".phone")), "a step is undone")
        page.get_by_label("user.launches", exact=False).first.fill("5")
        page.keyboard.press("Tab")
        that(lambda: "user.launches: 5" in page.locator("pre.test").text_content(), "a number can be typed")
        page.get_by_label("user.launches", exact=False).first.fill("many")
        page.keyboard.press("Tab")
        that(lambda: "an integer" in page.inner_text("main"), "what is no number is refused in words")
        page.locator("summary", has_text="send an event").click()
        page.get_by_label("item.removed name").fill("hat")
        page.get_by_role("button", name="item.removed", exact=True).click()
        page.get_by_role("button", name="+1s", exact=True).click()
        that(lambda: "Removed from your cart" in seen(page.locator(".phone")), "an event with its payload brings its toast")
        bench.picture(page, "play-toast", whole=True)
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        start_playing(page)
        that(lambda: "Welcome" in seen(page.locator(".phone")), "an address brings what was played back")
        page.select_option("[data-stay=zone]", "Asia/Tokyo")
        page.locator("summary", has_text="as a test").click()
        that(lambda: "set_zone: Asia/Tokyo" in page.locator("pre.test").text_content(), "the zone of the device is a control")
        page.get_by_label("time to let pass").fill("soon")
        page.get_by_role("button", name="go", exact=True).click()
        that(lambda: "a duration such as" in page.inner_text("main"), "what is no time is refused in words")
        page.get_by_label("time to let pass").fill("1h 30m2s")
        page.get_by_role("button", name="go", exact=True).click()
        that(lambda: "after: 1h30m2s" in page.locator("pre.test").text_content(), "a time can have several parts")


def check_why_not(bench, path):
    that = bench.checks.that
    with bench.open(path, "play?see=forced_update") as page:
        start_playing(page)
        row = page.locator("ul.why li", has_text="forced_update").first
        that(lambda: "its condition is not met" in row.inner_text(), "who waits is told why")
        that(lambda: "app.build < app.minimum_build" in row.inner_text(), "the condition is told part by part")
        change = row.locator("button", has_text="app.minimum_build = 2")
        that(lambda: change.count() == 1, f"the smallest change is a button: {row.locator('button').all_inner_texts()}")
        bench.picture(page, "why-not", whole=True)
        if change.count():
            change.click()
            page.get_by_role("button", name="+1s", exact=True).click()
            that(lambda: "Please update" in seen(page.locator(".phone")), "and lets it show")


def check_story_in_play(bench, path):
    that = bench.checks.that
    with bench.open(path, "stories") as page:
        page.locator("ul.stories a", has_text="a closer one interrupts").click()
        page.get_by_role("button", name="play it step by step").click()
        start_playing(page)
        for _ in range(8):
            step = page.locator("[data-stay=step]")
            if step.is_disabled():
                break
            step.click()
        that(lambda: "Find places near you" in seen(page.locator(".phone")), "a story is played to its end")


PLAYED = """async () => {
    const { page, loadEngine, played } = globalThis.poprules;
    const engine = await loadEngine();
    return page.model.data.stories.flatMap((story) => story.plays.map((play) => {
        const name = play.title ? `${story.name} (${play.title})` : story.name;
        if (!play.script) return [story.file, name, null];
        const host = played(engine, page.model.bundle, play.script);
        const log = host.log.map(({ time, told, input }) => ({ time: Number(time / 10n ** 9n) / 1e9, ...(told ?? { input }) }));
        host.close();
        return [story.file, name, log];
    }));
}"""


def check_same_as_simulate(bench, folders):
    """Play in the page gives the same events as `simulate`."""
    for folder in folders:
        path = bench.make(folder.strip("/").replace("/", "-"), folder)
        with bench.open(path) as page:
            played = page.evaluate(PLAYED)
        wanted = {}
        for file in sorted({file for file, _, _ in played}):
            for line in bench.run("simulate", file, "--format", "jsonl", check=False).splitlines():
                event = json.loads(line)
                # `simulate` adds seconds and their fraction, which may differ in the last digit.
                event["time"] = round(event["time"], 9)
                wanted.setdefault((file, event.pop("test")), []).append(event)
        same = [log == wanted.get((file, name), []) for file, name, log in played]
        for (file, name, _), is_same in zip(played, same):
            bench.checks.that(lambda: is_same, f"`{name}` of {file} goes as simulate has it")
        print(f"{sum(same)} of {len(same)} plays of {folder} are the same as those of simulate", flush=True)


def random_story(random, number):
    """A test of the rules in rules/ that does whatever comes; what it closes may not be there."""
    values = {
        "app.screen": ["home", "map", "cart", "checkout", "settings", "splash"], "user.plan": ["free", "pro"],
        "consent.answered": ["true", "false"], "net.online": ["true", "false"], "user.launches": [1, 3, 4, 20],
        "cart.items": [0, 1, 9, 10, 99], "cart.total": ["0.0", "200.0", "250.5"], "app.minimum_build": [1, 2],
        "user.id": ['""', "ann", "bob", '"15"'], "user.locale": ["en", "de"], "user.country": ["DE", "other"],
        "permission.location": ["unknown", "granted"], "orders.count": [0, 2],
    }
    events = ["guide.finished", "checkout.completed: { total: 80.0, currency: EUR }", 'search.failed: { query: "x" }',
              "item.removed: { name: hat }", "download.started: { name: Berlin }", "download.finished: { name: Berlin, bytes: 2000000 }"]
    shown = ["consent", "welcome", "location_primer", "forced_update", "offline", "undo_remove"]

    def some(count):
        return ", ".join(f"{key}: {random.choice(values[key])}" for key in random.sample(sorted(values), count))

    lines = [f"  story {number}:", f"    context: {{ {some(4)} }}", "    steps:"]
    for _ in range(random.randrange(4, 12)):
        act = random.choice([
            f"set: {{ {some(random.randrange(1, 3))} }}", f"set: {{ {some(1)} }}",
            f"send: {{ {event} }}" if ":" in (event := random.choice(events)) else f"send: {event}",
            f"close: {random.choice(shown)}", "enqueue: consent", "background: true", "begin_session: true",
            "restart: true", "poke: true", "remove_all: true", "set_zone: Asia/Tokyo"])
        lines.append(f"      - after: {random.choice(['1ms', '300ms', '1s', '2s500ms', '30s', '10m', '1d'])}")
        lines.append(f"        {act}")
        if act == "background: true":
            lines += ["      - after: 1m", "        foreground: true"]
    return "\n".join(lines)


def check_random(bench, count):
    """Play in the page gives the same events as `simulate` for random scenarios."""
    random_ = random.Random(7)
    folder = bench.folder / "random"
    folder.mkdir()
    for file in (ROOT / "rules").glob("*.yaml"):
        if not file.name.endswith(".test.yaml"):
            shutil.copy(file, folder)
    for start in range(0, count, 100):
        stories = [random_story(random_, number) for number in range(start, min(start + 100, count))]
        head = f"poprules_test: 1\nstart: 2026-11-20T09:00:00Z\nseed: {start}\ntests:\n"
        (folder / f"stories-{start}.test.yaml").write_text(head + "\n".join(stories) + "\n")
    check_same_as_simulate(bench, [str(folder)])


def check_hostile(bench):
    """Content of rules is text in every view of the page."""
    that = bench.checks.that
    title = "<img src=x onerror=alert(20)></title><script>alert(21)</script>"
    path = bench.make("hostile", ".", "--title", title, cwd=HOSTILE)
    allowed = "img, script, iframe, form, style, object, embed, link, #injected, [onerror], [onload], [onclick]"
    with bench.open(path) as page:
        has_play = page.evaluate("globalThis.poprules.page.hasEngine")
        own = page.evaluate("selector => document.querySelectorAll(selector).length", allowed)
        for view in ["popups", "stories", "collisions", "coverage", "popups/markup", "popups/__proto__"] + (["play?see=markup"] if has_play else []):
            bench.go(page, view)
            if view.startswith("play"):
                start_playing(page)
                page.locator(".phone pop-preview button").first.click()
            page.wait_for_timeout(100)
            found = page.evaluate("""selector => {
                const all = (root) => [...root.querySelectorAll(selector), ...[...root.querySelectorAll("pop-preview")].flatMap((one) => all(one.shadowRoot))];
                return all(document).length;
            }""", allowed)
            that(lambda: found == own, f"no element comes from the rules in {view}: {found} instead of {own}")
        bench.go(page, "stories")
        page.locator("ul.stories a").first.click()
        that(lambda: "<img src=x" in page.inner_text("h2"), "what is hostile is shown as text")
        bench.picture(page, "hostile")
        page.wait_for_timeout(300)
    with bench.open(path, "popups/__proto__") as page:
        that(lambda: "a name that objects have" in page.inner_text("main"), "a popup may be called __proto__")
    text = path.read_text()
    that(lambda: text.count("</script>") == text.count("<script"), "nothing of the rules ends a script")
    for part in ["default-src 'none'", "'wasm-unsafe-eval'", "img-src data:", "sha256-"]:
        that(lambda: part in text, f"the policy says {part}")
    that(lambda: "unsafe-inline" not in text.split("<title>")[0] and "'unsafe-eval'" not in text.split("<title>")[0], "the policy lets nothing inline in")


def check_looks(bench):
    that = bench.checks.that
    folder = bench.folder / "looks"
    folder.mkdir()
    (folder / "sheet.html").write_text('<section class="mine"><script>alert(1)</script><h4 onclick="alert(2)">{{title}}</h4><p>{{body}}</p>'
                                       '<button data-act="button" data-if="button">{{button}}</button></section>')
    (folder / "sheet.css").write_text(".mine { background: rgb(1, 2, 3); color: white } p { color: red }")
    path = bench.make("look", "rules", "--look", str(folder))
    # The policy says that it has kept a handler away.
    with bench.open(path, "popups/paywall", tolerated="inline event handler") as page:
        shown = page.locator("pop-preview .mine").first
        that(lambda: shown.locator("h4").inner_text() == "Free delivery with pro", "a look has its places filled")
        that(lambda: shown.evaluate("element => getComputedStyle(element).backgroundColor") == "rgb(1, 2, 3)", "a look has its own style")
        that(lambda: shown.locator("script, [onclick]").count() == 0, "a look runs nothing")
        that(lambda: page.locator("p.what").evaluate("element => getComputedStyle(element).color") != "rgb(255, 0, 0)", "its style stays inside")
        bench.picture(page, "look")

# Looks that try to get out of their box, each with what it tries: markup and style.
HOSTILE_LOOKS = {
    "fixed": ("<p>x</p>", ":host { position: fixed; inset: 0; z-index: 2147483647; background: red }"),
    "important": ("<p>x</p>", ":host { display: block !important; position: absolute !important; inset: -999px !important; width: 9999px !important;"
                  " height: 9999px !important; margin: -999px !important; z-index: 9 !important; background: red !important; contain: none !important }"),
    "inner-fixed": ("<div class=a>x</div>", ".a { position: fixed; inset: -100vmax; z-index: 2147483647; background: red }"),
    "margins": ("<div class=a>x</div>", ":host { margin: -300px } .a { margin: -5000px; padding: 5000px; background: red }"),
    "huge": ("<div class=a>x</div>", ".a { width: 1e7px; height: 1e7px; background: red }"),
    "shadow": ("<div class=a>x</div>", ".a { box-shadow: 0 0 0 9999px red; outline: 9999px solid red; filter: drop-shadow(0 -300px red) }"),
    "transform": ("<div class=a>x</div>", ".a { transform: scale(1000) translateY(-1px); background: red }"),
    "contents": ("<div class=a>x</div>", ":host { display: contents } .a { position: absolute; inset: -9999px; zoom: 50; background: red }"),
    "vertical": ("<div class=a>x</div>", ":host, .a { writing-mode: vertical-rl; height: 200vh; width: 200vw; float: left; background: red; -webkit-box-reflect: above 50px }"),
    "scrolled": ("<div class=a>x</div><p>y", ".a { height: 9999px; background: red } p { scroll-initial-target: nearest; scroll-snap-align: start; overflow-anchor: none }"),
    "animated": ("<div class=a>x</div>", "@keyframes grow { from { height: 0 } to { height: 400px } } .a { animation: grow .2s infinite alternate; background: red }"),
    "selectors": ("<div class=a>x</div>", ":host-context(html), :host-context(body), :root, html, body, main, header, pop-preview, ::part(popup), ::slotted(*),"
                  " .box, .width { position: fixed !important; inset: 0 !important; background: red !important; display: none !important }"),
    "end-of-style": ("<div class=a>x</div>", "p { color: red } </style></script><style> body, header { display: none } /* */"),
    "global": ("<div class=a>x</div>", """
        @import url("https://evil.example/style.css"); @namespace url("http://www.w3.org/1999/xhtml");
        @font-face { font-family: system-ui; src: url("https://evil.example/font.woff") } @font-face { font-family: sans-serif; src: local("serif") }
        @property --ink { syntax: "<color>"; inherits: false; initial-value: red } @property --paper { syntax: "<color>"; inherits: false; initial-value: red }
        @view-transition { navigation: auto } @page { size: 10px 10px; margin: 0 }
        @keyframes come { from { transform: scale(100) } } .a { view-transition-name: root; font-family: system-ui }"""),
    "addresses": ("""<img src="https://evil.example/1"><img srcset="https://evil.example/2"><input type=image src="https://evil.example/3">
        <link rel=stylesheet href="https://evil.example/4"><meta http-equiv=refresh content="0;url=https://evil.example/5"><base href="https://evil.example/6">
        <a href="https://evil.example/{{title}}" ping="https://evil.example/7">link</a><svg><image href="https://evil.example/8"/><use href="https://evil.example/9#a"/></svg>
        <video poster="https://evil.example/10" src="https://evil.example/11"></video><form action="https://evil.example/12"><button formaction="https://evil.example/13">go</button></form>
        <iframe src="https://evil.example/14"></iframe><object data="https://evil.example/15"></object><a href="javascript:alert(1)">run</a><a href="#play">play</a>""",
        """a { background: url("https://evil.example/16"); list-style: url("https://evil.example/17"); cursor: url("https://evil.example/18"), auto }
        a::after { content: url("https://evil.example/19") } b { background: image-set("https://evil.example/20" 1x) }"""),
    "layers": ("""<button popovertarget=p>open</button><div id=p popover class=a>x</div><button commandfor=d command=show-modal>open</button><dialog id=d class=a>x</dialog>
        <button commandfor=q command=show-popover>open</button><div id=q popover class=a>x</div><button interestfor=p>open</button>
        <select><option>one<option>two</select><form><button formmethod=dialog>x</button></form>""",
        ":popover-open, dialog[open], ::backdrop, ::picker(select) { position: fixed; inset: 0; width: 100vw; height: 100vh; background: red }"
        " select, ::picker(select) { appearance: base-select !important }"),
    "attributes": ("""<input autofocus onfocus="alert(1)"><button accesskey=a tabindex=5 style="position: fixed; inset: 0" onclick="alert(2)">x</button>
        <p contenteditable>x</p><slot name=a></slot><template shadowrootmode=open><p>x</p></template><pop-preview></pop-preview>
        <svg autofocus tabindex=1><style>* { display: none }</style><script>alert(3)</script><a xlink:href="javascript:alert(4)"><text>x</text></a>
        <animate attributeName=href values="javascript:alert(5)"/><foreignObject><p>x</p></foreignObject></svg><math><mi href="javascript:alert(6)">x</mi></math>""", ""),
    "names": ("""<x-"y>x</x-"y><a-<b>x</a-<b><x-=>x</x-=><svg "=1 a'=2 =3 <=4><g %=5 on-x=6><p-q>x</p-q></g></svg><p "=1 <=2 data-"=3 aria-<=4 data-=5>x</p>""", ""),
    "nested": ("<div>" * 20000 + "x" + "<svg><g>" * 2000, ".a{" * 2000 + "color:red;cursor:url(data:image/png,1),auto" + "@media all{" * 2000 + ".a{color:red}"),
    # Drawn 2^300 times.
    "uses": ("<svg><defs><g id=u0><rect width=9 height=9 /></g>" + "".join(
        f'<g id=u{n}><use href="#u{n - 1}" /><use href="#u{n - 1}" /></g>' for n in range(1, 300)) + '</defs><use href="#u299" /></svg>', ""),
    # Each level is laid out several times for the one around it.
    "tables": ("<table class=a><tr><td>" * 500 + "x", "table, td { display: inline-flex; width: min-content; flex: 1 1 auto; align-items: baseline }"),
    "many": ("<p><b>x</b>" * 3000, "p { display: flex; float: left } b { filter: blur(9px) drop-shadow(0 0 99px red) }"),
    "cursor": ("<div class=a>x<b>y</b></div>", """:root { --c: url("data:image/png;base64,iVBORw0KGgo=") } .a { cursor: url("data:image/png;base64,iVBORw0KGgo=") 9 9, auto !important }
        @media all { .a { b { cursor: image-set("data:image/png;base64,iVBORw0KGgo=" 1x), auto } } } b { cursor: var(--c), none }"""),
}

# Where the page's own elements are, and what may not be at a place that is outside of previews.
OUTSIDE = """() => {
    const boxes = [...document.querySelectorAll(".glass, .phone")].map((one) => one.getBoundingClientRect());
    const covered = [];
    for (let x = 2; x < innerWidth; x += 24) for (let y = 2; y < innerHeight; y += 24) {
        if (boxes.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) continue;
        if (document.elementFromPoint(x, y)?.localName === "pop-preview") covered.push([x, y]);
    }
    return covered;
}"""

# The places of the page's own elements, at each of so many frames.
PLACES = """async (frames) => {
    const found = new Set();
    for (let count = 0; count < frames; count += 1) {
        await new Promise((done) => requestAnimationFrame(done));
        found.add(JSON.stringify([...document.querySelectorAll("header.top, article.card, .glass, dl.facts")].map((one) => one.getBoundingClientRect())));
    }
    return [...found];
}"""

# Everything in the roots of previews that could run, ask, move the focus, or rise above the page.
LEFT = """() => {
    const found = [];
    const look = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (/^(script|style|link|meta|base|iframe|object|embed|form|dialog|video|slot|template|foreignObject|animate|math|pop-preview)$/.test(one.localName)) found.push(one.localName);
            for (const { name, value } of one.attributes) {
                // Playwright leaves this behind where it hid the caret for a picture.
                if (name === "style" && value === "") continue;
                if (/^on|^(style|popover|popovertarget|command|commandfor|interestfor|autofocus|accesskey|tabindex|contenteditable|ping|formaction|formmethod|srcset)$/.test(name)) found.push(name);
                if (/href|src/.test(name) && !/^(#|data:image)/.test(value)) found.push(value);
            }
            if (one.shadowRoot) look(one.shadowRoot);
        }
    };
    // The look is in a root of its own.
    for (const one of document.querySelectorAll("pop-preview")) look(one.shadowRoot.querySelector(".box > div")?.shadowRoot ?? one.shadowRoot);
    if (document.querySelector(":popover-open, :modal")) found.push("above the page");
    return found;
}"""


def check_hostile_looks(bench, has_play):
    """A look covers and moves nothing outside of its preview, runs nothing and requests nothing (S-L3)."""
    that = bench.checks.that
    folder = bench.folder / "hostile-looks"
    folder.mkdir()
    looks = {"plain": ("<p>{{title}}</p>", ""), **HOSTILE_LOOKS}
    # Each on a screen of its own, so that all are shown at once.
    lines = ["poprules: 1", f"schedulers: {{ {', '.join(name.replace('-', '_') + ': {}' for name in looks)} }}", "templates:"]
    for name, (markup, style) in looks.items():
        template = name.replace("-", "_")
        (folder / f"{template}.html").write_text(markup)
        (folder / f"{template}.css").write_text(style)
        lines.append(f"  {template}: {{ required: {{ title: string }} }}")
    lines.append("popups:")
    for name in looks:
        template = name.replace("-", "_")
        lines.append(f"  {template}: {{ trigger: start, scheduler: {template}, description: hostile, template: {template}, content: {{ title: secret }} }}")
    rules = bench.folder / "hostile-looks.yaml"
    rules.write_text("\n".join(lines) + "\n")
    path = bench.make("hostile-looks", str(rules), "--look", str(folder))
    heads = {}
    for name in looks:
        template = name.replace("-", "_")
        with bench.open(path, f"popups/{template}", tolerated="Content Security Policy") as page:
            page.wait_for_selector("article.card pop-preview", state="attached")
            page.wait_for_timeout(100)
            style = page.evaluate("""() => ["body", "p.what", "header.top", "a"].map((one) => {
                const { color, backgroundColor, font, display, position } = getComputedStyle(document.querySelector(one));
                return [color, backgroundColor, font, display, position];
            })""")
            head = page.screenshot(clip={"x": 0, "y": 0, "width": 1300, "height": 100})
            box = page.locator("header.top").bounding_box()
            heads.setdefault("plain", (head, style, box))
            that(lambda: (head, style, box) == heads["plain"], f"the look `{name}` changes nothing of the page around it (S-L3)")
            covered = page.evaluate(OUTSIDE)
            that(lambda: not covered, f"the look `{name}` covers nothing outside of its preview (S-L3): {covered[:3]}")
            scrolled = page.evaluate("[scrollX, scrollY]")
            that(lambda: scrolled == [0, 0], f"the look `{name}` does not scroll the page: {scrolled}")
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            that(lambda: over <= 0, f"the look `{name}` makes the page no wider: {over} px")
            height = page.locator(".glass").first.bounding_box()["height"]
            that(lambda: height <= 600, f"the look `{name}` has a bounded height: {height} px")
            places = page.evaluate(PLACES, 40)
            that(lambda: len(places) == 1, f"the look `{name}` moves nothing while it is seen: {len(places)} places")
            for button in page.locator("pop-preview button, pop-preview select, pop-preview a").all():
                with contextlib.suppress(PlaywrightError):
                    button.hover(timeout=300)
                    button.click(timeout=300, force=True)
                page.wait_for_timeout(50)
                covered = page.evaluate(OUTSIDE)
                that(lambda: not covered, f"what is pressed in the look `{name}` covers nothing either: {covered[:3]}")
            left = page.evaluate(LEFT)
            that(lambda: not left, f"nothing of the look `{name}` could run, ask, or rise above the page: {left[:5]}")
            that(lambda: page.url.endswith(f"#popups/{template}"), f"the look `{name}` leads nowhere: {page.url}")
            that(lambda: page.evaluate("document.activeElement.closest('pop-preview') === null") or page.locator("pop-preview button").count() > 0,
                 f"the look `{name}` takes no focus")
            pointers = page.evaluate("""() => [...document.querySelectorAll("pop-preview")].flatMap((one) => {
                const all = (root) => [...root.querySelectorAll("*")].flatMap((inner) => [inner, ...(inner.shadowRoot ? all(inner.shadowRoot) : [])]);
                return all(one.shadowRoot).map((inner) => getComputedStyle(inner).cursor).filter((cursor) => cursor.includes("("));
            })""")
            that(lambda: not pointers, f"the look `{name}` has no picture for a pointer: {pointers[:2]}")
            bench.picture(page, f"look-{name}")
    with bench.open(path, "popups", tolerated="Content Security Policy") as page:
        covered = page.evaluate(OUTSIDE)
        that(lambda: not covered, f"hostile looks beside each other cover nothing: {covered[:3]}")
        page.set_viewport_size({"width": 400, "height": 800})
        page.wait_for_timeout(200)
        covered = page.evaluate(OUTSIDE)
        that(lambda: not covered, f"nor do they on a narrow screen: {covered[:3]}")
        places = page.evaluate(PLACES, 40)
        that(lambda: len(places) == 1, f"nor do they move anything there: {len(places)} places")
    if not has_play:
        return
    with bench.open(path, "play", tolerated="Content Security Policy") as page:
        start_playing(page)
        that(lambda: counted(page.locator(".phone pop-preview"), len(looks)), "all hostile looks are on the phone at once")
        page.wait_for_timeout(300)
        covered = page.evaluate(OUTSIDE)
        that(lambda: not covered, f"hostile looks cover nothing outside of the phone (S-L3): {covered[:3]}")
        for button in page.locator(".phone pop-preview button").all():
            with contextlib.suppress(PlaywrightError):
                button.click(timeout=300, force=True)
        covered = page.evaluate(OUTSIDE)
        that(lambda: not covered, f"nor do they when they are used there: {covered[:3]}")


def check_access(bench, path, has_play):
    from axe_playwright_python.sync_playwright import Axe

    views = ["popups", "popups/cart_reminder", "stories", "collisions", "coverage", "changes"] + (["play?see=welcome"] if has_play else [])
    story = "stories/rules/new-user.test.yaml/a%20popup%20that%20a%20closer%20one%20interrupts%20comes%20back"
    for scheme in ["light", "dark"]:
        for view in [*views, story]:
            # A popup that fades in has less contrast at first.
            with bench.open(path, view, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce") as page:
                if view.startswith("play"):
                    start_playing(page)
                found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
                words = [(one["id"], one["nodes"][0]["html"][:120]) for one in found]
                bench.checks.that(lambda: not found, f"axe has nothing serious about {view} in {scheme}: {words}")
                if scheme == "dark":
                    bench.picture(page, f"dark-{view.split('?')[0].split('/')[0]}")
    for name, size, zoom in [("narrow", (360, 740), 1), ("zoomed", (1280, 900), 2)]:
        for view in [*views, story]:
            options = {"viewport": {"width": size[0] // zoom, "height": size[1] // zoom}, "device_scale_factor": zoom}
            with bench.open(path, view, **options) as page:
                if view.startswith("play"):
                    start_playing(page)
                over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                bench.checks.that(lambda: over <= 0, f"{view} does not run over the side when {name}: {over} px")
                bench.picture(page, f"{name}-{view.split('?')[0].split('/')[0]}")
    with bench.open(path, "popups", reduced_motion="reduce") as page:
        moving = page.evaluate("document.getAnimations().length")
        bench.checks.that(lambda: moving == 0, "nothing moves for those who do not want that")
    with bench.open(path, "popups") as page:
        page.keyboard.press("Tab")
        bench.checks.that(lambda: page.evaluate("document.activeElement.className") == "skip", "the first key leads past the head")
        page.keyboard.press("Enter")
        bench.checks.that(lambda: page.evaluate("document.activeElement.id") == "main", "and to the content")
        page.locator(".theme select").select_option("dark")
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        bench.checks.that(lambda: dark == "rgb(22, 24, 28)", f"colours can be chosen: {dark}")
        page.emulate_media(media="print")
        bench.checks.that(lambda: not page.locator("nav").is_visible(), "the head is not printed")
        bench.picture(page, "print")


def check_watch(bench, has_play):
    that = bench.checks.that
    rules = bench.folder / "watched"
    shutil.copytree(ROOT / "rules", rules)
    path = bench.folder / "watched.html"
    watching = subprocess.Popen([bench.program, "page", str(rules), "-o", str(path), "--watch"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if path.exists():
                break
            time.sleep(0.1)
        with bench.open(path, "popups?owner=team-plans") as page:
            page.evaluate("globalThis.mark = 'still here'")
            page.fill("#search", "free")
            if has_play:
                bench.go(page, "play")
                start_playing(page)
                page.locator(".phone pop-preview button").first.click()
                page.get_by_role("button", name="+10s", exact=True).click()
                bench.go(page, "popups?owner=team-plans&q=free")
            change(rules / "shop.yaml", "Free delivery with pro", "Free parcels with pro")
            try:
                page.wait_for_selector("pop-preview .title:has-text('Free parcels with pro')")
                that(lambda: True, "")
            except Exception:
                that(lambda: False, "an open page takes over what is written anew")
            that(lambda: page.evaluate("globalThis.mark") == "still here", "without being loaded again")
            that(lambda: page.input_value("#search") == "free", "the search stays")
            that(lambda: "owner=team-plans" in page.url, "the filter stays")
            if has_play:
                bench.go(page, "play")
                start_playing(page)
                page.locator("summary", has_text="as a test").click()
                that(lambda: "close: consent" in page.locator("pre.test").text_content(), "what was played stays")
            before = path.read_bytes()
            change(rules / "shop.yaml", "owner: team-plans", "owner: [")
            time.sleep(3)
            that(lambda: path.read_bytes() == before, "rules with a mistake leave the page as it is")
    finally:
        watching.terminate()
        watching.wait()


def change(file, old, new):
    file.write_text(file.read_text().replace(old, new, 1))

# A page of somebody else, which puts pages into frames and takes what it gets.
THIEF = """<!doctype html><title>somebody else</title><script>
globalThis.got = [];
addEventListener("message", (event) => got.push(JSON.stringify(event.data).slice(0, 80)));
</script>"""

STEAL = """async (addresses) => {
    for (const address of addresses) for (const sandbox of [null, "allow-scripts"]) {
        const frame = document.createElement("iframe");
        if (sandbox) frame.setAttribute("sandbox", sandbox);
        frame.src = address;
        const loaded = new Promise((done) => frame.addEventListener("load", done));
        document.body.append(frame);
        await loaded;
    }
    // What watches itself does so once a second.
    await new Promise((done) => setTimeout(done, 2500));
    return globalThis.got;
}"""


class Noting(http.server.SimpleHTTPRequestHandler):
    """Serves files, and keeps what it was asked for."""

    asked = []

    def log_request(self, *words):
        self.asked.append(self.path)

    def log_message(self, *words):
        pass


@contextlib.contextmanager
def served(folder):
    """A folder at an origin of its own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Noting, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def watched(bench, path, *words):
    """A page that the program goes on writing."""
    watching = subprocess.Popen([bench.program, "page", *words, "-o", str(path), "--watch"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if path.exists():
                break
            time.sleep(0.1)
        yield
    finally:
        watching.terminate()
        watching.wait()


def check_framing(bench):
    """A page in a frame of another site reveals nothing and accepts nothing (S-M3)."""
    that = bench.checks.that
    folder, foreign = bench.folder / "framed", bench.folder / "thief"
    folder.mkdir()
    foreign.mkdir()
    (foreign / "thief.html").write_text(THIEF)
    (bench.folder / "thief.html").write_text(THIEF)
    rules = bench.folder / "framed.yaml"
    rules.write_text(TIMES)
    shutil.copy(bench.make("framed", str(rules)), folder / "plain.html")
    with watched(bench, folder / "watched.html", str(rules)):
        pass
    text = (folder / "watched.html").read_text()
    key = text.partition('id="page" data-watch="')[2].partition('"')[0]
    that(lambda: len(key) == 32, f"a watched page has a key: {key}")
    queries = ["?probe1", "?probe1#", "?probe1#.", "?probe1#.x", "?probe1#null.x", "?probe1#undefined.x", f"?probe1#{'0' * 32}.x", ""]
    context = bench.browser.new_context()
    page = context.new_page()
    with served(folder) as own, served(foreign) as other:
        # Whoever knows the key and is somebody else gets nothing of a server's page either.
        for name, more in [("plain", []), ("watched", [f"?probe1#{key}.x"])]:
            page.goto(f"{other}/thief.html")
            got = page.evaluate(STEAL, [f"{own}/{name}.html{query}" for query in [*queries, *more]])
            that(lambda: got == [], f"another site gets nothing of a {name} page in a frame (S-M3): {got[:2]}")
            page.goto(f"file://{bench.folder}/thief.html")
            got = page.evaluate(STEAL, [f"file://{folder}/{name}.html{query}" for query in queries])
            that(lambda: got == [], f"another file gets nothing of a {name} page in a frame (S-M3): {got[:2]}")
        page.goto(f"{own}/watched.html")
        page.wait_for_selector("html[data-ready]")
        taken = page.evaluate("""async () => {
            const { page } = globalThis.poprules;
            const frame = document.querySelector("iframe");
            const before = page.text.join();
            while (!frame.src) await new Promise((done) => setTimeout(done, 50));
            const token = new URL(frame.src).hash.split(".")[1];
            const poprules = [page.text[0], page.text[1] + " "];
            const taken = [];
            for (const [words, message] of Object.entries({
                "no token": { source: frame.contentWindow, origin: "null", data: { poprules } },
                "another token": { source: frame.contentWindow, origin: "null", data: { poprules, token: `${token}0` } },
                "another origin": { source: frame.contentWindow, origin: "https://evil.example", data: { poprules, token } },
                "another source": { source: window, origin: "null", data: { poprules, token } },
                "no data": { source: frame.contentWindow, origin: "null", data: { poprules: [1], token } },
            })) {
                dispatchEvent(new MessageEvent("message", message));
                if (page.text.join() !== before) { taken.push(words); page.update([poprules[0], poprules[1].trimEnd()]); }
            }
            return taken;
        }""")
        that(lambda: taken == [], f"a watched page takes nothing from anybody else (S-M3): {taken}")
        (folder / "watched.html").write_text(text.replace("Hungry?", "Thirsty?"))
        that(lambda: "Thirsty?" in seen(page.locator("pop-preview")), "a watched page of a server follows its file")
        probes = [asked for asked in Noting.asked if "?probe" in asked]
        that(lambda: probes and not any(key in asked for asked in Noting.asked), f"no server sees the key of a watched page: {probes[:2]}")
    context.close()


TIMES = """poprules: 1
context:
  user.id: { type: string, default: u1 }
popups:
  lunch:
    trigger: start
    delay: 30m
    schedule: { hours: "12:00-13:00", zone: local }
    rollout: { steps: { 2026-11-01: 10, 2026-11-10: 100 }, by: user.id }
    content: { title: Hungry? }
"""


def check_times(bench, has_play):
    that = bench.checks.that
    file = bench.folder / "times.yaml"
    file.write_text(TIMES)
    path = bench.make("times", str(file))
    with bench.open(path, "popups/lunch") as page:
        that(lambda: page.locator("svg.stairs rect").count() == 2, "the steps of a rollout are drawn")
        bench.picture(page, "rollout")
        if not has_play:
            return
        bench.go(page, "play?see=lunch")
        start_playing(page)
        row = page.locator("ul.why li", has_text="lunch").first
        wait = row.get_by_role("button", name="wait 3h: then it can show")
        that(lambda: counted(wait, 1), f"one wait leads through all reasons: {row.inner_text()}")
        wait.click()
        page.get_by_role("button", name="+1s", exact=True).click()
        that(lambda: "Hungry?" in seen(page.locator(".phone")), "and then it shows")
        page.select_option("text=time zone of the device >> select", "Asia/Tokyo")
        that(lambda: "21:00:01 Asia/Tokyo" in page.inner_text(".phone .clock"), "the clock is that of the device")


DIVISIONS = """poprules: 1
context:
  user.id: { type: string, default: "" }
holdout: { percent: 10, by: user.id, salt: h }
schedulers: { one: {}, two: {}, three: {}, four: {} }
layers: { copy: { by: user.id } }
popups:
  arms:
    scheduler: one
    experiment: { by: user.id, share: 80, control: 20, variants: { short: {}, long: { weight: 3 } } }
  layered:
    scheduler: two
    experiment: { layer: copy, range: [25, 75], variants: { a: {}, b: {} } }
  stepped:
    scheduler: three
    rollout: { by: user.id, steps: { 2026-11-01: 30, 2026-12-01: 100 } }
  held:
    scheduler: four
    rollout: { by: user.id, range: [20, 90] }
"""

# What the engine does for an id: what shows, as which variant, and why not.
DONE = """([id, bundle]) => {
    const start = "2026-11-20T09:00:00Z";
    const host = globalThis.poprules.played(globalThis.engine, bundle, { start, set: { "user.id": id }, steps: [] });
    const found = {};
    for (const { told } of host.log) if (told?.popup) {
        if (told.event === "exposed") found[told.popup] = `variant: ${told.variant === "control" ? "nothing (control)" : told.variant}`;
        else if (told.event === "shown") found[told.popup] ??= "shows";
        else if (told.event === "notMade") found[told.popup] = told.reason;
    }
    host.close();
    return found;
}"""


def check_divisions(bench):
    """A user id typed in the page gets the same arms as in the engine."""
    that = bench.checks.that
    file = bench.folder / "divisions.yaml"
    file.write_text(DIVISIONS)
    path = bench.make("divisions", str(file))
    with bench.open(path, "play") as page:
        start_playing(page)
        page.locator("summary", has_text="assigned variants").click()
        page.evaluate("async () => { globalThis.engine = await globalThis.poprules.loadEngine(); }")
        bundle = page.locator("#bundle").text_content()
        field = page.get_by_label("user.id of a user")
        ids = ["ada", "zoë", "42", "", *[f"user-{number}" for number in range(200)]]
        wrong, seen_words = [], set()
        for id_ in ids:
            field.fill(id_)
            said = page.evaluate("() => [...document.querySelectorAll('table.keys tr')].map((row) => [row.querySelector('th').textContent, row.querySelector('b').textContent])")
            done = page.evaluate(DONE, [id_, bundle])
            said = dict(said)
            seen_words |= set(said.values())
            expected = {of: "variant: not in the experiment" if done[of] == "shows" else done[of] for of in ["arms", "layered"]}
            for of in ["stepped", "held"]:
                expected[of] = "not in the rollout" if done[of] == "NOT_IN_ROLLOUT" else "in the rollout"
            is_held = "HELD_OUT" in done.values()
            expected["holdout"] = "essential popups only" if is_held else "not in the holdout"
            # Nothing else of those who are held out can be seen.
            expected = {of: words for of, words in expected.items() if words != "HELD_OUT"}
            wrong += [(id_, of, said[of], words) for of, words in expected.items() if said[of] != words]
        that(lambda: not wrong, f"what an id gets is what the engine does: {wrong[:3]}")
        that(lambda: len(seen_words) == 10, f"of all that there is to get: {sorted(seen_words)}")
        field.fill("ada")
        page.get_by_role("button", name="use this value").click()
        that(lambda: "user.id+%3D+ada" in page.url, "one can be whom one typed")
        bench.picture(page, "divisions", whole=True)


def check_without_engine(bench, path):
    text = path.read_text()
    start = text.find('<script type="application/wasm"')
    if start >= 0:
        end = text.index("</script>", start) + len("</script>\n")
        text = text[:start] + text[end:]
    other = bench.folder / "without.html"
    other.write_text(text)
    with bench.open(other, "play") as page:
        that = bench.checks.that
        that(lambda: "has no engine" in page.inner_text("main"), "a page without the engine says so")
        page.select_option("text=choose a test >> select", label="rules/new-user.test.yaml/a popup that a closer one interrupts comes back")
        page.get_by_role("button", name="next").click()
        that(lambda: "location_primer shows" in page.inner_text("ol.steps"), "recorded stories are gone through moment by moment")
        that(lambda: "See the map" in seen(page.locator(".phone")) or page.locator(".phone pop-preview").count() == 1, "with what showed on a phone")
        bench.picture(page, "recorded")
        page.set_viewport_size({"width": 360, "height": 740})
        that(lambda: page.evaluate("document.documentElement.scrollWidth") <= 360, "recorded stories fit on a narrow screen")
        bench.go(page, "popups")
        bench.checks.that(lambda: counted(page.locator("article.card"), 23), "and shows everything else")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pictures", help="a folder for pictures of the views")
    parser.add_argument("--random", type=int, default=100, help="how many random stories are played")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        bench = Bench(arguments, browser, pathlib.Path(folder))
        earlier = bench.folder / "earlier"
        earlier.mkdir()
        for file in (ROOT / "rules").glob("*.yaml"):
            if not file.name.endswith(".test.yaml"):
                shutil.copy(file, earlier)
        change(earlier / "shop.yaml", "body: Try it for a month.", "body: Try it for a week.")
        (earlier / "gone.yaml").write_text(
            "poprules: 1\npopups:\n  old_offer:\n    trigger: start\n    when: cart.items > 3\n"
            "    template: sheet\n    content: { title: Old, body: Offer, button: Go }\n")
        path = bench.make("rules", "rules", "--against", str(earlier))
        with bench.open(path) as page:
            has_play = page.evaluate("globalThis.poprules.page.hasEngine")
        check_popups(bench, path)
        check_stories(bench, path)
        check_rest(bench, path)
        check_times(bench, has_play)
        check_without_engine(bench, path)
        check_hostile(bench)
        check_looks(bench)
        check_hostile_looks(bench, has_play)
        check_framing(bench)
        if has_play:
            check_play(bench, path)
            check_why_not(bench, path)
            check_story_in_play(bench, path)
            check_divisions(bench)
            check_same_as_simulate(bench, ["rules", "Examples/rules/news"])
            check_random(bench, arguments.random)
        else:
            print("this poprules has no engine for browsers: nothing is played")
        check_access(bench, path, has_play)
        check_watch(bench, has_play)
        browser.close()
    print(f"{bench.checks.count - len(bench.checks.failed)} of {bench.checks.count} checks passed")
    sys.exit(1 if bench.checks.failed else 0)


if __name__ == "__main__":
    main()
