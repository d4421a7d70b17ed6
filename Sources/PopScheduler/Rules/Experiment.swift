public import PopCEL

/// Shows some users variants of a popup, and nothing to others, so that the effect can be measured.
public struct Experiment: Sendable, Hashable {
    /// What the users of an arm see in place of the popup as it stands.
    public struct Variant: Sendable, Hashable {
        /// The name of the arm.
        public var name: String
        /// What kind of popup it is; nil for the template of the popup.
        public var template: String?
        /// All that it says; nil for the content of the popup.
        public var content: Value?

        /// A variant that is as the popup stands, unless something is given.
        public init(_ name: String, template: String? = nil, content: Value? = nil) {
            self.name = name
            self.template = template
            self.content = content
        }
    }

    /// The name of the entry of `experiments` that divides the users; nil for an experiment of the
    /// popup's own.
    public var name: String?
    /// How the users are divided among its arms.
    public var assignment: Assignment
    /// What they see. Users of an arm that is not here see the popup as it stands.
    public var variants: [Variant]

    /// An experiment of a popup; nothing is checked.
    public init(_ assignment: Assignment, variants: [Variant] = [], name: String? = nil) {
        self.assignment = assignment
        self.variants = variants
        self.name = name
    }

    /// Whether a task may be in an arm of this name; an empty one is for those who take no part.
    package func has(arm: String) -> Bool {
        arm.isEmpty || arm == Assignment.control
            || assignment.arms.contains { $0.name == arm }
    }
}
