internal import PopCEL
internal import PopScheduler
internal import PopSource

extension WireForm<Goal> {
    static let goal = WireForm(
        written: { object(keys(of: nil), from: unnamed).written($0) },
        read: { json, reader throws(BundleError) in
            let keys = keys(of: try reader.event(in: json))
            return try object(keys, from: unnamed).read(json, &reader)
        })

    private static let unnamed = Goal("", event: 0, within: .zero)

    /// Returns the members of a goal; `where` may read the fields of the event, so the event must
    /// be known first.
    private static func keys(of event: EventIndex?) -> [WireKey<Goal>] {
        [
            WireKey(
                "name", form: .text, isRequired: true, value: { $0.name }, store: { $0.name = $1 }),
            WireKey(
                "event", form: .place { $0.counts.events }, isRequired: true, value: { $0.event },
                store: { $0.event = $1 }),
            WireKey(
                "where", form: .condition(inside: event), value: { $0.where },
                store: { $0.where = $1 }),
            WireKey(
                "within", form: .positiveLength, isRequired: true, value: { $0.within },
                store: { $0.within = $1 }),
            WireKey("ends", form: .ending, value: { $0.ends }, store: { $0.ends = $1 }),
        ]
    }
}

extension WireForm<Goal.Ending> {
    /// `true`, or a duration.
    fileprivate static let ending = WireForm(
        written: { ending in
            switch ending {
            case .forGood: WireForm<Bool>.flag.written(true)
            case .pause(let duration): WireForm<Duration>.positiveLength.written(duration)
            }
        },
        read: { json, reader throws(BundleError) in
            if case .bool(true) = json { return .forGood }
            return .pause(try WireForm<Duration>.positiveLength.read(json, &reader))
        })
}
