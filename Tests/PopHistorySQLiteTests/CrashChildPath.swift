import Foundation

/// The app that tests start as a separate process; it is in the folder where the package is built.
var crashChild: URL {
    #if os(macOS)
        let folder = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #else
        let folder = Bundle.main.bundleURL
    #endif
    return folder.appendingPathComponent("CrashChild")
}
