import Foundation
import Measuring
import RuleText
import Yams

// Prints the measurements as JSON, for the table of the other program.

struct File: Decodable {
    struct Popup: Decodable {
        var priority: String
        var when: String
        var `switch`: String
        var untriggered: String
        var content: [String: String]
    }

    var popups: [String: Popup]
}

let text = ruleText(popups: 10_000)
let measurements = measure(
    [
        Case("load 10,000: Yams compose", .milliseconds) { use(try? Yams.compose(yaml: text)) },
        Case("load 10,000: Yams YAMLDecoder", .milliseconds) {
            use(try? YAMLDecoder().decode(File.self, from: text))
        },
    ], rounds: 5)
FileHandle.standardOutput.write(try JSONEncoder().encode(measurements))
