import Foundation
import Testing

@Suite struct `The guides to the engine` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private func lines(of path: String) throws -> [String] {
        try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test(arguments: [
        ("how-to/embed-the-engine", "GuideExamples", 4),
        ("how-to/show-and-dismiss-popups", "GuideExamples", 7),
        ("how-to/react-to-callbacks", "GuideExamples", 2),
        ("how-to/queue-your-own-popups", "GuideExamples", 2),
        ("how-to/set-context-and-send-events", "GuideExamples", 5),
        ("how-to/users-and-histories", "GuideExamples", 5),
        ("how-to/observe-and-explain", "GuideExamples", 5),
        ("how-to/update-rules-in-an-app", "GuideExamples", 3),
        ("how-to/test-popups-in-your-app", "GuideExamples", 2),
        ("how-to/follow-the-app-life-cycle", "LifeCycleExamples", 4),
        ("explain/privacy", "PrivacyExamples", 4),
        ("how-to/migrate-from-fgpopupscheduler", "MigratingExamples", 1),
        ("how-to/migrate-from-popup", "MigratingExamples", 2),
        ("how-to/migrate-from-mbprogresshud", "MigratingExamples", 2),
        ("learn/first-popup-in-an-app", "TutorialExamples", 1),
    ])
    func `show only code that compiles`(page: String, code: String, least: Int) throws {
        let examples = try lines(of: "\(code).swift")
        let page = try lines(of: "../../../docs/\(page).md")
        var block: [String]?
        var count = 0
        for (place, line) in page.enumerated() {
            if line == "```swift" {
                // Files of an app are compiled by `PresentingPageTests`.
                let isFile = place > 0 && page[place - 1].hasPrefix("<!-- file: ")
                block = isFile ? nil : []
            } else if line == "```", let finished = block {
                block = nil
                count += 1
                // A block may show parts that are apart in the examples: each of its lines must be
                // there, in order.
                var rest = examples[...]
                for line in finished {
                    let place = rest.firstIndex(of: line)
                    #expect(place != nil, "not among the examples: \(line)")
                    rest = rest[((place ?? rest.startIndex - 1) + 1)...]
                }
            } else {
                block?.append(line)
            }
        }
        #expect(count >= least)
    }

    @Test(arguments: [
        (
            "migrate-from-fgpopupscheduler",
            ["FGPopupViewPlaceHolder", "the first among equals shows first", "is animated"]
        ),
        ("migrate-from-popup", ["taskDescription", "isCanceled", "before `add` returns"]),
        (
            "migrate-from-mbprogresshud",
            [
                "HUDForView:", "hideAnimated:afterDelay:", "comes back afterwards",
                "two tasks that overlap have two HUDs", "Objective-C can't call it",
            ]
        ),
        (
            "follow-the-app-life-cycle",
            ["await engine.flush()", "beginBackgroundTask { self.end() }", "0xdead10cc"]
        ),
        ("sign-bundles", ["guard let key = BundlePublicKey("]),
    ])
    func `mention what developers searched for in vain (R10, E23, E29)`(
        page: String, parts: [String]
    ) throws {
        let text = try lines(of: "../../../docs/how-to/\(page).md").joined(separator: " ")
        for part in parts { #expect(text.contains(part), "\(page): \(part)") }
    }
}
