/// The script and the style of pages.
enum PageSources {
    static let script = ""
    static let style = ""
    static let scriptHash = "sha256-"
    static let styleHash = "sha256-"
}
