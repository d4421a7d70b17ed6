import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// All files are checked again when one of several changes.
struct LinkedFilesTests {
    private static let shared = """
        context:
          user.plan: { type: string, values: [free, pro], default: free }
          user.age: { type: int, default: 0 }
        events: { bought: { total: double } }
        templates: { sheet: { required: { title: string } } }
        conditions: { paying: user.plan == "pro" }

        """

    private static let files = [
        shared,
        "popups: { old: { priority: 5, when: user.age > 60 } }\n",
        "popups: { paid: { when: paying }, after_paid: { after: [paid] } }\n",
        "popups: { other: { template: sheet, content: { title: t } } }\n",
        "popups: { again: { trigger: { event: bought, where: event.total > 5.0 } } }\n",
    ]

    private var linked = Self.link(files)

    private static func link(_ texts: [String]) -> LinkedFiles {
        var sources = SourceSet()
        for (number, text) in texts.enumerated() {
            sources.add(path: "\(number).yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        }
        return LinkedFiles(sources)
    }

    /// Replaces a string in one file.
    private mutating func edit(_ file: Int, _ text: String, into other: String) {
        let old = linked.sources.files[file]
        let new = old.text(in: old.range).replacing(text, with: other)
        linked.update(SourceFile(id: old.id, path: old.path, text: new))
        #expect(linked.diagnostics == fresh.diagnostics)
    }

    private var fresh: Checked<RuleSet> { RuleSet.check(linked.sources, files: linked.files) }
    private var messages: [String] { linked.diagnostics.list.map(\.message) }

    @Test func `the first link has no findings`() {
        #expect(messages == [])
        #expect(linked.model?.popups.names == ["old", "paid", "after_paid", "other", "again"])
        #expect(linked.rules.value?.popups.count == 5)
    }

    @Test mutating func `a changed priority is in the rules`() {
        edit(1, "priority: 5", into: "priority: 50")
        #expect(linked.rules.value?.popups.first?.priority == 50)
    }

    @Test mutating func `a changed type of a key affects the files that use the key`() {
        edit(0, "{ type: int, default: 0 }", into: "{ type: double, default: 0 }")
        #expect(messages == [])
        edit(0, "{ type: double, default: 0 }", into: "string")
        #expect(messages.count == 1)
    }

    @Test mutating func `a changed field of an event or a template affects the files that use it`()
    {
        edit(0, "{ total: double }", into: "{ sum: double }")
        #expect(messages.count == 1)
        edit(0, "title: string", into: "title: int")
        #expect(messages.count == 2)
    }

    @Test mutating func `places in other files move with a new comment`() {
        edit(0, "default: free", into: "default: team")
        let before = linked.diagnostics.list.flatMap(\.secondary)
        edit(0, "context:", into: "# A comment.\ncontext:")
        let labels = linked.diagnostics.list.flatMap(\.secondary)
        #expect(
            before.map { $0.range.lower + ($0.range.file == linked.files[0] ? 13 : 0) }
                == labels.map(\.range.lower))
    }

    @Test mutating func `a removed popup affects the files with popups that wait for it`() {
        edit(2, "paid: { when: paying }, ", into: "")
        #expect(messages == ["there is no popup `paid`"])
        edit(1, "popups: { old", into: "popups: { paid: {}, old")
        #expect(messages == [])
    }

    @Test mutating func `a duplicate definition is used when the first definition is removed`() {
        edit(3, "popups: { ", into: "popups: { old: { when: user.old }, ")
        #expect(messages == ["the popup `old` is defined twice"])
        edit(1, "old:", into: "older:")
        #expect(messages == ["unknown context key `user.old`"])
    }

    @Test mutating func `a file that cannot be read declares nothing`() {
        edit(0, "context:", into: "context: [")
        #expect(linked.diagnostics.hasErrors)
        edit(0, "context: [", into: "context:")
        #expect(messages == [])
    }

    @Test mutating func `quiet hours without a length are reported as in a check from scratch`() {
        edit(3, "popups:", into: "quiet: { hours: '22:00-22:00' }\npopups:")
        #expect(messages.count == 1)
    }

    @Test mutating func `files can be added and removed`() {
        let text = "poprules: 1\nconditions: { paying: true }\npopups: { new: { when: paying } }\n"
        let added = linked.add(path: "new.yaml", bytes: Array(text.utf8), at: 0)
        // The first definition is used: the new one.
        #expect(messages == ["the condition `paying` is defined twice"])
        linked.remove(linked.files[1])
        #expect(messages.contains("there is no event `bought`"))
        linked.add(path: "0.yaml", bytes: linked.sources.files[0].bytes)
        linked.remove(added.id)
        #expect(messages == [])
        #expect(linked.diagnostics == fresh.diagnostics)
    }

    @Test mutating func `a changed guard in another file affects a condition`() {
        linked = Self.link([
            "context: { ends: timestamp }\nconditions: { soon: ends - now < duration('1d') }\n",
            "popups: { a: { when: has(ends) && soon } }\n", "popups: { b: {} }\n",
        ])
        #expect(messages == [])
        edit(1, "has(ends) && ", into: "")
        #expect(messages == ["`ends` may have no value here"])
        edit(1, "when: ", into: "when: has(ends) && ")
        #expect(messages == [])
    }
}
