import Foundation
import Testing

@Suite struct `Standard output` {
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func `that takes no more data ends a command with an error`() throws {
        let folder = Repository.root
        for command in ["list rules", "schema", "validate rules", "eval 1"] {
            let outcome = try Program.shell("poprules \(command) > /dev/full", in: folder)
            #expect(outcome.status == 3, "\(command)")
            #expect(outcome.output == "poprules: cannot write to standard output\n", "\(command)")
        }
    }

    @Test func `that nobody reads any more isn't an error`() throws {
        let outcome = try Program.shell(
            "poprules schema | head -n 1; poprules list rules | true", in: Repository.root)
        #expect(outcome.status == 0)
        #expect(outcome.output == "{\n")
    }

    /// A program that starts another one, such as Node.js, may leave the pipe like that.
    @Test func `that is nonblocking gets all data, and so does standard input`() throws {
        let script = """
            import fcntl, os, subprocess, sys, time
            read, write = os.pipe()
            fcntl.fcntl(write, fcntl.F_SETFL, os.O_NONBLOCK)
            child = subprocess.Popen(["poprules", "schema"], stdout=write)
            os.close(write)
            time.sleep(0.2)
            text = b"".join(iter(lambda: os.read(read, 1000), b""))
            assert child.wait() == 0 and text.endswith(b"}\\n"), len(text)
            read, write = os.pipe()
            fcntl.fcntl(read, fcntl.F_SETFL, os.O_NONBLOCK)
            child = subprocess.Popen(["poprules", "fmt", "-"], stdin=read, stdout=subprocess.PIPE)
            os.close(read)
            time.sleep(0.2)
            os.write(write, b"poprules:   1\\n")
            os.close(write)
            text = child.stdout.read()
            assert child.wait() == 0 and text == b"poprules: 1\\n", text
            """
        let outcome = try Program.shell(
            "python3 - << 'END'\n\(script)\nEND", in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `contains only the requested format if a baseline is written`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("poprules: 1\npopups: { a: {} }\n", to: "rules/a.yaml")
        let outcome = try Program.shell(
            "poprules validate rules -f json --write-baseline b.json 2> said; cat said; ls",
            in: folder.url)
        #expect(outcome.output.hasPrefix("wrote "), "\(outcome.output)")
        #expect(outcome.output.contains("b.json\n"), "\(outcome.output)")
        let people = try Program.shell(
            "poprules validate rules --write-baseline c.json 2> said; cat said", in: folder.url)
        #expect(people.output.hasPrefix("wrote "), "\(people.output)")
    }
}
