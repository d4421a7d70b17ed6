import CGTK

/// A widget of GTK: the only file that touches its pointers, and that says `unsafe`.
///
/// GTK runs on the main thread, and so does whatever is done with a widget.
@MainActor @safe
struct Widget {
    private let pointer: UnsafeMutablePointer<GtkWidget>

    private init?(_ pointer: UnsafeMutablePointer<GtkWidget>?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    /// A constructor of GTK's gives a widget or ends the program.
    private init(made pointer: UnsafeMutablePointer<GtkWidget>?) {
        guard let widget = unsafe Widget(pointer) else { preconditionFailure("GTK made no widget") }
        self = widget
    }
}

// MARK: Kinds

extension Widget {
    static func window(_ title: String, width: Int32, height: Int32) -> Widget {
        unsafe Widget(made: shop_window(title, width, height))
    }

    static func column(_ children: [Widget] = [], spacing: Int32 = 12) -> Widget {
        unsafe Widget(made: shop_box(0, spacing)).adding(children)
    }

    static func row(_ children: [Widget] = [], spacing: Int32 = 12) -> Widget {
        unsafe Widget(made: shop_box(1, spacing)).adding(children)
    }

    static func label(_ text: String, _ style: String = "text") -> Widget {
        unsafe Widget(made: shop_label(text)).styled(style)
    }

    /// A text of several lines, of so many characters at most.
    static func paragraph(_ text: String, width: Int32 = 46) -> Widget {
        let label = Widget.label(text)
        unsafe shop_wrap(label.pointer, width)
        return label
    }

    static func button(_ text: String, named name: String, _ press: @escaping Action) -> Widget {
        unsafe Widget(made: shop_button(text)).named(name).on("clicked", press)
    }

    /// A bar that is full at 1.
    static func progress(_ share: Double) -> Widget {
        unsafe Widget(made: shop_progress(share)).placed(.fill, .center)
    }

    static func overlay(_ child: Widget) -> Widget {
        unsafe Widget(made: shop_overlay(child.pointer))
    }

    /// Fades its child in and out, or slides it in from below.
    static func revealer(_ child: Widget, slides: Bool) -> Widget {
        unsafe Widget(made: shop_revealer(child.pointer, slides ? 1 : 0))
    }

    static func stack(_ pages: [(name: String, page: Widget)]) -> Widget {
        let stack = unsafe Widget(made: shop_stack())
        for (name, page) in pages { unsafe shop_stack_add(stack.pointer, page.pointer, name) }
        return stack
    }
}

// MARK: Looks

extension Widget {
    /// Where a widget stands in the room that it gets.
    enum Place: UInt32 { case fill, start, end, center }

    func styled(_ style: String) -> Widget {
        unsafe gtk_widget_add_css_class(pointer, style)
        return self
    }

    func marked(_ style: String, _ isMarked: Bool) {
        if isMarked {
            unsafe gtk_widget_add_css_class(pointer, style)
        } else {
            unsafe gtk_widget_remove_css_class(pointer, style)
        }
    }

    /// By this name the journal tells where it is.
    func named(_ name: String) -> Widget {
        unsafe gtk_widget_set_name(pointer, name)
        return self
    }

    func placed(_ across: Place, _ down: Place = .fill) -> Widget {
        unsafe gtk_widget_set_halign(pointer, GtkAlign(across.rawValue))
        unsafe gtk_widget_set_valign(pointer, GtkAlign(down.rawValue))
        return self
    }

    /// Takes the room that is left in its row.
    func growing() -> Widget {
        unsafe gtk_widget_set_hexpand(pointer, 1)
        return self
    }

    /// Takes the room that is left across and down.
    func filling() -> Widget {
        unsafe gtk_widget_set_vexpand(pointer, 1)
        return growing()
    }

    static func useStyles(_ css: String) { unsafe shop_style(css) }
}

// MARK: Contents

extension Widget {
    func add(_ child: Widget) { unsafe shop_box_add(pointer, child.pointer) }
    func clear() { unsafe shop_box_clear(pointer) }
    func addOver(_ child: Widget) { unsafe shop_overlay_add(pointer, child.pointer) }
    func removeOver(_ child: Widget) { unsafe shop_overlay_remove(pointer, child.pointer) }
    func setText(_ text: String) { unsafe shop_label_set(pointer, text) }
    func showPage(_ name: String) { unsafe shop_stack_show(pointer, name) }
    func reveal(_ reveals: Bool) { unsafe shop_reveal(pointer, reveals ? 1 : 0) }
    var isRevealed: Bool { unsafe shop_is_revealed(pointer) != 0 }
    func show(_ child: Widget) { unsafe shop_window_show(pointer, child.pointer) }

    private func adding(_ children: [Widget]) -> Widget {
        for child in children { add(child) }
        return self
    }
}

// MARK: Signals

typealias Action = @MainActor () -> Void

extension Widget {
    @discardableResult
    func on(_ signal: String, _ action: @escaping Action) -> Widget {
        let kept = unsafe Unmanaged.passRetained(Kept(action)).toOpaque()
        unsafe shop_connect(
            pointer, signal, { unsafe Kept.run($0) }, kept, { unsafe Kept.release($0) })
        return self
    }
}

/// A closure in the hands of C.
private final class Kept: Sendable {
    private let action: Action

    init(_ action: @escaping Action) { self.action = action }

    static func run(_ data: UnsafeMutableRawPointer?) {
        guard let data = unsafe data else { return }
        let kept = unsafe Unmanaged<Kept>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { kept.action() }
    }

    static func release(_ data: UnsafeMutableRawPointer?) {
        if let data = unsafe data { unsafe Unmanaged<Kept>.fromOpaque(data).release() }
    }
}

// MARK: The main loop

@MainActor
enum GTK {
    /// Opens the display; false where there is none.
    static func start() -> Bool { gtk_init_check() != 0 }

    /// Runs until the window is closed. GLib's loop has the thread, and wakes the queue of Swift's
    /// main actor by the descriptor that Dispatch has for foreign loops: nothing polls.
    static func run(until window: Widget) {
        let ended = UnsafeMutablePointer<gboolean>.allocate(capacity: 1)
        unsafe ended.initialize(to: 0)
        window.on("close-request") { unsafe ended.pointee = 1 }
        unsafe shop_run(ended)
    }

    static func every(milliseconds: UInt32, _ action: @escaping Action) {
        let kept = unsafe Unmanaged.passRetained(Kept(action)).toOpaque()
        unsafe shop_every(
            milliseconds,
            {
                unsafe Kept.run($0); return 1
            }, kept)
    }
}

// MARK: Where things are

extension Widget {
    /// The widgets on the screen that were given names, and where: x, y, width and height.
    ///
    /// A widget that GTK has not laid out yet has no size, and is not on the screen.
    var areas: [String: [Int]] {
        var found: [String: [Int]] = [:]
        var area = graphene_rect_t()
        if unsafe shop_area(pointer, &area) != 0, area.size.width >= 1, area.size.height >= 1 {
            let name = unsafe String(cString: gtk_widget_get_name(pointer))
            // A widget without a name of its own has that of its class.
            if name.contains(".") {
                let numbers = [area.origin.x, area.origin.y, area.size.width, area.size.height]
                found[name] = numbers.map { Int($0) }
            }
        }
        var next = unsafe Widget(gtk_widget_get_first_child(pointer))
        while let child = next {
            found.merge(child.areas) { first, _ in first }
            next = unsafe Widget(gtk_widget_get_next_sibling(child.pointer))
        }
        return found
    }
}
