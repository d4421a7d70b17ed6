import Testing

@testable import PopRuleFiles

struct CycleTests {
    private func found(_ graph: [[Int]]) -> [[Int]] {
        cycles(among: graph.count) { graph[$0] }
    }

    @Test func `a graph without cycles has none`() {
        #expect(found([]) == [])
        #expect(found([[1, 2], [2], []]) == [])
    }

    @Test func `a node that refers to itself is a cycle`() {
        #expect(found([[0], [0]]) == [[0]])
    }

    @Test
    func
        `each connected set of cycles is reported once, by its shortest cycle from its least node`()
    {
        #expect(found([[1], [2], [3, 0], [0]]) == [[0, 1, 2]])
        #expect(found([[1], [0], [3], [2], [0, 2]]) == [[0, 1], [2, 3]])
    }

    @Test func `a long chain needs no stack`() {
        let count = 200_000
        #expect(found((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }) == [])
        #expect(found((0..<count).map { [($0 + 1) % count] }).map(\.count) == [count])
    }
}
