internal import PopCEL

/// Expressions without findings by their texts, so that a text that stands in several places is read once.
///
/// Shared by all that reads one set of files, on whatever core.
typealias KnownExpressions = SharedTable<String, Expression>
