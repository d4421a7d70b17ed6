public import PopCEL

/// Shows some users variants of a popup, and nothing to others, so that the effect can be measured.
public struct Experiment: Sendable, Hashable {
    /// The appearance of the popup for the users of an arm.
    public struct Variant: Sendable, Hashable {
        /// The name of the arm.
        public var name: String
        /// The template; nil for the template of the popup.
        public var template: String?
        /// The whole content; nil for the content of the popup.
        public var content: Value?

        /// Creates a variant that is like the popup as written, unless something is given.
        public init(_ name: String, template: String? = nil, content: Value? = nil) {
            self.name = name
            self.template = template
            self.content = content
        }
    }

    /// The name of the entry of `experiments` that divides the users; nil for an experiment of the
    /// popup's own.
    public var name: String?
    /// The division of the users among its arms.
    public var assignment: Assignment
    /// The variants. Users of an arm that isn't in this list see the popup as written.
    public var variants: [Variant]

    /// Creates an experiment of a popup; nothing is checked.
    public init(_ assignment: Assignment, variants: [Variant] = [], name: String? = nil) {
        self.assignment = assignment
        self.variants = variants
        self.name = name
    }

    /// Returns true if a task may be in an arm of this name; an empty name is for users who don't
    /// take part.
    package func has(arm: String) -> Bool {
        arm.isEmpty || arm == Assignment.control
            || assignment.arms.contains { $0.name == arm }
    }
}

/// The division of users among the arms of an experiment: users who see nothing, and users who see
/// one of its variants.
///
/// It depends only on the value that identifies the user, and nothing of it is stored: another
/// salt, `control`, weight or name moves users to other arms.
public struct Assignment: Sendable, Hashable {
    /// A variant, by its name, and its share of the users.
    public struct Arm: Sendable, Hashable {
        /// Anything but `control`.
        public var name: String
        /// The weight: among the users who aren't in control, the arm gets this part of the sum of
        /// all weights. From 0 to a million.
        public var weight: Int

        /// Creates a variant that gets as many users as others of its weight.
        public init(_ name: String, weight: Int = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// The users of a layer who take part: experiments of one layer exclude each other by their
    /// ranges.
    public struct LayerPart: Sendable, Hashable {
        /// The name of the layer.
        public var layer: String
        /// The salt of the layer, which all its experiments share.
        public var salt: String
        /// A part of the hundred percent of all users, its upper bound not included.
        public var range: Range<Double>

        /// A part of the users of a layer.
        public init(of layer: String, salt: String, range: Range<Double>) {
            self.layer = layer
            self.salt = salt
            self.range = range
        }
    }

    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String
    /// The part of a layer whose users take part; nil for all users.
    public var layer: LayerPart?
    /// The percentage of these users who take part. The others see the popup as written.
    public var share: Double
    /// The percentage of participants who see nothing.
    public var control: Double
    /// The variants; their order means nothing.
    public var arms: [Arm]

    /// The name of the arm that sees nothing.
    public static let control = "control"

    /// Creates an experiment in which all users take part and none is in control, unless given;
    /// nothing is checked.
    public init(
        key: KeyIndex, salt: String, layer: LayerPart? = nil, share: Double = 100,
        control: Double = 0, arms: [Arm]
    ) {
        self.key = key
        self.salt = salt
        self.layer = layer
        self.share = share
        self.control = control
        self.arms = arms
    }
}

/// Shows a popup to a part of the users: always the same users for the same salt.
public struct Rollout: Sendable, Hashable {
    /// A part of the users from a date on.
    public struct Step: Sendable, Hashable {
        /// Included.
        public var begins: Timestamp
        /// 0 to 100.
        public var percent: Double

        /// A part of the users from a date on; nothing is checked.
        public init(begins: Timestamp, percent: Double) {
            self.begins = begins
            self.percent = percent
        }
    }

    /// The part of all users who see the popup.
    public enum Share: Sendable, Hashable {
        /// A part of the hundred percent of all users, its upper bound not included.
        case range(Range<Double>)
        /// The first part of the users, of the given percentages, by dates in ascending order; no
        /// user before the first date.
        case steps([Step])
    }

    /// The part of the users who see the popup.
    public var share: Share
    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String

    /// Creates a share of the users, identified by a context key; nothing is checked.
    public init(share: Share, key: KeyIndex, salt: String) {
        self.share = share
        self.key = key
        self.salt = salt
    }
}

/// A part of the users who see only essential popups.
public struct Holdout: Sendable, Hashable {
    /// 0 to 100.
    public var percent: Double
    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String

    /// The salt of a holdout that names none.
    public static let usualSalt = "holdout"

    /// Creates a part of the users, identified by a context key; nothing is checked.
    public init(percent: Double, key: KeyIndex, salt: String = usualSalt) {
        self.percent = percent
        self.key = key
        self.salt = salt
    }
}
