import Foundation
import Testing

/// S1: pressing TAB in a folder of foreign rules executes nothing and offers only ids.
@Suite struct `Shell completion with hostile rules` {
    /// Ids that shells would obey, and two that are ids.
    private static let rules = #"""
        poprules: 1
        popups:
          "$(touch${IFS}pwned)": {}
          "`touch${IFS}pwned`": {}
          ";touch pwned": {}
          "oa;touch pwned;": {}
          "o$(touch${IFS}pwned)": {}
          "o b": {}
          "-rf": {}
          "o*": {}
          "!!": {}
          "o\nb": {}
          "o\tb": {}
          "'o": {}
          "\"o": {}
          "\e[31mred": {}
          "o:$(touch pwned)": {}
          "(touch pwned)": {}
          "<(touch pwned)": {}
          "o\\": {}
          "~root": {}
          "{o,p}": {}
          "$HOME": {}
          "o\0": {}
          true: {}
          okay: {}
          oldie: {}
        """#

    private func inRules(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/rules.yaml")
        try body(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.hasPrefix("pwned") })
    }

    @Test func `completion offers only well-formed ids in every shell`() throws {
        try inRules { folder in
            for shell in ["bash", "zsh", "fish"] {
                let outcome = try Program.shell(
                    "SAP_SHELL=\(shell) poprules ---completion explain -- positional@0 2 0"
                        + " poprules explain ''", in: folder.url)
                let words = outcome.output.split(separator: "\n")
                #expect(words.filter { $0 != " " } == ["okay", "oldie"], "\(shell)")
            }
        }
    }

    @Test
    func `completion never passes the words of a command to a bash option that expands them`()
        throws
    {
        let script = try Program.shell("poprules completion bash", in: Repository.root).output
        #expect(!script.contains("-W \"$("))
        #expect(script.contains(#"__poprules_add_words "$(__poprules_custom_complete "#))
    }

    @Test(.enabled(if: Shells.has("bash"), "there is no bash"))
    func `completion executes nothing in bash, even if the program offers it`() throws {
        try inRules { folder in
            try folder.write(
                """
                poprules completion bash > script && source ./script
                poprules() { printf '%s\\n' '$(touch${IFS}pwned)' '`touch pwned`' 'o*' okay; }
                COMP_WORDS=(poprules explain '') COMP_CWORD=2 COMP_LINE='poprules explain ' COMP_POINT=17
                _poprules poprules '' explain
                printf '%s\\n' "${COMPREPLY[@]}"
                """, to: "complete.bash")
            let outcome = try Program.shell("bash --norc complete.bash", in: folder.url)
            #expect(outcome.output == "$(touch${IFS}pwned)\n`touch pwned`\no*\nokay\n")
        }
    }

    @Test(.enabled(if: Shells.has("zsh"), "there is no zsh"))
    func `completion executes nothing in zsh`() throws {
        try inRules { folder in
            try folder.write(
                """
                poprules completion zsh > _poprules
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell 'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D'
                zpty -w shell 'PS1=${:-REA}DY'
                zpty -r shell seen '*READY*'
                zpty -w -n shell $'poprules explain o\\t\\t'
                zpty -r shell seen '*oldie*'
                print -r -- "$seen"
                zpty -d shell
                """, to: "complete.zsh")
            let outcome = try Program.shell("timeout 60 zsh -f complete.zsh", in: folder.url)
            #expect(outcome.output.contains("okay"), "\(outcome.output)")
            #expect(!outcome.output.contains("pwned"), "\(outcome.output)")
        }
    }

    @Test(.enabled(if: Shells.has("fish"), "there is no fish"))
    func `completion executes nothing in fish`() throws {
        try inRules { folder in
            // A substitute for fish's answers about the line that is completed: only an
            // interactive fish has such a line.
            try folder.write(
                """
                function commandline
                    contains -- -tC $argv; and echo 0; and return
                    contains -- -t $argv; or printf '%s\\n' poprules explain
                end
                poprules completion fish | source
                complete -C 'poprules explain '
                """, to: "complete.fish")
            let outcome = try Program.shell("HOME=. fish complete.fish", in: folder.url)
            #expect(outcome.output == "okay\noldie\n", "\(outcome.output)")
        }
    }
}
