import Foundation

/// The app that tests start as a process of its own: beside them, where the package builds it.
var crashChild: URL {
    #if os(macOS)
        let folder = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
    #else
        let folder = Bundle.main.bundleURL
    #endif
    return folder.appendingPathComponent("CrashChild")
}
