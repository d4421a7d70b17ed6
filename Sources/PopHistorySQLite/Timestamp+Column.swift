internal import PopCEL

extension Timestamp {
    /// Nanoseconds since 1970; the nearest number that a column can hold.
    var column: Int64 {
        let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverAgain) = product.addingReportingOverflow(Int64(nanoseconds))
        guard isOver || isOverAgain else { return sum }
        return seconds < 0 ? .min : .max
    }

    init(column: Int64) {
        let (seconds, rest) = column.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(
            seconds: rest < 0 ? seconds - 1 : seconds,
            nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}
