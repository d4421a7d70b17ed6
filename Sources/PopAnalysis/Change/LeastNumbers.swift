/// A list of numbers that finds those below a bound without visiting all others.
struct LeastNumbers {
    private let count: Int
    /// The number of leaves of the tree, which is a power of two.
    private let width: Int
    /// The least number below each node of a tree; the children of a node `n` are `2n` and `2n+1`.
    private var least: [Int]

    /// Creates the list. Linear in the numbers.
    init(_ numbers: [Int]) {
        count = numbers.count
        var width = 1
        while width < numbers.count { width *= 2 }
        self.width = width
        least = Array(repeating: .max, count: 2 * width)
        for (place, number) in numbers.enumerated() { least[width + place] = number }
        for node in (1..<width).reversed() {
            least[node] = min(least[2 * node], least[2 * node + 1])
        }
    }

    /// Returns the positions in a range, ascending, at which a number is below a bound; at most
    /// `most`. Logarithmic for each position, which is counted in `steps`.
    func places(in range: Range<Int>, below bound: Int, atMost most: Int, steps: inout PairSteps)
        -> [Int]
    {
        var found: [Int] = []
        // The nodes to visit, the first ones last.
        var pending = [(node: 1, start: 0, length: width)]
        while let (node, start, length) = pending.popLast(), found.count < most {
            guard start < range.upperBound, start + length > range.lowerBound,
                least[node] < bound, steps.take()
            else { continue }
            guard length > 1 else {
                found.append(start)
                continue
            }
            let half = length / 2
            pending.append((2 * node + 1, start + half, half))
            pending.append((2 * node, start, half))
        }
        return found
    }
}
