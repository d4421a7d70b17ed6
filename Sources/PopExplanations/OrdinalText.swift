/// Returns the ordinal of a number: `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
package func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    case (_, _): "\(number)th"
    }
}
