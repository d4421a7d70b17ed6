internal import PopScheduler
internal import PopSource
internal import PopWire

/// The members of a history that a later version wrote and that this version doesn't know.
///
/// A session reads the rest, and writes these members again: an engine that is rolled back loses
/// nothing of what the newer one has stored.
struct LaterMembers: Sendable {
    /// The unknown members, nested as in the history.
    private var members: JSON = .object([])

    init() {}

    /// Keeps the members of `original` that are missing from the history read from it.
    init(of original: JSON, readAs history: History) {
        members = Self.rest(of: original, without: WireForm<History>.history.write(history))
    }

    /// Returns the members of `original` that `known` lacks. Lists are taken as a whole.
    private static func rest(of original: JSON, without known: JSON) -> JSON {
        guard case .object(let members) = original else { return .object([]) }
        var rest: [JSON.Member] = []
        for member in members {
            guard let known = known[member.key] else {
                rest.append(member)
                continue
            }
            let inner = Self.rest(of: member.value, without: known)
            if case .object(let inner) = inner, inner.isEmpty { continue }
            rest.append(JSON.Member(key: member.key, value: inner))
        }
        return .object(rest)
    }

    /// Forgets the members of a popup.
    mutating func forget(popup: String) {
        guard case .object(var sections) = members else { return }
        for place in sections.indices {
            guard case .object(let entries) = sections[place].value else { continue }
            sections[place].value = .object(entries.filter { $0.key != popup })
        }
        members = .object(sections)
    }

    /// Returns a written history together with these members, if it still has their parents.
    func added(to written: JSON) -> JSON { Self.merged(written, members) }

    private static func merged(_ written: JSON, _ later: JSON) -> JSON {
        guard case .object(var members) = written, case .object(let added) = later else {
            return written
        }
        for member in added {
            if let place = members.firstIndex(where: { $0.key == member.key }) {
                members[place].value = merged(members[place].value, member.value)
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
