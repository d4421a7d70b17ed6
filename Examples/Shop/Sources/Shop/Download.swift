/// A download, played: the shop has no network.
enum Download {
    /// How far it has come, of 1, until it is done.
    static func shares() -> AsyncStream<Double> {
        AsyncStream { shares in
            let task = Task {
                for step in 1..<10 {
                    try await Task.sleep(for: .milliseconds(400))
                    shares.yield(Double(step) / 10)
                }
                try await Task.sleep(for: .milliseconds(400))
                shares.finish()
            }
            shares.onTermination = { _ in task.cancel() }
        }
    }
}
