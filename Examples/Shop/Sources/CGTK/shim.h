// What the shop uses of GTK 4, with GtkWidget as the one type of all widgets.
#pragma once

#include <glib-unix.h>
#include <gtk/gtk.h>
#include <sys/eventfd.h>

// MARK: Swift's main actor in GTK's main loop

// As CoreFoundation declares them, for run loops that are not Dispatch's own.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);

static gboolean shop_drain(int handle, GIOCondition condition, void *data) {
    eventfd_t count;
    eventfd_read(handle, &count);
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

/// Runs GTK until `*ended`; what waits for the main actor runs in between.
static inline void shop_run(const gboolean *ended) {
    g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, shop_drain, NULL);
    while (!*ended) g_main_context_iteration(NULL, TRUE);
}

// MARK: Signals

/// Calls `call(data)` at each signal, and `release(data)` when the widget is gone.
static inline void shop_connect(
    GtkWidget *widget, const char *signal, void (*call)(void *), void *data, void (*release)(void *)) {
    g_signal_connect_data(widget, signal, G_CALLBACK(call), data, (GClosureNotify)(void *)release, G_CONNECT_SWAPPED);
}

static inline void shop_every(unsigned milliseconds, int (*call)(void *), void *data) {
    g_timeout_add(milliseconds, call, data);
}

// MARK: Widgets

static inline GtkWidget *shop_window(const char *title, int width, int height) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), title);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    return window;
}
static inline void shop_window_show(GtkWidget *window, GtkWidget *child) {
    gtk_window_set_child(GTK_WINDOW(window), child);
    gtk_window_present(GTK_WINDOW(window));
}
static inline void shop_style(const char *css) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, css, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}
static inline GtkWidget *shop_box(gboolean is_row, int spacing) {
    return gtk_box_new(is_row ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, spacing);
}
static inline void shop_box_add(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }
static inline void shop_box_clear(GtkWidget *box) {
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(box))) gtk_box_remove(GTK_BOX(box), child);
}
static inline GtkWidget *shop_label(const char *text) {
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    return label;
}
static inline void shop_wrap(GtkWidget *label, int characters) {
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), characters);
}
static inline void shop_label_set(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }
static inline GtkWidget *shop_button(const char *text) { return gtk_button_new_with_label(text); }
static inline GtkWidget *shop_progress(double share) {
    GtkWidget *bar = gtk_progress_bar_new();
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(bar), share);
    return bar;
}
static inline GtkWidget *shop_stack(void) {
    GtkWidget *stack = gtk_stack_new();
    gtk_stack_set_transition_type(GTK_STACK(stack), GTK_STACK_TRANSITION_TYPE_CROSSFADE);
    return stack;
}
static inline void shop_stack_add(GtkWidget *stack, GtkWidget *child, const char *name) {
    gtk_stack_add_named(GTK_STACK(stack), child, name);
}
static inline void shop_stack_show(GtkWidget *stack, const char *name) {
    gtk_stack_set_visible_child_name(GTK_STACK(stack), name);
}
static inline GtkWidget *shop_overlay(GtkWidget *child) {
    GtkWidget *overlay = gtk_overlay_new();
    gtk_overlay_set_child(GTK_OVERLAY(overlay), child);
    return overlay;
}
static inline void shop_overlay_add(GtkWidget *overlay, GtkWidget *child) {
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), child);
}
static inline void shop_overlay_remove(GtkWidget *overlay, GtkWidget *child) {
    gtk_overlay_remove_overlay(GTK_OVERLAY(overlay), child);
}
static inline GtkWidget *shop_revealer(GtkWidget *child, gboolean slides) {
    GtkWidget *revealer = gtk_revealer_new();
    gtk_revealer_set_transition_type(
        GTK_REVEALER(revealer),
        slides ? GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP : GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
    gtk_revealer_set_child(GTK_REVEALER(revealer), child);
    return revealer;
}
static inline void shop_reveal(GtkWidget *revealer, gboolean reveals) {
    gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), reveals);
}
static inline gboolean shop_is_revealed(GtkWidget *revealer) {
    return gtk_revealer_get_child_revealed(GTK_REVEALER(revealer));
}

/// Where a widget is in its window's surface; false while it is not to be seen.
static inline gboolean shop_area(GtkWidget *widget, graphene_rect_t *area) {
    GtkNative *native = gtk_widget_get_native(widget);
    if (!native || !gtk_widget_get_mapped(widget)) return FALSE;
    double x, y;
    gtk_native_get_surface_transform(native, &x, &y);
    if (!gtk_widget_compute_bounds(widget, GTK_WIDGET(native), area)) return FALSE;
    graphene_rect_offset(area, x, y);
    return TRUE;
}
