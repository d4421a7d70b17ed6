#!/usr/bin/env python3
"""Measures a page of 200 popups in Chromium: when it is first seen, and what a step of Play takes.

Usage: speed.py POPRULES [--popups COUNT] [--times COUNT]

On a machine that does nothing else. Needs what page.py needs, and a POPRULES with the engine. Prints
median and 95th percentile; fails where a median is over what is allowed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

# Milliseconds: of the first sight, and of a step.
FIRST_SIGHT, STEP = 300, 16

# From the press of a button until the page is laid out anew.
STEPS = """times => {
    const { page } = globalThis.poprules;
    const taken = [];
    for (let index = 0; index < times; index += 1) {
        const begin = performance.now();
        if (index % 3 === 0) page.play.setKey(`key${index % 20}`, index);
        else if (index % 3 === 1) page.play.act({ text: "send done", event: { input: "send", event: "done" } });
        else page.play.wait(10n ** 18n);
        document.body.getBoundingClientRect();
        taken.push(performance.now() - begin);
    }
    return taken;
}"""

FIRST_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime"""


def rules(count):
    lines = ["poprules: 1", "context:"]
    lines += [f"  key{index}: {{ type: int, default: 0 }}" for index in range(20)]
    lines += ["events:", "  done: {}", "popups:"]
    for index in range(count):
        lines += [
            f"  popup{index}:",
            f"    description: Offers number {index} to those who want it",
            f"    owner: team-{index % 7}",
            f"    trigger: {'start' if index % 2 else '{ event: done }'}",
            f"    when: key{index % 20} > {index % 9} && key{(index * 7) % 20} < {index + 5}",
            f"    delay: {1 + index % 30}s",
            f"    priority: {1 + index % 900}",
            f"    content: {{ title: Offer {index}, body: It ends soon., button: Take it }}",
        ]
    return "\n".join(lines) + "\n"


def told(name, taken, most):
    middle, late = statistics.median(taken), sorted(taken)[int(len(taken) * 0.95) - 1]
    print(f"{name}: median {middle:.1f} ms, 95 % within {late:.1f} ms of {len(taken)}; at most {most} ms are allowed")
    return middle <= most


def first_sight(browser, path):
    page = browser.new_page()
    page.goto(f"file://{path}")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_function(FIRST_PAINT)
    taken = page.evaluate(FIRST_PAINT)
    page.close()
    return taken


def steps(browser, path, times):
    page = browser.new_page()
    page.goto(f"file://{path}#play")
    page.wait_for_selector(".phone", timeout=120_000)
    page.evaluate(STEPS, 6)
    return page.evaluate(STEPS, times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--popups", type=int, default=200)
    parser.add_argument("--times", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = pathlib.Path(folder) / "rules.yaml"
        file.write_text(rules(arguments.popups))
        path = pathlib.Path(folder) / "page.html"
        subprocess.run([arguments.program, "page", str(file), "-o", str(path)], check=True, capture_output=True)
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        print(f"{arguments.popups} popups, {path.stat().st_size:,} bytes")
        first_sight(browser, path)
        sights = [first_sight(browser, path) for _ in range(arguments.times)]
        is_fast = told("first sight", sights, FIRST_SIGHT)
        if "application/wasm" in path.read_text():
            is_fast = told("a step of Play", steps(browser, path, arguments.times), STEP) and is_fast
        else:
            print("this poprules has no engine for browsers: nothing is played")
        browser.close()
    sys.exit(0 if is_fast else 1)


if __name__ == "__main__":
    main()
