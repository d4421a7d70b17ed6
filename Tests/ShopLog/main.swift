// Writes the log of a shop to standard output, a line of JSON for each event.
//
// Usage: ShopLog EVENTS [SEED [USERS [DAYS]]]
// By default from the seed 1, with a user for every hundred events and over 91 days.
import Foundation

let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? -1 }
guard (1...4).contains(numbers.count), !numbers.contains(where: { $0 < 0 }) else {
    FileHandle.standardError.write(Data("usage: ShopLog EVENTS [SEED [USERS [DAYS]]]\n".utf8))
    exit(2)
}
var log = ShopLog(events: numbers[0])
if numbers.count > 1 { log.seed = UInt64(numbers[1]) }
if numbers.count > 2 { log.users = max(numbers[2], 1) }
if numbers.count > 3 { log.days = max(numbers[3], 1) }
let output = FileHandle.standardOutput
try log.write { bytes in try output.write(contentsOf: bytes) }
