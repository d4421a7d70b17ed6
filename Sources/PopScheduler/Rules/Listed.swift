public import PopCEL

/// The place of a popup in the popups of a rule set, or among those that the scheduler knows.
public struct PopupIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// The place of a scheduler in the schedulers of a rule set, and of its lane in the machine.
public struct LaneIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// The place of a group in the groups of a rule set.
public struct GroupIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// The place of a cap that popups share among all such caps.
struct SharedCapIndex: ListIndex {
    /// Counts from 0.
    let number: Int

    @inline(__always)
    init(_ number: Int) { self.number = number }
}

/// The place of a context key in the keys of a rule set.
public struct KeyIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// The place of an event in the events of a rule set.
public struct EventIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// The place of a named condition in the conditions of a rule set.
public struct ConditionIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}

/// An entry of rules that others refer to by its place in the list of its kind.
public protocol Listed {
    /// The type of such a place.
    associatedtype Index: ListIndex
}

extension PopupRule: Listed { public typealias Index = PopupIndex }
extension SchedulerRule: Listed { public typealias Index = LaneIndex }
extension GroupRule: Listed { public typealias Index = GroupIndex }
extension ContextKey: Listed { public typealias Index = KeyIndex }
extension EventRule: Listed { public typealias Index = EventIndex }
extension NamedCondition: Listed { public typealias Index = ConditionIndex }
extension SlotMeaning: Listed { public typealias Index = SlotIndex }

extension Array where Element: Listed {
    /// The places of all elements.
    @inlinable
    public var places: Range<Element.Index> { Element.Index(0)..<Element.Index(count) }

    /// The element at a place.
    @inlinable @inline(__always)
    public subscript(place: Element.Index) -> Element {
        get { self[place.number] }
        _modify { yield &self[place.number] }
    }

    /// Returns the place of the first element that satisfies the predicate; nil if no element does.
    public func firstPlace(where isSought: (Element) -> Bool) -> Element.Index? {
        firstIndex(where: isSought).map { Element.Index($0) }
    }
}
