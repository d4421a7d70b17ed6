internal import PopRuleFiles
internal import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The look of an app's popups of a template: markup with places for the fields of their content,
/// and a style sheet.
package struct TemplateLook: Sendable {
    /// The template's name.
    let name: String
    let markup: String
    let style: String

    /// The largest file of a look.
    private static let mostBytes = 256 * 1024

    /// Returns the looks in a folder: for each template `NAME.html`, and `NAME.css` if it exists.
    package static func all(inFolder folder: String) throws(LookError) -> [TemplateLook] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw LookError(description: "`\(folder)` is not a readable folder")
        }
        let templates = names.filter { $0.hasSuffix(".html") }.sorted().map { $0.dropLast(5) }
        if templates.isEmpty {
            throw LookError(
                description: "there is no template file (`NAME.html`) in `\(folder)`")
        }
        var looks: [TemplateLook] = []
        for name in templates {
            let style = names.contains("\(name).css") ? try text(of: "\(name).css", in: folder) : ""
            let markup = try text(of: "\(name).html", in: folder)
            looks.append(TemplateLook(name: String(name), markup: markup, style: style))
        }
        return looks
    }

    /// The text becomes a part of a page that is perhaps published: a link must not lead to another
    /// file of the machine.
    private static func text(of name: String, in folder: String) throws(LookError) -> String {
        let path = "\(folder)/\(name)"
        let bytes: [UInt8]
        do throws(ReadError) {
            guard RuleFiles.leads(path, into: folder) else {
                throw ReadError(path: path, .leadsOut(folder: folder))
            }
            bytes = try RuleFiles.bytes(of: path)
        } catch {
            throw LookError(description: error.description)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LookError(description: "`\(path)` is not valid UTF-8")
        }
        guard bytes.count <= mostBytes else {
            throw LookError(description: "`\(path)` has more than \(mostBytes) bytes")
        }
        return text
    }

    var json: JSON {
        .object(["template": .string(name), "markup": .string(markup), "style": .string(style)])
    }
}

/// The reason why looks cannot be read.
package struct LookError: Error, CustomStringConvertible {
    package let description: String
}
