/// The runs of backticks in a message; pairs of runs enclose code.
struct BacktickRuns {
    /// A part of a message.
    enum Piece {
        case text(String)
        case code(String)
    }

    private struct Run {
        var range: Range<Int>
        /// True if no letter or digit follows, as is usual after code.
        var endsWord: Bool
        /// The next run of the same length, and the next such run that ends a word.
        var next: Int?
        var nextAtEnd: Int?
    }

    private let text: [Unicode.Scalar]
    private var runs: [Run] = []

    init(in message: String) {
        text = Array(message.unicodeScalars)
        var place = 0
        while place < text.count {
            guard text[place] == "`" else {
                place += 1
                continue
            }
            let start = place
            while place < text.count, text[place] == "`" { place += 1 }
            let endsWord =
                place == text.count
                || !text[place].properties.isAlphabetic
                    && text[place].properties.numericType == nil
            runs.append(Run(range: start..<place, endsWord: endsWord))
        }
        var (next, nextAtEnd): ([Int: Int], [Int: Int]) = ([:], [:])
        for index in runs.indices.reversed() {
            let length = runs[index].range.count
            runs[index].next = next[length]
            runs[index].nextAtEnd = nextAtEnd[length]
            next[length] = index
            if runs[index].endsWord { nextAtEnd[length] = index }
        }
    }

    /// The texts and codes in turn; a run without a partner is text. Linear.
    var pieces: [Piece] {
        var pieces: [Piece] = []
        var done = 0
        var index = 0
        while index < runs.count {
            let run = runs[index]
            guard let end = run.nextAtEnd ?? run.next else {
                index += 1
                continue
            }
            add(Piece.text, done..<run.range.lowerBound, to: &pieces)
            add(Piece.code, run.range.upperBound..<runs[end].range.lowerBound, to: &pieces)
            done = runs[end].range.upperBound
            index = end + 1
        }
        add(Piece.text, done..<text.count, to: &pieces)
        return pieces
    }

    private func add(
        _ piece: (String) -> Piece, _ range: Range<Int>, to pieces: inout [Piece]
    ) {
        guard !range.isEmpty else { return }
        var words = ""
        words.unicodeScalars += text[range]
        pieces.append(piece(words))
    }
}
