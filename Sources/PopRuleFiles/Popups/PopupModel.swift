public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. Keys that are not written are nil.
public struct PopupModel: Declaration {
    /// The popup's id.
    public let name: Located<String>
    /// False if the popup is turned off; nil is on.
    public var isEnabled: Located<Bool>?
    /// An integer; the higher priority shows first. Names such as `high` are numbers already. Nil
    /// is `normal`, 100.
    public var priority: Located<Int>?
    /// The triggers that make tasks of it, any of the list; nil is `start`.
    public var trigger: Located<[Located<TriggerModel>]>?
    /// The condition under which it may show; nil is always.
    public var when: Located<ConditionModel>?
    /// The condition under which it is taken down, and does not show.
    public var dismissWhen: Located<ConditionModel>?
    /// The effect of being passed over; nil is `await`.
    public var untriggered: Located<PopupRule.Untriggered>?
    /// The effect of a popup with precedence that comes while it shows; nil is `await`.
    public var `switch`: Located<PopupRule.Switch>?
    /// The name of an entry of `templates`.
    public var template: Located<String>?
    var content: Located<YAMLNode>?
    /// The keys that it writes itself, a bit for each row.
    var written: UInt64 = 0

    // Keys that few popups have take no room in the others.
    private var sharedPlace = Shared<Place>()
    private var sharedTiming = Shared<Timing>()
    private var sharedLimits = Shared<Limits>()
    private var sharedTexts = Shared<Texts>()
    private var sharedChecks = Shared<Checks>()

    init(name: Located<String>) { self.name = name }

    /// A placeholder for a popup that was taken away.
    static let none = PopupModel(
        name: Located("", at: SourceRange(file: FileID(index: 0), 0..<0)))
}

extension PopupModel {
    public var place: Place {
        get { sharedPlace.value }
        set { sharedPlace.value = newValue }
    }
    public var timing: Timing {
        get { sharedTiming.value }
        set { sharedTiming.value = newValue }
    }
    public var limits: Limits {
        get { sharedLimits.value }
        set { sharedLimits.value = newValue }
    }
    public var texts: Texts {
        get { sharedTexts.value }
        set { sharedTexts.value = newValue }
    }
    var checks: Checks {
        get { sharedChecks.value }
        set { sharedChecks.value = newValue }
    }

    // Nil without reading them for a popup that has none.
    var placeIfAny: Place? { sharedPlace.valueIfAny }
    var timingIfAny: Timing? { sharedTiming.valueIfAny }
    var limitsIfAny: Limits? { sharedLimits.valueIfAny }
    var textsIfAny: Texts? { sharedTexts.valueIfAny }
    var checksIfAny: Checks? { sharedChecks.valueIfAny }
}

extension Table<PopupModel> {
    static let popup = Table(
        "a popup", keys: texts + order + conditions + timing + limits + content)
}

/// The keys of an entry of `popups`, in the order of their rows.
package let keysOfPopups = Table.popup.keys

extension PopupRule {
    /// Sets the values with the same meaning in a file and in a rule.
    mutating func setValues(_ popup: PopupModel) {
        if let value = popup.isEnabled?.value { isEnabled = value }
        if let value = popup.priority?.value { priority = value }
        if let value = popup.untriggered?.value { untriggered = value }
        if let value = popup.switch?.value { `switch` = value }
        if let place = popup.placeIfAny {
            if let value = place.isUrgent?.value { isUrgent = value }
            if let value = place.isEssential?.value { isEssential = value }
        }
        template = popup.template?.value
        if let value = popup.timingIfAny { timing = Timing(value) }
        if let value = popup.textsIfAny { texts = Texts(value) }
        if let cap = popup.limitsIfAny?.cap { caps = Caps(cap.value) }
    }
}
