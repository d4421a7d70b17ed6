import Foundation
import Testing

/// S-C1: repositories whose files or configuration name programs that git would run.
@Suite struct `A hostile repository` {
    private static let rules = "poprules: 1\npopups: { a: {} }\n"
    private static let git = "git -c user.email=a@b -c user.name=x"

    /// Programs and URLs that a git configuration may name to be run or fetched.
    private static let config = """
        [core]
        \trepositoryformatversion = 1
        \tbare = false
        \tworktree = ..
        \tfsmonitor = "env > STOLEN; false"
        \thooksPath = hooks
        \tsshCommand = "env > STOLEN; false"
        \tpager = "env > STOLEN"
        [protocol]
        \tallow = always
        [protocol "file"]
        \tallow = always
        [protocol "ext"]
        \tallow = always
        [extensions]
        \tpartialClone = origin
        [remote "origin"]
        \turl = .
        \tpromisor = true
        \tuploadpack = "env > STOLEN; false"

        """

    /// Runs commands with a secret in the environment, and expects that nothing got it.
    private func expectNothingStolen(
        _ script: String, in folder: TemporaryFolder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (status: Int32, output: String) {
        let config = Self.config.replacing("STOLEN", with: "\(folder.url.path)/STOLEN")
        try folder.write(config, to: "hostile-config")
        let outcome = try Program.shell("set -e\n" + script, in: folder.url)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.contains("STOLEN"), "\(outcome.output)", sourceLocation: sourceLocation)
        return outcome
    }

    @Test func `a repository whose path is too long cannot be read`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/r.yaml")
        try folder.write("gitdir: \(String(repeating: "a/", count: 3_000))\n", to: ".git")
        let outcome = try Program.shell("poprules diff --git main rules", in: folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output.hasPrefix("poprules: git cannot read `main` in the repository `"))
    }

    /// A branch that tracks a folder which looks like a bare repository.
    @Test(arguments: [
        "diff --git $BASE -- apps/shop/rules", "page --against $BASE apps/shop/rules -o page.html",
    ])
    func `a repository in a nested folder of a pull request executes nothing (S-C1)`(
        command: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "origin/apps/shop/rules/r.yaml")
        let outcome = try expectNothingStolen(
            """
            cd origin; git init -q -b main; git add -A; \(Self.git) commit -qm base
            BASE=$(git rev-parse HEAD); git checkout -q -b pr
            cd apps/shop; echo 'ref: refs/heads/main' > HEAD; mkdir -p objects refs/heads
            touch objects/x refs/x; echo 1111111111111111111111111111111111111111 > refs/heads/main
            cp ../../../hostile-config config
            cd ../..; git add -A; \(Self.git) commit -qm innocent; cd ..
            git clone -q -b pr origin clone; cd clone; git fetch -q --depth 1 origin $BASE
            GH_TOKEN=secret poprules \(command) > out || echo "exit $?"
            GH_TOKEN=secret poprules diff --git main -- apps/shop/rules || echo "no main"
            """, in: folder)
        #expect(outcome.output.contains("no main"), "the tracked `refs/heads/main` is none")
        #expect(!outcome.output.contains("exit"), "the old rules are read: \(outcome.output)")
    }

    /// An unpacked archive with a `.git` of its own, and with objects missing.
    @Test(arguments: ["rules", "rules/r.yaml", "."])
    func `a repository from an archive executes nothing; a missing object is reported (S-C1)`(
        path: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "archive/rules/r.yaml")
        try folder.write(Self.rules, to: "archive/r.yaml")
        let outcome = try expectNothingStolen(
            """
            cd archive; git init -q -b main; git add -A; \(Self.git) commit -qm base
            blob=$(git rev-parse HEAD:rules/r.yaml)
            rm -f .git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)
            cp ../hostile-config .git/config
            GH_TOKEN=secret poprules diff --git main -- \(path) 2>&1 || echo "exit $?"
            """, in: folder)
        #expect(outcome.output.contains("part of the revision is missing here"), "\(outcome)")
        #expect(outcome.output.contains("exit 3"), "\(outcome)")
    }

    @Test func `gives a message for each reason why a revision cannot be read`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        try folder.write(Self.rules, to: "plain/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; ln -s r.yaml rules/link.yaml; mkdir empty
            touch empty/x; git add -A; \(Self.git) commit -qm base; cd ..
            poprules diff --git main plain/rules
            cd shop
            poprules diff --git nowhere rules
            poprules diff --git main no/rules
            poprules diff --git main empty
            poprules diff --git main rules/link.yaml
            PATH=$(dirname $(command -v poprules)):/nowhere poprules diff --git main rules
            rm -r rules; poprules diff --git main rules/r.yaml 2>&1 | grep -v "^poprules: revision"
            """, in: folder.url)
        for sentence in [
            "`plain/rules` is not in a git repository: no folder above it has `.git`",
            "has no revision `nowhere`, or has not fetched it",
            "revision `main` has no `no/rules`", "there is no rule file",
            "`rules/link.yaml` is a link in `main`, not a file or folder",
            "`git` cannot be started: is it installed?",
        ] {
            #expect(outcome.output.contains(sentence), "\(sentence)\n\(outcome.output)")
        }
        #expect(!outcome.output.contains("Failure("))
    }

    @Test func `reports which revision is missing, and which branches exist (A27)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b trunk
            poprules diff --git HEAD rules; poprules diff --git main rules
            git add -A; \(Self.git) commit -qm base
            poprules diff --git nowhere rules; git remote add origin ../other
            poprules diff --git main rules; poprules diff --git HEAD~3 rules
            poprules diff --git $(git rev-parse HEAD:rules/r.yaml) rules
            rm .git/objects/$(git rev-parse HEAD | sed 's,..,&/,'); poprules diff --git trunk rules
            PATH=$(dirname $(command -v poprules)):/nowhere poprules diff --git HEAD rules
            """, in: folder.url)
        for sentence in [
            "has no commit yet, so it has no revision `HEAD`",
            "has no commit yet, so it has no revision `main`",
            "has no revision `nowhere`, or has not fetched it; its branch is `trunk`",
            "try `git fetch origin main`, then use the revision `FETCH_HEAD`; its branch is",
            "is neither a commit nor a folder", "git cannot read `trunk` in the repository",
            "has no revision `HEAD~3`", "`git` cannot be started",
        ] {
            #expect(outcome.output.contains(sentence), "\(sentence)\n\(outcome.output)")
        }
    }

    /// A clone of CI has one commit.
    @Test func `reports that a shallow clone lacks the requested revision`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm one
            \(Self.git) commit --allow-empty -qm two; cd ..
            git clone -q --depth 1 "file://$PWD/shop" clone; cd clone
            poprules diff --git HEAD rules; poprules diff --git HEAD~1 rules
            git update-ref refs/remotes/origin/next HEAD; poprules diff --git next rules
            """, in: folder.url)
        #expect(
            outcome.output.contains(
                "has no revision `next`; did you mean the remote branch `origin/next`?"))
        #expect(
            outcome.output.contains(
                "has no revision `HEAD~1`, or has not fetched it; it is a shallow clone, which"
                    + " lacks older commits and may lack branches: make a full clone (in GitHub"
                    + " Actions: `fetch-depth: 0`)"), "\(outcome.output)")
        #expect(!outcome.output.contains("`HEAD`"))
    }

    @Test(arguments: [
        "printf '[core]\\n\\trepositoryformatversion = 99\\n' > .git/config",
        "echo '[core' > .git/config", "echo nonsense > .git/HEAD",
        "ln -s /dev/zero .git/objects/info/alternates",
    ])
    func `that git refuses is not reported as having no commits`(damage: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base
            \(damage)
            poprules diff --git main rules; echo "exit $?"
            """, in: folder.url)
        #expect(outcome.output.contains("git cannot read `main` in"), "\(outcome.output)")
        #expect(outcome.output.contains("exit 3"), "\(outcome.output)")
    }

    @Test func `is found from a subfolder, through links and in worktrees`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/apps/rules/r.yaml")
        let outcome = try Program.shell(
            """
            set -e
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base
            git worktree add -q ../tree main -b other; ln -s shop ../linked; cd apps
            poprules diff --git main; cd ..; poprules diff --git main ./apps/../apps/rules
            poprules diff --git main ../linked/apps/rules; cd ../tree/apps
            poprules diff --git main rules; cd rules; poprules diff --git main .
            poprules diff --git main r.yaml; cd ../../..; poprules diff --git main tree/apps/rules
            poprules diff --git HEAD $PWD/shop/apps/rules
            """, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// The program `git` of the repository itself, which a PATH may lead to.
    @Test(arguments: [".", "", "tools", "./tools", "rules/../tools", "$PWD/tools", "$PWD/link"])
    func `a repository never provides the git that runs, whatever PATH is`(entry: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            set -e
            cd shop; git init -q -b main; mkdir tools; ln -s tools link
            printf '#!/bin/sh\necho "$0" >> \(folder.url.path)/STOLEN; exit 1\n' > git
            chmod +x git; cp git tools/git; git add -A; \(Self.git) commit -qm base
            PATH="\(entry):$PATH" poprules diff --git main rules
            cd rules; PATH="\(entry):..:$PATH" poprules diff --git main .
            """, in: folder.url)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.contains("STOLEN"), "\(outcome.output)")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// The folders of PATH and HOME that another worktree or an outer repository provides.
    @Test(arguments: [
        ("tree", "shop"), ("shop", "tree"), ("tree", "other"), ("shop/inner", "shop"),
        ("shop/inner", "tree"), ("tree", "outer"),
    ])
    func `a related worktree or repository never provides git or its home folder`(
        place: String, source: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "outer/shop/rules/r.yaml")
        let outcome = try expectNothingStolen(
            """
            top=$PWD; mkdir outer/tools; cd outer/shop; mkdir tools
            printf '#!/bin/sh\necho "$0" >> %s/STOLEN; exit 1\n' $top > tools/git
            chmod +x tools/git; cp tools/git ../tools
            git config --file .gitconfig trace2.eventTarget $top/STOLEN; cp .gitconfig ..
            git init -q -b main; git add -A; \(Self.git) commit -qm base
            git worktree add -q ../../tree main -b tree
            git worktree add -q ../../other main -b other
            mkdir inner; cp -r rules inner; cd inner
            git init -q -b main; git add -A; \(Self.git) commit -qm base; cd $top
            ln -s outer/shop shop; git init -q -b main outer
            cd \(place)
            PATH="$top/\(source)/tools:$PATH" poprules diff --git main rules
            HOME=$top/\(source) poprules diff --git main rules
            """, in: folder)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// Popups of a link that isn't followed would count as added or removed.
    @Test(arguments: [
        ("shared/b.yaml", "b.yaml", true), ("shared", "b.yml", true),
        ("shared/b.yaml", "b.test.yaml", false), ("shared", "more", false),
    ])
    func `a link among the rule files of a revision ends the comparison`(
        target: String, name: String, isRefused: Bool
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        try folder.write("poprules: 1\npopups: { b: {} }\n", to: "shop/rules/shared/b.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; ln -s \(target) rules/\(name)
            git add -A; \(Self.git) commit -qm base; rm rules/\(name)
            poprules diff --git main rules; echo "diff: exit $?"
            poprules page --against main rules -o page.html; echo "page: exit $?"
            """, in: folder.url)
        let sentence = "`rules/\(name)` is a link in `main`; links are not read from git"
        let code = isRefused ? 3 : 0
        #expect(outcome.output.contains(sentence) == isRefused, "\(outcome.output)")
        #expect(outcome.output.contains("diff: exit \(code)"), "\(outcome.output)")
        #expect(outcome.output.contains("page: exit \(code)"), "\(outcome.output)")
    }

    /// A pull request adds a folder that is named like the revision of the comparison.
    @Test func `a path never hides a revision of the same name`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base; git tag v1
            cp -r rules main; cp -r rules v1; cp -r rules old
            try() { poprules page rules --against $1 -o ../$2.html; echo "$1: exit $?"; }
            try main 1; try v1 2; try ./main 3; try main/ 4; try refs/heads/main 5; try v1~0 6
            try old 7; try HEAD 8
            """, in: folder.url)
        for sentence in [
            "`main` is both a path and a git revision; if you mean the path: `--against ./main`;"
                + " if you mean the revision: `--against refs/heads/main`",
            "if you mean the revision: `--against v1~0`", "main: exit 3", "v1: exit 3",
            "./main: exit 0", "main/: exit 0", "refs/heads/main: exit 0", "v1~0: exit 0",
            "old: exit 0", "HEAD: exit 0",
        ] {
            #expect(outcome.output.contains(sentence), "\(sentence)\n\(outcome.output)")
        }
    }

    @Test func `folders of the repository are removed from the PATH that git gets`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            set -e
            real=$(command -v git); mkdir bin
            printf '#!/bin/sh\necho "$PATH" > %s/path; exec %s "$@"\n' $PWD $real > bin/git
            chmod +x bin/git; bin=$PWD/bin
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base; mkdir tools
            PATH="$bin:.::tools:$PWD/tools:$PATH" poprules diff --git main rules
            """, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
        let path = try String(contentsOf: folder.url.appending(path: "path"), encoding: .utf8)
        let entries = path.split(separator: "\n")[0].split(
            separator: ":", omittingEmptySubsequences: false)
        #expect(entries.first?.hasSuffix("/bin") == true)
        #expect(entries.allSatisfy { $0.hasPrefix("/") && !$0.contains("shop") }, "\(path)")
    }

    /// A configuration in the home folder can name files that git writes.
    @Test(arguments: ["shop", "shop/home", "linked/home"])
    func `a repository is never the home folder of git`(home: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try expectNothingStolen(
            """
            ln -s shop linked; cd shop; git init -q -b main; mkdir home; cd ..
            git config --file \(home)/.gitconfig trace2.eventTarget $PWD/STOLEN
            cd shop; git add -A; \(Self.git) commit -qm base
            HOME=$PWD/../\(home) poprules diff --git main rules
            """, in: folder)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// Each of these files would keep git busy forever, or fill the memory.
    @Test(arguments: ["mkfifo .git/HEAD", "ln -s /dev/zero .git/HEAD", "mkfifo .git/config"])
    func `git is ended if a file of the repository never ends`(command: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base
            rm -f .git/\(command.split(separator: "/").last ?? ""); \(command)
            timeout 120 poprules diff --git main rules 2>&1; echo "exit $?"
            """, in: folder.url)
        #expect(outcome.output.contains("exit 3"), "\(outcome.output)")
        #expect(
            outcome.output.contains("git didn't answer within 8 seconds")
                || outcome.output.contains("git cannot read `main` in"), "\(outcome.output)")
    }

    /// A git for each file took 24 seconds for 16,000 files, which then were too many.
    @Test func `a repository with many files is read with few calls of git`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let outcome = try Program.shell(
            """
            set -e
            real=$(command -v git); mkdir bin
            printf '#!/bin/sh\necho "$@" >> %s/calls; exec %s "$@"\n' $PWD $real > bin/git
            chmod +x bin/git; mkdir -p shop/rules; cd shop; git init -q -b main
            for i in $(seq 1000); do echo "poprules: 1" > rules/$i.yaml; done
            echo "popups: { a: {} }" >> rules/1.yaml
            git add -A; \(Self.git) commit -qm base
            PATH="$PWD/../bin:$PATH" poprules diff --git main rules
            wc -l < ../calls
            echo "poprules: 1" > rules/1001.yaml; git add -A; \(Self.git) commit -qm more
            rm rules/1001.yaml ../calls
            PATH="$PWD/../bin:$PATH" poprules diff --git main rules 2>&1 || echo "exit $?"
            wc -l < ../calls
            """, in: folder.url)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let calls = lines.compactMap { Int($0.filter { $0 != " " }) }
        #expect(calls.count == 2 && calls.allSatisfy { $0 <= 12 }, "\(outcome.output)")
        let sentence =
            "the folder `rules` of `main` has 1001 rule files, and poprules reads at most 1000"
        #expect(outcome.output.contains(sentence), "\(outcome.output)")
        #expect(outcome.output.contains("exit 3"), "\(outcome.output)")
    }

    /// Git refuses these too, but not if `GIT_DIR` names the repository.
    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a repository of another account is refused unless the user trusts it`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        let outcome = try Program.shell(
            """
            export HOME=$PWD/home; mkdir home
            (cd shop; git init -q -b main; git add -A; \(Self.git) commit -qm base)
            git -C shop worktree add -q ../tree main -b other
            try() { poprules diff --git main $2 && echo "$1: read" || echo "$1: exit $?"; }
            try ours shop/rules
            chown -R 4321 shop/.git; try folder shop/rules; try gitdir tree/rules
            export SUDO_UID=4321; try sudo shop/rules; unset SUDO_UID
            chown -R 0 shop/.git; chown 4321 shop; try root shop/rules
            chown 0 shop; chown 4321 tree/.git; try file tree/rules
            chown 0 tree/.git; chown -R 4321 shop
            git config --file home/.gitconfig safe.directory $PWD/other; try other shop/rules
            git config --file home/.gitconfig --add safe.directory $PWD/shop; try trusted shop/rules
            git config --file home/.gitconfig --add safe.directory ''; try reset shop/rules
            git config --file home/.gitconfig --add safe.directory '*'; try all shop/rules
            rm home/.gitconfig; git config --file shop/.git/config safe.directory '*'
            try own shop/rules
            mv shop 'd$(id)'; try named 'd$(id)/rules'
            """, in: folder.url)
        let found = outcome.output.split(separator: "\n").filter { $0.contains(": ") }
            .filter { $0.hasSuffix(": read") || $0.contains(": exit ") }
        #expect(
            found == [
                "ours: read", "folder: exit 3", "gitdir: exit 3", "sudo: read", "root: exit 3",
                "file: exit 3", "other: exit 3", "trusted: read", "reset: exit 3", "all: read",
                "own: exit 3", "named: exit 3",
            ], "\(outcome.output)")
        let sentence = "belongs to another account (user id 4321)"
        #expect(outcome.output.contains(sentence), "\(outcome.output)")
        let command = "`git config --global --add safe.directory"
        for word in ["\(folder.url.path)/shop", "'\(folder.url.path)/d$(id)'"] {
            #expect(outcome.output.contains("\(command) \(word)`"), "\(outcome.output)")
        }
    }

    /// An entry of PATH in the repository is ignored, however its links are written.
    @Test func `a long link to a folder with a program named git executes nothing`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        try folder.write("#!/bin/sh\ntouch \"\(folder.url.path)/STOLEN\"\n", to: "shop/tools/git")
        _ = try expectNothingStolen(
            """
            cd shop; chmod +x tools/git; git init -q -b main; git add -A
            \(Self.git) commit -qm base; cd ..
            ln -s "$(printf './%.0s' $(seq 1500))tools" shop/bin; ln -s shop mine; cd mine
            PATH="$PWD/bin:$PATH" poprules diff --git main rules
            PATH="$(pwd -P)/bin:$PATH" poprules diff --git main rules
            """, in: folder)
    }

    /// A branch of that name is another one in the submodule.
    @Test func `rules in a submodule are not compared with the outer revision`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "shop/rules/r.yaml")
        try folder.write("poprules: 1\npopups: { other: {} }\n", to: "shop/new/r.yaml")
        let outcome = try Program.shell(
            """
            cd shop; git init -q -b main; git add rules; \(Self.git) commit -qm base
            cd new; git init -q -b main; git add -A; \(Self.git) commit -qm base; cd ..
            rm -r rules; mv new rules
            poprules diff --git main rules --exit-code; echo "[$?]"
            cd rules; poprules diff --git main . --exit-code; echo "[$?]"
            """, in: folder.url)
        #expect(outcome.output.contains("is inside the repository"), "\(outcome.output)")
        #expect(outcome.output.contains("[3]") && outcome.output.hasSuffix("[0]\n"))
    }

    /// Otherwise the older rules would be those of the folder that the link leads to today.
    @Test(arguments: [
        "poprules diff --git main apps/rules --exit-code",
        "poprules diff --git main apps/rules/r.yaml --exit-code",
        "cd apps/rules && poprules diff --git main . --exit-code",
        "poprules page --against main apps/rules -o page.html",
    ])
    func `a link on the way to the rules is refused in a comparison`(command: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "apps/rules/r.yaml")
        try folder.write("poprules: 1\npopups: { other: {} }\n", to: "decoy/rules/r.yaml")
        let outcome = try Program.shell(
            """
            git init -q -b main; git add -A; \(Self.git) commit -qm base
            rm -r apps; ln -s decoy apps
            \(command)
            """, in: folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("through the symbolic link `apps`"), "\(outcome.output)")
    }
}
