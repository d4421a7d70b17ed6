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

    fileprivate init(_ id: String, name: String, level: Level, summary: String) {
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
    /// P0001: the file is not YAML.
    public static let yamlSyntax = Check(
        "P0001", name: "yaml/syntax", level: .error, summary: "the file is not YAML")
    /// P0002: an expression must be quoted because YAML reads a part of it as its own syntax.
    public static let yamlUnquotedExpression = Check(
        "P0002", name: "yaml/unquoted-expression", level: .error,
        summary: "an expression must be quoted because YAML reads a part of it as its own syntax")
    /// P0003: a value that begins with `!` is a YAML tag, not text.
    public static let yamlUnexpectedTag = Check(
        "P0003", name: "yaml/unexpected-tag", level: .error,
        summary: "a value that begins with `!` is a YAML tag, not text")
    /// P0004: the same key stands twice in one map.
    public static let yamlDuplicateKey = Check(
        "P0004", name: "yaml/duplicate-key", level: .error,
        summary: "the same key stands twice in one map")
    /// P0005: an alias names an anchor that is not defined before it.
    public static let yamlUndefinedAlias = Check(
        "P0005", name: "yaml/undefined-alias", level: .error,
        summary: "an alias names an anchor that is not defined before it")
    /// P0006: an alias stands inside the value that it names.
    public static let yamlRecursiveAlias = Check(
        "P0006", name: "yaml/recursive-alias", level: .error,
        summary: "an alias stands inside the value that it names")
    /// P0007: no alias uses the anchor.
    public static let yamlUnusedAnchor = Check(
        "P0007", name: "yaml/unused-anchor", level: .warning, summary: "no alias uses the anchor")
    /// P0008: the file exceeds a limit on size, depth, nodes or alias uses.
    public static let yamlLimit = Check(
        "P0008", name: "yaml/limit", level: .error,
        summary: "the file exceeds a limit on size, depth, nodes or alias uses")
    /// P0009: an unquoted value may be read as another type than it looks like.
    public static let yamlImplicitType = Check(
        "P0009", name: "yaml/implicit-type", level: .warning,
        summary: "an unquoted value may be read as another type than it looks like")
    /// P0010: a tab is used for indentation.
    public static let yamlTabIndent = Check(
        "P0010", name: "yaml/tab-indent", level: .error, summary: "a tab is used for indentation")
    /// P0011: the file is not UTF-8 or has characters that YAML forbids.
    public static let yamlEncoding = Check(
        "P0011", name: "yaml/encoding", level: .error,
        summary: "the file is not UTF-8 or has characters that YAML forbids")
    /// P0012: an invisible, bidirectional or look-alike character stands in the file.
    public static let yamlConfusable = Check(
        "P0012", name: "yaml/confusable", level: .warning,
        summary: "an invisible, bidirectional or look-alike character stands in the file")
    /// P0013: the file holds more than one document.
    public static let yamlMultiDocument = Check(
        "P0013", name: "yaml/multi-document", level: .error,
        summary: "the file holds more than one document")
    /// P0014: the file holds no document.
    public static let yamlEmptyFile = Check(
        "P0014", name: "yaml/empty-file", level: .error, summary: "the file holds no document")
    /// P0015: the value of a merge key `<<` is not a map.
    public static let yamlMergeKey = Check(
        "P0015", name: "yaml/merge-key", level: .error,
        summary: "the value of a merge key `<<` is not a map")
    /// P0016: a file, or what stands in its place, cannot be read.
    public static let yamlUnreadable = Check(
        "P0016", name: "yaml/unreadable", level: .error,
        summary: "a file, or what stands in its place, cannot be read")
}

// MARK: schema

extension Check {
    /// P0101: a key has no meaning at its place.
    public static let schemaUnknownKey = Check(
        "P0101", name: "schema/unknown-key", level: .error,
        summary: "a key has no meaning at its place")
    /// P0102: a key that is needed is not there.
    public static let schemaMissingKey = Check(
        "P0102", name: "schema/missing-key", level: .error,
        summary: "a key that is needed is not there")
    /// P0103: a value has another type than its key takes.
    public static let schemaType = Check(
        "P0103", name: "schema/type", level: .error,
        summary: "a value has another type than its key takes")
    /// P0104: a value is not one of the words that its key takes.
    public static let schemaEnum = Check(
        "P0104", name: "schema/enum", level: .error,
        summary: "a value is not one of the words that its key takes")
    /// P0105: a value lies outside the range that its key takes.
    public static let schemaRange = Check(
        "P0105", name: "schema/range", level: .error,
        summary: "a value lies outside the range that its key takes")
    /// P0106: keys that exclude each other stand together.
    public static let schemaExclusiveKeys = Check(
        "P0106", name: "schema/exclusive-keys", level: .error,
        summary: "keys that exclude each other stand together")
    /// P0107: a key has been replaced by another.
    public static let schemaDeprecatedKey = Check(
        "P0107", name: "schema/deprecated-key", level: .warning,
        summary: "a key has been replaced by another")
    /// P0108: the version of the file format is missing or not known.
    public static let schemaVersion = Check(
        "P0108", name: "schema/version", level: .error,
        summary: "the version of the file format is missing or not known")
    /// P0109: an id or name is not formed as it must be.
    public static let schemaIDFormat = Check(
        "P0109", name: "schema/id-format", level: .error,
        summary: "an id or name is not formed as it must be")
    /// P0111: a rule set holds more than a limit allows.
    public static let schemaLimit = Check(
        "P0111", name: "schema/limit", level: .error,
        summary: "a rule set holds more than a limit allows")
    /// P0112: the same item stands twice in a list.
    public static let schemaDuplicateItem = Check(
        "P0112", name: "schema/duplicate-item", level: .warning,
        summary: "the same item stands twice in a list")
}

// MARK: ref

extension Check {
    /// P0201: the same id is defined twice.
    public static let refDuplicateID = Check(
        "P0201", name: "ref/duplicate-id", level: .error, summary: "the same id is defined twice")
    /// P0202: a popup that is named does not exist.
    public static let refUndefinedPopup = Check(
        "P0202", name: "ref/undefined-popup", level: .error,
        summary: "a popup that is named does not exist")
    /// P0203: a scheduler that is named does not exist.
    public static let refUndefinedScheduler = Check(
        "P0203", name: "ref/undefined-scheduler", level: .error,
        summary: "a scheduler that is named does not exist")
    /// P0204: a group that is named does not exist.
    public static let refUndefinedGroup = Check(
        "P0204", name: "ref/undefined-group", level: .error,
        summary: "a group that is named does not exist")
    /// P0205: an event that is named is not declared.
    public static let refUndefinedEvent = Check(
        "P0205", name: "ref/undefined-event", level: .error,
        summary: "an event that is named is not declared")
    /// P0206: a template that is named does not exist.
    public static let refUndefinedTemplate = Check(
        "P0206", name: "ref/undefined-template", level: .error,
        summary: "a template that is named does not exist")
    /// P0207: a context key that is named is not declared.
    public static let refUndefinedKey = Check(
        "P0207", name: "ref/undefined-key", level: .error,
        summary: "a context key that is named is not declared")
    /// P0208: nothing uses the named condition.
    public static let refUnusedCondition = Check(
        "P0208", name: "ref/unused-condition", level: .warning,
        summary: "nothing uses the named condition")
    /// P0209: no popup is in the group.
    public static let refUnusedGroup = Check(
        "P0209", name: "ref/unused-group", level: .warning, summary: "no popup is in the group")
    /// P0210: no condition reads the context key.
    public static let refUnusedKey = Check(
        "P0210", name: "ref/unused-key", level: .info, summary: "no condition reads the context key"
    )
    /// P0211: popups wait for each other, or conditions use each other, in a circle.
    public static let refCycle = Check(
        "P0211", name: "ref/cycle", level: .error,
        summary: "popups wait for each other, or conditions use each other, in a circle")
    /// P0212: a context key is the prefix of another.
    public static let refKeyPrefix = Check(
        "P0212", name: "ref/key-prefix", level: .error,
        summary: "a context key is the prefix of another")
}

// MARK: condition

extension Check {
    /// P0300: a condition is not a CEL expression.
    public static let conditionSyntax = Check(
        "P0300", name: "condition/syntax", level: .error,
        summary: "a condition is not a CEL expression")
    /// P0301: a condition reads a name that is not declared.
    public static let conditionUnknownKey = Check(
        "P0301", name: "condition/unknown-key", level: .error,
        summary: "a condition reads a name that is not declared")
    /// P0302: a condition calls a function that does not exist.
    public static let conditionUnknownFunction = Check(
        "P0302", name: "condition/unknown-function", level: .error,
        summary: "a condition calls a function that does not exist")
    /// P0303: a function is called with too few or too many arguments.
    public static let conditionArity = Check(
        "P0303", name: "condition/arity", level: .error,
        summary: "a function is called with too few or too many arguments")
    /// P0304: an operator or function does not take these types.
    public static let conditionTypeMismatch = Check(
        "P0304", name: "condition/type-mismatch", level: .error,
        summary: "an operator or function does not take these types")
    /// P0305: a condition is neither true nor false.
    public static let conditionNotBool = Check(
        "P0305", name: "condition/not-bool", level: .error,
        summary: "a condition is neither true nor false")
    /// P0306: a condition may fail to be evaluated at run time.
    public static let conditionMayError = Check(
        "P0306", name: "condition/may-error", level: .warning,
        summary: "a condition may fail to be evaluated at run time"
    )
    /// P0307: a key is compared with a value that its declaration does not allow.
    public static let conditionEnumValue = Check(
        "P0307", name: "condition/enum-value", level: .error,
        summary: "a key is compared with a value that its declaration does not allow")
    /// P0308: a comparison does something else than it seems to.
    public static let conditionSuspiciousCompare = Check(
        "P0308", name: "condition/suspicious-compare", level: .warning,
        summary: "a comparison does something else than it seems to")
    /// P0309: a regular expression is not RE2 syntax.
    public static let conditionRegexInvalid = Check(
        "P0309", name: "condition/regex-invalid", level: .error,
        summary: "a regular expression is not RE2 syntax")
    /// P0310: a condition is too long, too deep or too expensive.
    public static let conditionCost = Check(
        "P0310", name: "condition/cost", level: .error,
        summary: "a condition is too long, too deep or too expensive")
    /// P0311: a name exists, but not at this place.
    public static let conditionUnavailableHere = Check(
        "P0311", name: "condition/unavailable-here", level: .error,
        summary: "a name exists, but not at this place")
    /// P0312: a part of a condition made of constants fails whenever it is evaluated.
    public static let conditionConstantError = Check(
        "P0312", name: "condition/constant-error", level: .error,
        summary: "a part of a condition made of constants fails whenever it is evaluated")
}

// MARK: logic

extension Check {
    /// P0401: parts of a condition cannot hold together, or a part never holds.
    public static let logicNeverTrue = Check(
        "P0401", name: "logic/never-true", level: .warning,
        summary: "parts of a condition cannot hold together, or a part never holds")
    /// P0402: a part of a condition holds always, or one of several does.
    public static let logicAlwaysTrue = Check(
        "P0402", name: "logic/always-true", level: .warning,
        summary: "a part of a condition holds always, or one of several does")
    /// P0406: an example of a popup does not match, or matches although it must not.
    public static let logicExampleFails = Check(
        "P0406", name: "logic/example-fails", level: .error,
        summary: "an example of a popup does not match, or matches although it must not")
}

// MARK: schedule

extension Check {
    /// P0502: popups of the same priority go in the order of the names of their files.
    public static let scheduleTie = Check(
        "P0502", name: "schedule/tie", level: .info,
        summary: "popups of the same priority go in the order of the names of their files")
    /// P0506: a popup with `untriggered: discard` is dropped at the start, before its condition can
    /// be true.
    public static let scheduleDiscardBeforeTrue = Check(
        "P0506", name: "schedule/discard-before-true", level: .warning,
        summary:
            "a popup with `untriggered: discard` is dropped at the start, before its condition can be"
            + " true")
    /// P0507: a popup waits for one that never shows.
    public static let scheduleAwaitForever = Check(
        "P0507", name: "schedule/await-forever", level: .warning,
        summary: "a popup waits for one that never shows")
    /// P0509: `switch` has no effect on a scheduler that does not order by priority.
    public static let scheduleSwitchIgnored = Check(
        "P0509", name: "schedule/switch-ignored", level: .warning,
        summary: "`switch` has no effect on a scheduler that does not order by priority")
    /// P0510: a time of zero has no effect.
    public static let scheduleZeroTiming = Check(
        "P0510", name: "schedule/zero-timing", level: .warning,
        summary: "a time of zero has no effect")
    /// P0511: `min_show` is longer than `hide_after`, so that `hide_after` is never kept.
    public static let scheduleMinShowOverHideAfter = Check(
        "P0511", name: "schedule/min-show-over-hide-after", level: .warning,
        summary: "`min_show` is longer than `hide_after`, so that `hide_after` is never kept")
    /// P0512: `switch: latent` does not hold against a popup of the same priority.
    public static let scheduleLatentEqualPriority = Check(
        "P0512", name: "schedule/latent-equal-priority", level: .warning,
        summary: "`switch: latent` does not hold against a popup of the same priority")
    /// P0513: another cap never lets this one be reached.
    public static let scheduleCapUnreachable = Check(
        "P0513", name: "schedule/cap-unreachable", level: .warning,
        summary: "another cap never lets this one be reached")
    /// P0514: what takes the popup down is met whenever it may show.
    public static let scheduleDismissedAtOnce = Check(
        "P0514", name: "schedule/dismissed-at-once", level: .warning,
        summary: "what takes the popup down is met whenever it may show")
    /// P0515: `max_wait` ends before the popup can show.
    public static let scheduleMaxWaitTooShort = Check(
        "P0515", name: "schedule/max-wait-too-short", level: .warning,
        summary: "`max_wait` ends before the popup can show")
}

// MARK: time

extension Check {
    /// P0601: the popup's schedule is over.
    public static let timeExpired = Check(
        "P0601", name: "time/expired", level: .warning, summary: "the popup's schedule is over")
    /// P0602: the schedule leaves no time at which the popup may show.
    public static let timeEmptyWindow = Check(
        "P0602", name: "time/empty-window", level: .error,
        summary: "the schedule leaves no time at which the popup may show")
    /// P0603: `hours`, `days` or a part of a date are given without a time zone.
    public static let timeNoZone = Check(
        "P0603", name: "time/no-zone", level: .warning,
        summary: "`hours`, `days` or a part of a date are given without a time zone")
    /// P0604: `hours` begin or end at a time that the clocks skip when they are put forward.
    public static let timeDSTGap = Check(
        "P0604", name: "time/dst-gap", level: .warning,
        summary: "`hours` begin or end at a time that the clocks skip when they are put forward")
    /// P0605: the schedule begins and never ends.
    public static let timeNoEnd = Check(
        "P0605", name: "time/no-end", level: .info, summary: "the schedule begins and never ends")
    /// P0606: a time zone that is named does not exist.
    public static let timeUnknownZone = Check(
        "P0606", name: "time/unknown-zone", level: .error,
        summary: "a time zone that is named does not exist")
    /// P0607: a time zone is named by letters that do not mean the same everywhere.
    public static let timeZoneLetters = Check(
        "P0607", name: "time/zone-letters", level: .warning,
        summary: "a time zone is named by letters that do not mean the same everywhere")
}

// MARK: content

extension Check {
    /// P0701: the content lacks a key that its template requires.
    public static let contentMissingKey = Check(
        "P0701", name: "content/missing-key", level: .error,
        summary: "the content lacks a key that its template requires"
    )
    /// P0702: the content has a key that its template does not know.
    public static let contentUnknownKey = Check(
        "P0702", name: "content/unknown-key", level: .error,
        summary: "the content has a key that its template does not know")
    /// P0703: a value in the content has another type than the template asks for.
    public static let contentType = Check(
        "P0703", name: "content/type", level: .error,
        summary: "a value in the content has another type than the template asks for")
    /// P0704: a placeholder in the content names nothing that is declared.
    public static let contentUnknownPlaceholder = Check(
        "P0704", name: "content/unknown-placeholder", level: .warning,
        summary: "a placeholder in the content names nothing that is declared")
}

// MARK: hygiene

extension Check {
    /// P0801: the popup names no owner.
    public static let hygieneNoOwner = Check(
        "P0801", name: "hygiene/no-owner", level: .info, summary: "the popup names no owner")
    /// P0802: the popup has no description.
    public static let hygieneNoDescription = Check(
        "P0802", name: "hygiene/no-description", level: .info,
        summary: "the popup has no description")
    /// P0803: `when: false` was left over.
    public static let hygieneWhenFalse = Check(
        "P0803", name: "hygiene/when-false", level: .warning, summary: "`when: false` was left over"
    )
    /// P0804: all popups of a scheduler have the same priority.
    public static let hygieneOnePriority = Check(
        "P0804", name: "hygiene/one-priority", level: .info,
        summary: "all popups of a scheduler have the same priority")
    /// P0805: a rollout of 0 percent reaches nobody.
    public static let hygieneRolloutToNobody = Check(
        "P0805", name: "hygiene/rollout-to-nobody", level: .warning,
        summary: "a rollout of 0 percent reaches nobody")
    /// P0806: a rollout of less than one percent may be meant as a part of one.
    public static let hygieneFractionOfPercent = Check(
        "P0806", name: "hygiene/fraction-of-percent", level: .warning,
        summary: "a rollout of less than one percent may be meant as a part of one")
    /// P0807: a rollout draws by a key of few values, so that all users of a value see the popup,
    /// or none.
    public static let hygieneRolloutByFewValues = Check(
        "P0807", name: "hygiene/rollout-by-few-values", level: .warning,
        summary:
            "a rollout draws by a key of few values, so that all users of a value see the popup, or none"
    )
}

// MARK: test

extension Check {
    /// P0901: no test is about the popup, although there are tests.
    public static let testNone = Check(
        "P0901", name: "test/none", level: .info,
        summary: "no test is about the popup, although there are tests")
    /// P0902: a test names a popup that does not exist.
    public static let testUnknownPopup = Check(
        "P0902", name: "test/unknown-popup", level: .error,
        summary: "a test names a popup that does not exist")
    /// P0903: a test names a context key or event that is not declared.
    public static let testUnknownKey = Check(
        "P0903", name: "test/unknown-key", level: .error,
        summary: "a test names a context key or event that is not declared")
    /// P0904: a test names a scheduler that does not exist.
    public static let testUnknownScheduler = Check(
        "P0904", name: "test/unknown-scheduler", level: .error,
        summary: "a test names a scheduler that does not exist")
    /// P0905: a test names a persona that does not exist.
    public static let testUnknownPersona = Check(
        "P0905", name: "test/unknown-persona", level: .error,
        summary: "a test names a persona that does not exist")
    /// P0906: what a test expects did not happen.
    public static let testFailed = Check(
        "P0906", name: "test/failed", level: .error, summary: "what a test expects did not happen")
    /// P0907: a test names rules that cannot be read.
    public static let testUnknownRules = Check(
        "P0907", name: "test/unknown-rules", level: .error,
        summary: "a test names rules that cannot be read")
    /// P0908: a test that runs alone keeps the others from running.
    public static let testLeftoverOnly = Check(
        "P0908", name: "test/leftover-only", level: .warning,
        summary: "a test that runs alone keeps the others from running")
    /// P0909: two tests of a rule set have the same name.
    public static let testDuplicateName = Check(
        "P0909", name: "test/duplicate-name", level: .warning,
        summary: "two tests of a rule set have the same name")
    /// P0910: a test does or expects nothing, or a file holds no tests.
    public static let testEmpty = Check(
        "P0910", name: "test/empty", level: .error,
        summary: "a test does or expects nothing, or a file holds no tests")
    /// P0911: a file holds tests, but its name does not end in `.test.yaml`.
    public static let testFileName = Check(
        "P0911", name: "test/file-name", level: .error,
        summary: "a file holds tests, but its name does not end in `.test.yaml`")
    /// P0912: something in a test does nothing or is always met.
    public static let testNoEffect = Check(
        "P0912", name: "test/no-effect", level: .error,
        summary: "something in a test does nothing or is always met")
    /// P0913: a test says what can never be.
    public static let testImpossible = Check(
        "P0913", name: "test/impossible", level: .error, summary: "a test says what can never be")
    /// P0914: a test sends an event without a field that a trigger reads.
    public static let testMissingField = Check(
        "P0914", name: "test/missing-field", level: .warning,
        summary: "a test sends an event without a field that a trigger reads")
    /// P0915: the keys of a step stand in another order than they take effect.
    public static let testOrder = Check(
        "P0915", name: "test/order", level: .warning,
        summary: "the keys of a step stand in another order than they take effect")
}

// MARK: config

extension Check {
    /// P1001: an ignore comment ignores nothing.
    public static let configUnusedIgnore = Check(
        "P1001", name: "config/unused-ignore", level: .warning,
        summary: "an ignore comment ignores nothing")
    /// P1002: an ignore comment gives no reason.
    public static let configNoReason = Check(
        "P1002", name: "config/no-reason", level: .warning,
        summary: "an ignore comment gives no reason")
    /// P1003: a comment or the configuration names a check that does not exist.
    public static let configUnknownCheck = Check(
        "P1003", name: "config/unknown-check", level: .error,
        summary: "a comment or the configuration names a check that does not exist")
    /// P1004: the date of a snooze comment is over.
    public static let configExpiredSnooze = Check(
        "P1004", name: "config/expired-snooze", level: .warning,
        summary: "the date of a snooze comment is over")
    /// P1005: a path or pattern matches no file.
    public static let configNoMatch = Check(
        "P1005", name: "config/no-match", level: .error,
        summary: "a path or pattern matches no file")
    /// P1006: an entry of the baseline is about a finding that is gone.
    public static let configStaleBaseline = Check(
        "P1006", name: "config/stale-baseline", level: .warning,
        summary: "an entry of the baseline is about a finding that is gone")
    /// P1007: a comment for poprules is not formed as it must be.
    public static let configMalformedComment = Check(
        "P1007", name: "config/malformed-comment", level: .error,
        summary: "a comment for poprules is not formed as it must be")
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
        scheduleMaxWaitTooShort,
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
