import Foundation
import PopSource
import Testing

@testable import PopLanguageServer

/// S-L7: a configuration of another account switched checks off in editors too.
@Suite(.enabled(if: geteuid() == 0, "only root can give files away"))
struct `A configuration in a folder above a document` {
    private static let rules = "poprules: 1\npopups:\n  x: { when: settled }\n"
    private static let configuration =
        "poprules_config: 1\nrules: [work]\nchecks: { P0301: off }\n"

    private func give(_ path: String, to account: Int) throws {
        try FileManager.default.setAttributes([.ownerAccountID: account], ofItemAtPath: path)
    }

    @Test(arguments: [false, true])
    func `a configuration of another account is skipped, which is reported once`(isWorkspace: Bool)
        throws
    {
        let editor = try Editor([:], folders: ["elsewhere"])
        try editor.write(Self.configuration, to: "poprules.yaml")
        try editor.write(Self.rules, to: "work/x.yaml")
        try editor.write(Self.rules, to: "work/deep/y.yaml")
        try give(editor.path("poprules.yaml"), to: 4_321)
        if isWorkspace {
            let folder = JSON.object(["uri": .string(editor.uri("")), "name": "w"])
            editor.notify(
                "workspace/didChangeWorkspaceFolders",
                .object(["event": .object(["added": [folder], "removed": []])]))
        }
        try editor.open("work/x.yaml")
        try editor.open("work/deep/y.yaml")
        editor.settle()
        #expect(editor.codes("work/x.yaml") == ["P0301"])
        let notes = editor.notifications.map(\.compact).filter { $0.contains("is ignored") }
        #expect(notes.count == 1)
        #expect(notes.first?.contains("another account owns it (user id 4321)") == true)
        #expect(notes.first?.contains(editor.path("poprules.yaml")) == true)
    }

    @Test func `of the current account is used`() throws {
        let editor = try Editor([:], folders: ["elsewhere"])
        try editor.write(Self.configuration, to: "poprules.yaml")
        try editor.write(Self.rules, to: "work/x.yaml")
        try editor.open("work/x.yaml")
        editor.settle()
        #expect(editor.codes("work/x.yaml") == [])
        #expect(!editor.notifications.contains { $0.compact.contains("is ignored") })
    }

    @Test func `that is a link out of its folder is not read`() throws {
        let editor = try Editor([:], folders: ["elsewhere"])
        try editor.write("poprules_config: 1\nchecks: { hidden: off }\n", to: "out/poprules.yaml")
        try editor.write(Self.rules, to: "project/work/x.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: editor.path("project/poprules.yaml"),
            withDestinationPath: "../out/poprules.yaml")
        try editor.open("project/work/x.yaml")
        editor.settle()
        #expect(!editor.notifications.contains { $0.compact.contains("hidden") })
        #expect(editor.notifications.contains { $0.compact.contains("a link out of its folder") })
    }
}
