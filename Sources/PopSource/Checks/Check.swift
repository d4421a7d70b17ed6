/// One check: an opaque id, a readable name, and the level if nothing else is configured.
///
/// Either name works everywhere; neither is ever given to another check.
public struct Check: Sendable {
    /// Such as `P0301`: `P`, two digits for the group, two for the check.
    public let id: String
    /// Such as `condition/unknown-key`.
    public let name: String
    /// The level when no configuration changes it.
    public let level: Level
    /// A sentence about the problem that the check finds.
    public let summary: String

    /// The part of the name before the slash.
    public var group: Substring { name.prefix { $0 != "/" } }

    init(_ id: String, name: String, level: Level, summary: String) {
        self.id = id
        self.name = name
        self.level = level
        self.summary = summary
    }

    /// True if its diagnostics report that something wasn't checked. Nothing may suppress them,
    /// because the unchecked problems would be hidden too.
    ///
    /// Errors of YAML belong to them: after one, the rules get no advice.
    public var isAlwaysTold: Bool {
        group == "yaml" && level == .error || self == .schemaLimit || self == .testUnknownRules
    }

    /// Returns the check with that id or name; nil if no check has it.
    public static func named(_ name: String) -> Check? {
        all.first { $0.id == name || $0.name == name }
    }
}

extension Check: Hashable {
    public static func == (left: Check, right: Check) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
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
        refUnusedGroup, refUnusedKey, refCycle, refKeyPrefix, refUndefinedExperiment,
        refUndefinedAction, refUnusedDefault, refUnusedExperiment, refUnusedLimit,
        conditionSyntax, conditionUnknownKey, conditionUnknownFunction, conditionArity,
        conditionTypeMismatch, conditionNotBool, conditionMayError, conditionEnumValue,
        conditionSuspiciousCompare, conditionRegexInvalid, conditionCost, conditionUnavailableHere,
        conditionConstantError,
        logicNeverTrue, logicAlwaysTrue, logicRedundantPart, logicSameAudience, logicExampleFails,
        scheduleShadowed, scheduleTie, scheduleDiscardBeforeTrue, scheduleAwaitForever,
        scheduleSwitchIgnored, scheduleZeroTiming, scheduleMinShowOverHideAfter,
        scheduleLatentEqualPriority, scheduleCapUnreachable, scheduleDismissedAtOnce,
        scheduleMaxWaitTooShort, scheduleEndedByTrigger, scheduleContainedEntry,
        scheduleAlwaysQuiet, scheduleNoSchedule, scheduleStartOrSession,
        scheduleLongDelay, scheduleOwnTrigger, scheduleStaleEvent, scheduleUncountedActions,
        scheduleOnceADayAtStart, scheduleQuietByDay, scheduleSeparateEntries,
        timeExpired, timeEmptyWindow, timeNoZone, timeDSTGap, timeNoEnd, timeUnknownZone,
        timeZoneLetters,
        contentMissingKey, contentUnknownKey, contentType, contentUnknownPlaceholder,
        contentTooLong, contentValue, contentMissingLocale, contentUnknownLocale,
        contentEmptyPlaceholder,
        hygieneNoOwner, hygieneNoDescription, hygieneWhenFalse, hygieneOnePriority,
        hygieneRolloutToNobody, hygieneFractionOfPercent, hygieneRolloutByFewValues,
        hygieneStepsGoDown, hygieneNoGoal, hygieneSameSalt, hygieneDrawnByMoment,
        hygieneSectionAsPopup, hygieneOwnImpressions, hygieneSmallPriorities,
        hygieneSameVariants, hygieneLargeControl, hygieneDefaultReplaced,
        testNone, testUnknownPopup, testUnknownKey, testUnknownScheduler, testUnknownPersona,
        testFailed, testUnknownRules, testLeftoverOnly, testDuplicateName,
        testEmpty, testFileName, testNoEffect, testImpossible, testMissingField, testOrder,
        configUnusedIgnore, configNoReason, configUnknownCheck, configExpiredSnooze,
        configNoMatch, configStaleBaseline, configMalformedComment,
    ]
}
