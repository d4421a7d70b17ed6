import Foundation
import PopCEL
import PopScheduler
import Testing

/// `docs/reference/assignment.md` defines to the byte how users are assigned to rollouts and arms:
/// the tests compute its examples again, with the scheduler and with the program on the page.
@Suite struct `The page on assignment` {
    private static let path = "docs/reference/assignment.md"

    /// A row of the table of users.
    private struct User {
        let value: String
        let places: [Int]
        let arm: String

        init?(_ line: Substring) {
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
            guard cells.count == 7, Int(cells[1]) != nil else { return nil }
            value = cells[0]
            places = cells[1...5].compactMap { Int($0) }
            arm = cells[6]
        }
    }

    private static func users() throws -> [User] {
        try Repository.text(path).split(separator: "\n").compactMap { User($0) }
    }

    private static let assignment = Assignment(
        key: KeyIndex(0), salt: "paywall-copy", share: 80, control: 20,
        arms: [Assignment.Arm("short"), Assignment.Arm("long")])

    @Test func `has ten users whose positions and arms match the scheduler`() throws {
        let users = try Self.users()
        #expect(users.count == 10)
        for user in users {
            let purposes: [UserPlace.Purpose?] = [nil, .holdout, .layer, .share, .arm]
            let places = purposes.map {
                UserPlace(of: .string(user.value), salt: "paywall-copy", for: $0)?.number
            }
            #expect(places == user.places, "\(user.value)")
            #expect(Self.assignment.arm(of: .string(user.value)) ?? "none" == user.arm)
        }
    }

    @Test func `has a program whose arms match the scheduler`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        guard try Program.shell("python3 --version", in: folder.url).status == 0 else { return }
        let block = Block.all(in: try Repository.text(Self.path)).first { $0.language == "python" }
        let values = (0..<500).map { "user-\($0)" } + [""]
        try folder.write(
            """
            \(block?.text ?? "")

            weights = {"short": 1, "long": 1}
            for value in [\(values.map { "\"\($0)\"" }.joined(separator: ", "))]:
                print(arm(value, "paywall-copy", weights, control=20, share=80))
            """, to: "arms.py")
        let arms = try Program.shell("python3 arms.py", in: folder.url).output
        let expected = values.map { Self.assignment.arm(of: .string($0)) ?? "none" }
        #expect(arms.split(separator: "\n").map(String.init) == expected)
    }
}
