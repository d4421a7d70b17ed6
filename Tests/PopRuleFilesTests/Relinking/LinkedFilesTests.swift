import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Parts that are checked again when one of several files changes.
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

    /// Replaces a string in one file, and returns the numbers of the files that are checked because
    /// of it.
    private mutating func edit(_ file: Int, _ text: String, into other: String) -> [UInt32] {
        let old = linked.sources.files[file]
        let new = old.text(in: old.range).replacing(text, with: other)
        return update(file, to: new)
    }

    private mutating func update(_ file: Int, to text: String) -> [UInt32] {
        let old = linked.sources.files[file]
        let linkedAnew = linked.update(SourceFile(id: old.id, path: old.path, text: text))
        let fresh = RuleSet.check(linked.sources, files: linked.files)
        #expect(linked.diagnostics == fresh.diagnostics)
        return linkedAnew.map(\.index).sorted()
    }

    private var messages: [String] { linked.diagnostics.list.map(\.message) }

    @Test func `the first link has no findings`() {
        #expect(messages == [])
        #expect(linked.model?.popups.names == ["old", "paid", "after_paid", "other", "again"])
        #expect(linked.compiled().value?.popups.count == 5)
    }

    @Test mutating func `a changed priority affects only its file`() {
        #expect(edit(1, "priority: 5", into: "priority: 50") == [1])
        #expect(linked.compiled().value?.popups.first?.priority == 50)
    }

    @Test mutating func `a changed type of a key affects the files that use the key`() {
        #expect(
            edit(0, "{ type: int, default: 0 }", into: "{ type: double, default: 0 }") == [0, 1])
        #expect(messages == [])
        #expect(edit(0, "{ type: double, default: 0 }", into: "string") == [0, 1])
        #expect(messages.count == 1)
    }

    @Test mutating func `changed values of a key affect the files that use them by another name`() {
        #expect(edit(0, "[free, pro]", into: "[free, team]") == [0, 2])
    }

    @Test mutating func `a changed field of an event or a template affects the files that use it`()
    {
        #expect(edit(0, "{ total: double }", into: "{ sum: double }") == [0, 4])
        #expect(messages.count == 1)
        #expect(edit(0, "title: string", into: "title: int") == [0, 3])
        #expect(messages.count == 2)
    }

    @Test mutating func `a changed comment affects no findings, and places move with it`() {
        #expect(edit(0, "default: free", into: "default: team") == [0, 2])
        _ = edit(2, "when: paying", into: "when: user.plan == 'team'")
        let before = linked.diagnostics.list.flatMap(\.secondary)
        #expect(before.contains { $0.range.file == linked.files[0] })
        #expect(edit(0, "context:", into: "# A comment.\ncontext:") == [0])
        let labels = linked.diagnostics.list.flatMap(\.secondary)
        #expect(
            before.map { $0.range.lower + ($0.range.file == linked.files[0] ? 13 : 0) }
                == labels.map(\.range.lower))
    }

    @Test mutating func `a removed popup affects the files with popups that wait for it`() {
        #expect(edit(2, "paid: { when: paying }, ", into: "") == [2])
        #expect(messages == ["there is no popup `paid`"])
        // A name that leads nowhere is compared with all others.
        #expect(edit(1, "popups: { old", into: "popups: { paid: {}, old") == [1, 2])
        #expect(messages == [])
        #expect(edit(1, "old:", into: "older:") == [1])
    }

    @Test mutating func `a duplicate definition is used when the first definition is removed`() {
        #expect(edit(3, "popups: { ", into: "popups: { old: { when: user.old }, ") == [3])
        #expect(messages == ["the popup `old` is defined twice"])
        #expect(edit(1, "old:", into: "older:") == [1, 3])
        #expect(messages == ["unknown context key `user.old`"])
    }

    @Test mutating func `a file that cannot be read declares nothing`() {
        _ = edit(0, "context:", into: "context: [")
        #expect(linked.diagnostics.hasErrors)
        _ = edit(0, "context: [", into: "context:")
        #expect(messages == [])
    }

    @Test mutating func `files can be added and removed`() {
        let text = "poprules: 1\nconditions: { paying: true }\npopups: { new: { when: paying } }\n"
        let added = linked.add(path: "new.yaml", bytes: Array(text.utf8), at: 0)
        // The first definition is used: the new one.
        #expect(added.linked.map(\.index).sorted() == [0, 2, 5])
        #expect(messages == ["the condition `paying` is defined twice"])
        #expect(linked.remove(linked.files[1]).contains(added.file.id) == false)
        #expect(messages.contains("there is no event `bought`"))
        linked.add(path: "0.yaml", bytes: linked.sources.files[0].bytes)
        #expect(linked.remove(added.file.id).map(\.index).sorted() == [2, 6])
        #expect(messages == [])
        #expect(
            linked.diagnostics == RuleSet.check(linked.sources, files: linked.files).diagnostics)
    }

    @Test mutating func `a changed guard in another file affects a condition`() {
        linked = Self.link([
            "context: { ends: timestamp }\nconditions: { soon: ends - now < duration('1d') }\n",
            "popups: { a: { when: has(ends) && soon } }\n", "popups: { b: {} }\n",
        ])
        #expect(messages == [])
        #expect(edit(1, "has(ends) && ", into: "") == [0, 1])
        #expect(messages == ["`ends` may have no value here"])
        #expect(edit(1, "when: ", into: "when: has(ends) && ") == [0, 1])
        #expect(messages == [])
    }
}
