import Dispatch
import Synchronization
import Testing

@testable import PopRuleFiles

@Suite struct BothEndsTests {
    @Test(arguments: [0, 1, 2, 3, 100, 1_000])
    func `each number is worked on once`(count: Int) {
        let done = Mutex([Int]())
        DispatchQueue.performFromBothEnds(count) {
            { position in done.withLock { $0.append(position) } }
        }
        #expect(done.withLock { $0 }.sorted() == Array(0..<count))
    }

    @Test func `what cores note at once in a table is there, the first of each key`() {
        let table = SharedTable<Int, Int>()
        let refused = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 1_000) { number in
            if table.note(number, for: number % 100) != nil { refused.withLock { $0 += 1 } }
        }
        #expect(refused.withLock { $0 } == 900)
        for key in 0..<100 { #expect(table[key].map { $0 % 100 } == key) }
        #expect(table[100] == nil)
    }
}
