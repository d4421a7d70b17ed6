/// A record for some popups: by index for those of the rules, by id for others, so that it outlives a reload.
///
/// Found without hashing an id, which with looking it up takes as long as everything else that is kept about an impression.
struct PopupRecords<Record: Sendable>: Sendable {
    /// By the popup's index: where its record stands, -1 when it has none.
    private var places: [Int32]
    private var records: [Record] = []
    /// By the ids of popups that the rules do not have.
    private var others: [String: Record] = [:]

    /// None yet; the rules have `count` popups.
    init(count: Int) { places = Array(repeating: -1, count: count) }

    /// Nil for popups that are not of the rules too.
    subscript(popup: Int) -> Record? {
        guard popup < places.count, places[popup] >= 0 else { return nil }
        return records[Int(places[popup])]
    }

    /// The record of any popup; `index` is nil for one that is not of the rules.
    subscript(id: String, at index: Int?) -> Record? {
        index.map { self[$0] } ?? others[id]
    }

    /// Something of where the record of a popup of the rules stands.
    func touch(_ popup: Int) -> Int { Int(places[popup]) }

    mutating func change(
        _ popup: Int, from initial: @autoclosure () -> Record, _ body: (inout Record) -> Void
    ) {
        if places[popup] < 0 {
            places[popup] = Int32(records.count)
            records.append(initial())
        }
        body(&records[Int(places[popup])])
    }

    /// The same for any popup; `index` is nil for one that is not of the rules.
    mutating func change(
        _ id: String, at index: Int?, from initial: @autoclosure () -> Record,
        _ body: (inout Record) -> Void
    ) {
        if let index {
            change(index, from: initial(), body)
        } else {
            body(&others[id, default: initial()])
        }
    }

    /// All records, given the rules' popups.
    func byID(_ popups: [PopupRule]) -> [String: Record] {
        var all = others
        for popup in places.indices {
            if let record = self[popup] { all[popups[popup].id] = record }
        }
        return all
    }
}
