/// A duration for people, exact to the millisecond: `0s`, `4.5s`, `2m 5s`, `1d 7s`.
package func timeText(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let milliseconds = whole * 1_000 + attoseconds / 1_000_000_000_000_000
    var rest = milliseconds.magnitude
    var parts: [String] = []
    for (name, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] as [(String, UInt64)]
    where rest >= length {
        parts.append("\(rest / length)\(name)")
        rest %= length
    }
    if rest > 0 || parts.isEmpty { parts.append(secondsText(rest)) }
    return (milliseconds < 0 ? "-" : "") + parts.joined(separator: " ")
}

private func secondsText(_ milliseconds: UInt64) -> String {
    let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
    let digits = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(milliseconds / 1_000)" + (digits.isEmpty ? "" : ".\(String(digits))") + "s"
}
