internal import PopCEL
internal import PopScheduler
internal import PopSource

// Parts that depend on user actions on popups.

/// A popup that another comes after, as a bundle writes it: its index, or an object.
extension WireForm<Predecessor> {
    static let predecessor = WireForm(
        written: { predecessor in
            predecessor == Predecessor(predecessor.popup)
                ? WireForm<PopupIndex>.place { $0.counts.popups }.written(predecessor.popup)
                : asked.written(predecessor)
        },
        read: { json, reader throws(BundleError) in
            if case .object = json { return try asked.read(json, &reader) }
            let place = WireForm<PopupIndex>.place { $0.counts.popups }
            return Predecessor(try place.read(json, &reader))
        })

    private static let asked = object(
        [
            WireKey(
                "popup", form: .place { $0.counts.popups }, isRequired: true, since: 2,
                value: { $0.popup }, store: { $0.popup = $1 }),
            WireKey(
                "action", form: .text, since: 2, value: { $0.action }, store: { $0.action = $1 }),
            WireKey(
                "since", form: .positiveLength, since: 2,
                value: { $0.since == .zero ? nil : $0.since }, store: { $0.since = $1 }),
        ], from: Predecessor(0))
}

extension WireForm<PauseAfterClose> {
    static let pause = object(
        [
            WireKey(
                "close", form: .length, isRequired: true, since: 2, value: { $0.close },
                store: { $0.close = $1 }),
            WireKey(
                "actions", form: .list(of: .pauseAfterAction), since: 2,
                value: { pause in
                    pause.actions.ordered { $0.key < $1.key }
                        .map { PauseAfterAction(action: $0.key, pause: $0.value) }.unlessEmpty
                },
                store: { pause, actions in
                    for entry in actions { pause.actions[entry.action] = entry.pause }
                }),
        ], from: PauseAfterClose())
}

private struct PauseAfterAction: Sendable {
    var action = ""
    var pause = Duration.zero
}

extension WireForm<PauseAfterAction> {
    fileprivate static let pauseAfterAction = object(
        [
            WireKey(
                "action", form: .text, isRequired: true, since: 2, value: { $0.action },
                store: { $0.action = $1 }),
            WireKey(
                "pause", form: .positiveLength, isRequired: true, since: 2, value: { $0.pause },
                store: { $0.pause = $1 }),
        ], from: PauseAfterAction())
}
