/// One thing that is checked: an opaque id, a readable name, and how bad it is when nothing else is
/// configured.
///
/// Either name works everywhere; neither is ever given to another check.
public struct Check: Sendable {
    /// Such as `P0301`: `P`, two digits for the group, two for the check.
    public let id: String
    /// Such as `condition/unknown-key`.
    public let name: String
    /// The level when no configuration changes it.
    public let level: Level
    /// What the check notices, in one sentence.
    public let summary: String

    /// The part of the name before the slash.
    public var group: Substring { name.prefix { $0 != "/" } }

    fileprivate init(_ id: String, _ name: String, _ level: Level, _ summary: String) {
        self.id = id
        self.name = name
        self.level = level
        self.summary = summary
    }

    /// Whether its findings say that something was not looked at, so that nothing may keep them
    /// from being reported: what is behind them would be hidden with them.
    public var isAlwaysTold: Bool {
        [.yamlLimit, .yamlUnreadable, .schemaLimit].contains(self)
    }

    /// The check with that id or name.
    public static func named(_ name: String) -> Check? {
        all.first { $0.id == name || $0.name == name }
    }
}

extension Check: Hashable {
    public static func == (left: Check, right: Check) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

// MARK: yaml

extension Check {
    public static let yamlSyntax = Check(
        "P0001", "yaml/syntax", .error, "the file is not YAML")
    public static let yamlUnquotedExpression = Check(
        "P0002", "yaml/unquoted-expression", .error,
        "an expression must be quoted because YAML reads a part of it as its own syntax")
    public static let yamlUnexpectedTag = Check(
        "P0003", "yaml/unexpected-tag", .error,
        "a value that begins with `!` is a YAML tag, not text")
    public static let yamlDuplicateKey = Check(
        "P0004", "yaml/duplicate-key", .error, "the same key stands twice in one map")
    public static let yamlUndefinedAlias = Check(
        "P0005", "yaml/undefined-alias", .error,
        "an alias names an anchor that is not defined before it")
    public static let yamlRecursiveAlias = Check(
        "P0006", "yaml/recursive-alias", .error, "an alias stands inside the value that it names")
    public static let yamlUnusedAnchor = Check(
        "P0007", "yaml/unused-anchor", .warning, "no alias uses the anchor")
    public static let yamlLimit = Check(
        "P0008", "yaml/limit", .error,
        "the file exceeds a limit on size, depth, nodes or alias uses")
    public static let yamlImplicitType = Check(
        "P0009", "yaml/implicit-type", .warning,
        "an unquoted value may be read as another type than it looks like")
    public static let yamlTabIndent = Check(
        "P0010", "yaml/tab-indent", .error, "a tab is used for indentation")
    public static let yamlEncoding = Check(
        "P0011", "yaml/encoding", .error,
        "the file is not UTF-8 or has characters that YAML forbids")
    public static let yamlConfusable = Check(
        "P0012", "yaml/confusable", .warning,
        "an invisible, bidirectional or look-alike character stands in the file")
    public static let yamlMultiDocument = Check(
        "P0013", "yaml/multi-document", .error, "the file holds more than one document")
    public static let yamlEmptyFile = Check(
        "P0014", "yaml/empty-file", .error, "the file holds no document")
    public static let yamlMergeKey = Check(
        "P0015", "yaml/merge-key", .error, "the value of a merge key `<<` is not a map")
    public static let yamlUnreadable = Check(
        "P0016", "yaml/unreadable", .error, "a file, or what stands in its place, cannot be read")
}

// MARK: schema

extension Check {
    public static let schemaUnknownKey = Check(
        "P0101", "schema/unknown-key", .error, "a key has no meaning at its place")
    public static let schemaMissingKey = Check(
        "P0102", "schema/missing-key", .error, "a key that is needed is not there")
    public static let schemaType = Check(
        "P0103", "schema/type", .error, "a value has another type than its key takes")
    public static let schemaEnum = Check(
        "P0104", "schema/enum", .error, "a value is not one of the words that its key takes")
    public static let schemaRange = Check(
        "P0105", "schema/range", .error, "a value lies outside the range that its key takes")
    public static let schemaExclusiveKeys = Check(
        "P0106", "schema/exclusive-keys", .error, "keys that exclude each other stand together")
    public static let schemaDeprecatedKey = Check(
        "P0107", "schema/deprecated-key", .warning, "a key has been replaced by another")
    public static let schemaVersion = Check(
        "P0108", "schema/version", .error, "the version of the file format is missing or not known")
    public static let schemaIDFormat = Check(
        "P0109", "schema/id-format", .error, "an id or name is not formed as it must be")
    public static let schemaLimit = Check(
        "P0111", "schema/limit", .error, "a rule set holds more than a limit allows")
    public static let schemaDuplicateItem = Check(
        "P0112", "schema/duplicate-item", .warning, "the same item stands twice in a list")
}

// MARK: ref

extension Check {
    public static let refDuplicateID = Check(
        "P0201", "ref/duplicate-id", .error, "the same id is defined twice")
    public static let refUndefinedPopup = Check(
        "P0202", "ref/undefined-popup", .error, "a popup that is named does not exist")
    public static let refUndefinedScheduler = Check(
        "P0203", "ref/undefined-scheduler", .error, "a scheduler that is named does not exist")
    public static let refUndefinedGroup = Check(
        "P0204", "ref/undefined-group", .error, "a group that is named does not exist")
    public static let refUndefinedEvent = Check(
        "P0205", "ref/undefined-event", .error, "an event that is named is not declared")
    public static let refUndefinedTemplate = Check(
        "P0206", "ref/undefined-template", .error, "a template that is named does not exist")
    public static let refUndefinedKey = Check(
        "P0207", "ref/undefined-key", .error, "a context key that is named is not declared")
    public static let refUnusedCondition = Check(
        "P0208", "ref/unused-condition", .warning, "nothing uses the named condition")
    public static let refUnusedGroup = Check(
        "P0209", "ref/unused-group", .warning, "no popup is in the group")
    public static let refUnusedKey = Check(
        "P0210", "ref/unused-key", .info, "no condition reads the context key")
    public static let refCycle = Check(
        "P0211", "ref/cycle", .error,
        "popups wait for each other, or conditions use each other, in a circle")
    public static let refKeyPrefix = Check(
        "P0212", "ref/key-prefix", .error, "a context key is the prefix of another")
}

// MARK: condition

extension Check {
    public static let conditionSyntax = Check(
        "P0300", "condition/syntax", .error, "a condition is not a CEL expression")
    public static let conditionUnknownKey = Check(
        "P0301", "condition/unknown-key", .error, "a condition reads a name that is not declared")
    public static let conditionUnknownFunction = Check(
        "P0302", "condition/unknown-function", .error,
        "a condition calls a function that does not exist")
    public static let conditionArity = Check(
        "P0303", "condition/arity", .error,
        "a function is called with too few or too many arguments")
    public static let conditionTypeMismatch = Check(
        "P0304", "condition/type-mismatch", .error,
        "an operator or function does not take these types")
    public static let conditionNotBool = Check(
        "P0305", "condition/not-bool", .error, "a condition is neither true nor false")
    public static let conditionMayError = Check(
        "P0306", "condition/may-error", .warning, "a condition may fail to be evaluated at run time"
    )
    public static let conditionEnumValue = Check(
        "P0307", "condition/enum-value", .error,
        "a key is compared with a value that its declaration does not allow")
    public static let conditionSuspiciousCompare = Check(
        "P0308", "condition/suspicious-compare", .warning,
        "a comparison does something else than it seems to")
    public static let conditionRegexInvalid = Check(
        "P0309", "condition/regex-invalid", .error, "a regular expression is not RE2 syntax")
    public static let conditionCost = Check(
        "P0310", "condition/cost", .error, "a condition is too long, too deep or too expensive")
    public static let conditionUnavailableHere = Check(
        "P0311", "condition/unavailable-here", .error, "a name exists, but not at this place")
    public static let conditionConstantError = Check(
        "P0312", "condition/constant-error", .error,
        "a part of a condition made of constants fails whenever it is evaluated")
}

// MARK: logic

extension Check {
    public static let logicNeverTrue = Check(
        "P0401", "logic/never-true", .warning,
        "parts of a condition cannot hold together, or a part never holds")
    public static let logicAlwaysTrue = Check(
        "P0402", "logic/always-true", .warning,
        "a part of a condition holds always, or one of several does")
    public static let logicExampleFails = Check(
        "P0406", "logic/example-fails", .error,
        "an example of a popup does not match, or matches although it must not")
}

// MARK: schedule

extension Check {
    public static let scheduleTie = Check(
        "P0502", "schedule/tie", .info,
        "popups of the same priority go in the order of the names of their files")
    public static let scheduleDiscardBeforeTrue = Check(
        "P0506", "schedule/discard-before-true", .warning,
        "a popup with `untriggered: discard` is dropped at the start, before its condition can be"
            + " true")
    public static let scheduleAwaitForever = Check(
        "P0507", "schedule/await-forever", .warning, "a popup waits for one that never shows")
    public static let scheduleSwitchIgnored = Check(
        "P0509", "schedule/switch-ignored", .warning,
        "`switch` has no effect on a scheduler that does not order by priority")
    public static let scheduleZeroTiming = Check(
        "P0510", "schedule/zero-timing", .warning, "a time of zero has no effect")
    public static let scheduleMinShowOverHideAfter = Check(
        "P0511", "schedule/min-show-over-hide-after", .warning,
        "`min_show` is longer than `hide_after`, so that `hide_after` is never kept")
    public static let scheduleLatentEqualPriority = Check(
        "P0512", "schedule/latent-equal-priority", .warning,
        "`switch: latent` does not hold against a popup of the same priority")
    public static let scheduleCapUnreachable = Check(
        "P0513", "schedule/cap-unreachable", .warning, "another cap never lets this one be reached")
    public static let scheduleDismissedAtOnce = Check(
        "P0514", "schedule/dismissed-at-once", .warning,
        "what takes the popup down is met whenever it may show")
}

// MARK: time

extension Check {
    public static let timeExpired = Check(
        "P0601", "time/expired", .warning, "the popup's schedule is over")
    public static let timeEmptyWindow = Check(
        "P0602", "time/empty-window", .error,
        "the schedule leaves no time at which the popup may show")
    public static let timeNoZone = Check(
        "P0603", "time/no-zone", .warning,
        "`hours`, `days` or a part of a date are given without a time zone")
    public static let timeDSTGap = Check(
        "P0604", "time/dst-gap", .warning,
        "`hours` begin or end at a time that the clocks skip when they are put forward")
    public static let timeNoEnd = Check(
        "P0605", "time/no-end", .info, "the schedule begins and never ends")
    public static let timeUnknownZone = Check(
        "P0606", "time/unknown-zone", .error, "a time zone that is named does not exist")
    public static let timeZoneLetters = Check(
        "P0607", "time/zone-letters", .warning,
        "a time zone is named by letters that do not mean the same everywhere")
}

// MARK: content

extension Check {
    public static let contentMissingKey = Check(
        "P0701", "content/missing-key", .error, "the content lacks a key that its template requires"
    )
    public static let contentUnknownKey = Check(
        "P0702", "content/unknown-key", .error,
        "the content has a key that its template does not know")
    public static let contentType = Check(
        "P0703", "content/type", .error,
        "a value in the content has another type than the template asks for")
    public static let contentUnknownPlaceholder = Check(
        "P0704", "content/unknown-placeholder", .warning,
        "a placeholder in the content names nothing that is declared")
}

// MARK: hygiene

extension Check {
    public static let hygieneNoOwner = Check(
        "P0801", "hygiene/no-owner", .info, "the popup names no owner")
    public static let hygieneNoDescription = Check(
        "P0802", "hygiene/no-description", .info, "the popup has no description")
    public static let hygieneWhenFalse = Check(
        "P0803", "hygiene/when-false", .warning, "`when: false` was left over")
    public static let hygieneOnePriority = Check(
        "P0804", "hygiene/one-priority", .info, "all popups of a scheduler have the same priority")
    public static let hygieneRolloutToNobody = Check(
        "P0805", "hygiene/rollout-to-nobody", .warning, "a rollout of 0 percent reaches nobody")
    public static let hygieneFractionOfPercent = Check(
        "P0806", "hygiene/fraction-of-percent", .warning,
        "a rollout of less than one percent may be meant as a part of one")
    public static let hygieneRolloutByFewValues = Check(
        "P0807", "hygiene/rollout-by-few-values", .warning,
        "a rollout draws by a key of few values, so that all users of a value see the popup, or none"
    )
}

// MARK: test

extension Check {
    public static let testNone = Check(
        "P0901", "test/none", .info, "no test is about the popup, although there are tests")
    public static let testUnknownPopup = Check(
        "P0902", "test/unknown-popup", .error, "a test names a popup that does not exist")
    public static let testUnknownKey = Check(
        "P0903", "test/unknown-key", .error,
        "a test names a context key or event that is not declared")
    public static let testUnknownScheduler = Check(
        "P0904", "test/unknown-scheduler", .error, "a test names a scheduler that does not exist")
    public static let testUnknownPersona = Check(
        "P0905", "test/unknown-persona", .error, "a test names a persona that does not exist")
    public static let testFailed = Check(
        "P0906", "test/failed", .error, "what a test expects did not happen")
    public static let testUnknownRules = Check(
        "P0907", "test/unknown-rules", .error, "a test names rules that cannot be read")
    public static let testLeftoverOnly = Check(
        "P0908", "test/leftover-only", .warning,
        "a test that runs alone keeps the others from running")
    public static let testDuplicateName = Check(
        "P0909", "test/duplicate-name", .warning, "two tests of a rule set have the same name")
    public static let testEmpty = Check(
        "P0910", "test/empty", .error, "a test does or expects nothing, or a file holds no tests")
    public static let testFileName = Check(
        "P0911", "test/file-name", .error,
        "a file holds tests, but its name does not end in `.test.yaml`")
    public static let testNoEffect = Check(
        "P0912", "test/no-effect", .error, "something in a test does nothing or is always met")
    public static let testImpossible = Check(
        "P0913", "test/impossible", .error, "a test says what can never be")
    public static let testMissingField = Check(
        "P0914", "test/missing-field", .warning,
        "a test sends an event without a field that a trigger reads")
    public static let testOrder = Check(
        "P0915", "test/order", .warning,
        "the keys of a step stand in another order than they take effect")
}

// MARK: config

extension Check {
    public static let configUnusedIgnore = Check(
        "P1001", "config/unused-ignore", .warning, "an ignore comment ignores nothing")
    public static let configNoReason = Check(
        "P1002", "config/no-reason", .warning, "an ignore comment gives no reason")
    public static let configUnknownCheck = Check(
        "P1003", "config/unknown-check", .error,
        "a comment or the configuration names a check that does not exist")
    public static let configExpiredSnooze = Check(
        "P1004", "config/expired-snooze", .warning, "the date of a snooze comment is over")
    public static let configNoMatch = Check(
        "P1005", "config/no-match", .error, "a path or pattern matches no file")
    public static let configStaleBaseline = Check(
        "P1006", "config/stale-baseline", .warning,
        "an entry of the baseline is about a finding that is gone")
    public static let configMalformedComment = Check(
        "P1007", "config/malformed-comment", .error,
        "a comment for poprules is not formed as it must be")
}

extension Check {
    /// Every check, by id.
    public static let all: [Check] = [
        yamlSyntax, yamlUnquotedExpression, yamlUnexpectedTag, yamlDuplicateKey, yamlUndefinedAlias,
        yamlRecursiveAlias, yamlUnusedAnchor, yamlLimit, yamlImplicitType, yamlTabIndent,
        yamlEncoding, yamlConfusable, yamlMultiDocument, yamlEmptyFile, yamlMergeKey,
        yamlUnreadable,
        schemaUnknownKey, schemaMissingKey, schemaType, schemaEnum, schemaRange,
        schemaExclusiveKeys, schemaDeprecatedKey, schemaVersion, schemaIDFormat,
        schemaLimit, schemaDuplicateItem,
        refDuplicateID, refUndefinedPopup, refUndefinedScheduler, refUndefinedGroup,
        refUndefinedEvent, refUndefinedTemplate, refUndefinedKey, refUnusedCondition,
        refUnusedGroup, refUnusedKey, refCycle, refKeyPrefix,
        conditionSyntax, conditionUnknownKey, conditionUnknownFunction, conditionArity,
        conditionTypeMismatch, conditionNotBool, conditionMayError, conditionEnumValue,
        conditionSuspiciousCompare, conditionRegexInvalid, conditionCost, conditionUnavailableHere,
        conditionConstantError,
        logicNeverTrue, logicAlwaysTrue, logicExampleFails,
        scheduleTie, scheduleDiscardBeforeTrue, scheduleAwaitForever,
        scheduleSwitchIgnored, scheduleZeroTiming, scheduleMinShowOverHideAfter,
        scheduleLatentEqualPriority, scheduleCapUnreachable, scheduleDismissedAtOnce,
        timeExpired, timeEmptyWindow, timeNoZone, timeDSTGap, timeNoEnd, timeUnknownZone,
        timeZoneLetters,
        contentMissingKey, contentUnknownKey, contentType, contentUnknownPlaceholder,
        hygieneNoOwner, hygieneNoDescription, hygieneWhenFalse, hygieneOnePriority,
        hygieneRolloutToNobody, hygieneFractionOfPercent, hygieneRolloutByFewValues,
        testNone, testUnknownPopup, testUnknownKey, testUnknownScheduler, testUnknownPersona,
        testFailed, testUnknownRules, testLeftoverOnly, testDuplicateName,
        testEmpty, testFileName, testNoEffect, testImpossible, testMissingField, testOrder,
        configUnusedIgnore, configNoReason, configUnknownCheck, configExpiredSnooze,
        configNoMatch, configStaleBaseline, configMalformedComment,
    ]
}
