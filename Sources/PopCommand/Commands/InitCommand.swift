import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a starter folder with commented example files.",
        discussion: """
            Never overwrites existing files.

            Example:
              poprules init rules
            """)

    @Argument(help: "The folder to write to.")
    var folder = "rules"

    func validate() throws {
        if folder.isEmpty { throw ValidationError("the name of the folder must not be empty") }
    }

    func run() throws {
        let files = Starter.files + [(Editing.schemaName, Starter.schema)]
        let taken = files.map { path(of: $0.name) }
            .filter { FileManager.default.fileExists(atPath: $0) }
        guard taken.isEmpty else {
            let verb = taken.count == 1 ? "exists" : "exist"
            throw EnvironmentFailure(
                message: "\(taken.joined(separator: ", ")) \(verb) already; nothing was written")
        }
        try OutputFile.refuseLinkOut(folder)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw EnvironmentFailure(message: "cannot create the folder `\(folder)`")
        }
        try NewFile.write(files.map { ($0.text, path(of: $0.name), false) }, replacing: false)
        for file in files { OutputFile.sayWritten(path(of: file.name)) }
        let word = folder.quotedForShell
        Terminal.say("try: poprules validate \(word) && poprules test \(word)")
    }

    private func path(of name: String) -> String { "\(folder)/\(name)" }
}

/// The files that `init` writes: the smallest rule set that shows how the parts belong together.
enum Starter {
    static let files: [(name: String, text: String)] = [
        ("app.yaml", app), ("popups.yaml", popups), ("first-launch.test.yaml", test),
    ]

    /// The schema that editors use to complete the files, with the names that they declare.
    static var schema: String {
        var sources = SourceSet()
        for file in files where !TestFile.isTestFile(file.name) {
            sources.add(path: file.name, bytes: Array(file.text.utf8))
        }
        return Editing.schema(.any, for: RuleModel.check(sources).value)
    }

    private static let app = """
        # yaml-language-server: $schema=./poprules.schema.json
        # Shared by all popups: the context that the app provides, and the events that it sends.
        poprules: 1

        # The keys that conditions may read. A key without default is missing until the app sets it.
        context:
          app.screen: { type: string, values: [home, settings, checkout], default: home }
          user.launches: { type: int, min: 0, default: 0, description: this launch included }
          user.plan: { type: string, values: [free, pro], default: free }

        # The events that can trigger popups, and the payload of each event.
        events:
          checkout.completed: { total: double, currency: string }

        # Named conditions, for use in other conditions.
        conditions:
          newcomer: user.launches <= 3

        """

    private static let popups = """
        # yaml-language-server: $schema=./poprules.schema.json
        # One entry per popup. Write only keys whose values differ from the defaults.
        poprules: 1

        popups:
          welcome:
            description: Greets a new user
            owner: team-growth
            priority: high              # very_low, low, normal, high, very_high, or any integer
            trigger: start              # what puts it in the queue
            when: newcomer && app.screen == "home"      # when it may show
            min_show: 2s                # once visible, it stays that long
            cap: { lifetime: 1 }        # how often it may show
            content: { title: Welcome, button: Show me around }
            examples:                   # checked by `poprules validate`
              match: [{ user.launches: 1 }]
              no_match: [{ user.launches: 7 }]

          rating_prompt:
            description: Asks for a rating after a large order
            owner: team-growth
            priority: low
            trigger: { event: checkout.completed, where: event.total > 50.0 }
            when: user.plan == "pro"
            delay: 2s                   # after the trigger
            hide_after: 20s
            max_wait: 10m               # dropped if it could not show for that long
            cap: { windows: [{ max: 1, per: 30d }] }
            content: { title: "Enjoying the app?", button: Rate it }

        """

    private static let test = """
        # yaml-language-server: $schema=./poprules.schema.json
        # Tests with a virtual clock: `poprules test` runs them, `poprules simulate` draws them.
        poprules_test: 1
        start: 2026-01-05T09:00:00Z

        personas:
          new_user: { user.launches: 1 }
          customer: { user.launches: 30, user.plan: pro }

        tests:
          a new user is greeted once:
            persona: new_user
            steps:
              - expect: { showing: { main: welcome } }
              - after: 5s
                close: welcome
              - after: 1h
                enqueue: welcome
                expect: { showing: { main: none }, reasons: { welcome: LIFETIME_CAP } }

          a large order asks for a rating:
            persona: customer
            steps:
              - send: { checkout.completed: { total: 80.0, currency: EUR } }
                expect: { showing: { main: none }, reasons: { rating_prompt: DELAYED } }
              - after: 2s
                expect: { showing: { main: rating_prompt } }
              - after: 20s
                expect: { dismissed: { rating_prompt: TIMED_OUT } }

        """
}
