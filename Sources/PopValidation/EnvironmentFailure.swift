/// Thrown when the environment does not let a command do its work.
package struct EnvironmentFailure: Error {
    /// A message that makes sense without context.
    package var message: String

    package init(message: String) { self.message = message }
}

/// Thrown when the words of a command line cannot be meant.
package struct UsageFailure: Error {
    /// A message that makes sense without context.
    package var message: String

    package init(message: String) { self.message = message }
}
