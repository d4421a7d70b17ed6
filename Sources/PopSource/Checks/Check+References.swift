// The checks of the group `ref`.
extension Check {
    /// P0201: the same id is defined twice.
    public static let refDuplicateID = Check(
        "P0201", name: "ref/duplicate-id", level: .error, summary: "the same id is defined twice")
    /// P0202: a popup is referenced but not defined.
    public static let refUndefinedPopup = Check(
        "P0202", name: "ref/undefined-popup", level: .error,
        summary: "a popup is referenced but not defined")
    /// P0203: a scheduler is referenced but not defined.
    public static let refUndefinedScheduler = Check(
        "P0203", name: "ref/undefined-scheduler", level: .error,
        summary: "a scheduler is referenced but not defined")
    /// P0204: a group is referenced but not defined.
    public static let refUndefinedGroup = Check(
        "P0204", name: "ref/undefined-group", level: .error,
        summary: "a group is referenced but not defined")
    /// P0205: an event is referenced but not declared.
    public static let refUndefinedEvent = Check(
        "P0205", name: "ref/undefined-event", level: .error,
        summary: "an event is referenced but not declared")
    /// P0206: a template is referenced but not defined.
    public static let refUndefinedTemplate = Check(
        "P0206", name: "ref/undefined-template", level: .error,
        summary: "a template is referenced but not defined")
    /// P0207: a context key is referenced but not declared.
    public static let refUndefinedKey = Check(
        "P0207", name: "ref/undefined-key", level: .error,
        summary: "a context key is referenced but not declared")
    /// P0208: a named condition is not used anywhere.
    public static let refUnusedCondition = Check(
        "P0208", name: "ref/unused-condition", level: .warning,
        summary: "a named condition is not used anywhere")
    /// P0209: a group has no popups.
    public static let refUnusedGroup = Check(
        "P0209", name: "ref/unused-group", level: .warning, summary: "a group has no popups")
    /// P0210: a context key is not read by any condition.
    public static let refUnusedKey = Check(
        "P0210", name: "ref/unused-key", level: .info,
        summary: "a context key is not read by any condition")
    /// P0211: popups or conditions depend on each other in a cycle.
    public static let refCycle = Check(
        "P0211", name: "ref/cycle", level: .error,
        summary: "popups or conditions depend on each other in a cycle")
    /// P0212: the names of two context keys conflict, such as `user.plan` and `user.plan.since`.
    public static let refKeyPrefix = Check(
        "P0212", name: "ref/key-prefix", level: .error,
        summary:
            "the names of two context keys conflict, such as `user.plan` and `user.plan.since`")
    /// P0213: an experiment or a layer is referenced but not defined.
    public static let refUndefinedExperiment = Check(
        "P0213", name: "ref/undefined-experiment", level: .error,
        summary: "an experiment or a layer is referenced but not defined")
    /// P0214: an action is referenced but not declared by the template of its popup.
    public static let refUndefinedAction = Check(
        "P0214", name: "ref/undefined-action", level: .error,
        summary: "an action is referenced but not declared by the template of its popup")
    /// P0215: a default is not used by any popup.
    public static let refUnusedDefault = Check(
        "P0215", name: "ref/unused-default", level: .warning,
        summary: "a default is not used by any popup")
    /// P0216: an experiment has no popup, or a layer has no experiment.
    public static let refUnusedExperiment = Check(
        "P0216", name: "ref/unused-experiment", level: .warning,
        summary: "an experiment has no popup, or a layer has no experiment")
    /// P0217: an entry of `limits`, or `quiet`, applies to no popup.
    public static let refUnusedLimit = Check(
        "P0217", name: "ref/unused-limit", level: .warning,
        summary: "an entry of `limits`, or `quiet`, applies to no popup")
}

// The checks of the group `content`.
extension Check {
    /// P0701: the content lacks a key that its template requires.
    public static let contentMissingKey = Check(
        "P0701", name: "content/missing-key", level: .error,
        summary: "the content lacks a key that its template requires"
    )
    /// P0702: the content has a key that its template does not have.
    public static let contentUnknownKey = Check(
        "P0702", name: "content/unknown-key", level: .error,
        summary: "the content has a key that its template does not have")
    /// P0703: a value in the content does not have the type that the template requires.
    public static let contentType = Check(
        "P0703", name: "content/type", level: .error,
        summary: "a value in the content does not have the type that the template requires")
    /// P0704: a placeholder in the content names a key or field that is not declared.
    public static let contentUnknownPlaceholder = Check(
        "P0704", name: "content/unknown-placeholder", level: .warning,
        summary: "a placeholder in the content names a key or field that is not declared")
    /// P0705: a string or list in the content is longer than its field allows.
    public static let contentTooLong = Check(
        "P0705", name: "content/too-long", level: .error,
        summary: "a string or list in the content is longer than its field allows")
    /// P0706: the content has a value that its field does not allow.
    public static let contentValue = Check(
        "P0706", name: "content/value", level: .error,
        summary: "the content has a value that its field does not allow")
    /// P0707: a translated string lacks a language that `locales` requires.
    public static let contentMissingLocale = Check(
        "P0707", name: "content/missing-locale", level: .error,
        summary: "a translated string lacks a language that `locales` requires")
    /// P0708: a string is translated into an unknown language.
    public static let contentUnknownLocale = Check(
        "P0708", name: "content/unknown-locale", level: .error,
        summary: "a string is translated into an unknown language")
    /// P0709: a placeholder has no fallback for the case that its value is missing.
    public static let contentEmptyPlaceholder = Check(
        "P0709", name: "content/empty-placeholder", level: .warning,
        summary: "a placeholder has no fallback for the case that its value is missing")
}
