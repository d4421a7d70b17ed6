// Writes the files that are made from others, those that are out of step.
//
// Usage: PageMaker FOLDER, the folder being that of the package.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print("usage: PageMaker FOLDER")
    exit(2)
}
let root = URL(fileURLWithPath: arguments[1])
for (path, text) in try MadePages(root: root).texts().sorted(by: { $0.key < $1.key }) {
    let file = root.appending(path: path)
    if try String(contentsOf: file, encoding: .utf8) == text { continue }
    try Data(text.utf8).write(to: file)
    print("wrote \(path)")
}
