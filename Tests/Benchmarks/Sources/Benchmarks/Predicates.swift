import Foundation

/// The conditions as Foundation's predicates, in their order.
let predicates: [Predicate<Values>] = {
    let countries = ["US", "CA", "GB", "DE", "FR"]
    return [
        #Predicate<Values> { $0.userIsNew && $0.screen == "home" },
        #Predicate<Values> {
            $0.userAge >= 18 && $0.userAge < 65 && countries.contains($0.country)
        },
        #Predicate<Values> {
            $0.plan == "pro"
                || ($0.sessions > 5 && !($0.dismissedCount >= 3) && $0.lastSeenDays <= 30)
        },
        #Predicate<Values> { values in
            values.tags.contains { $0 == "beta" } && values.name.starts(with: "a")
                && values.items.count > 2
        },
    ]
}()
