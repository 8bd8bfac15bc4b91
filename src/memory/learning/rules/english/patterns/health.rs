//! What the user has that lasts, and what they take for it.

use super::*;

const SUFFERS: &str = "The user has {}.";
const TAKES: &str = "The user takes {}.";

pub(super) const PATTERNS: &[Pattern] = &[
    unsays("i do not * have", Slot::Health, Grammar::Condition, "The user does not have {}."),
    unsays("i no longer have", Slot::Health, Grammar::Condition, "The user no longer has {}."),
    says("i * have got?", Slot::Health, Grammar::Condition, SUFFERS),
    happened("i have? was|got|been * diagnosed with|as", Slot::Health, Grammar::Condition, &[], SUFFERS),
    unsays("i am not|no * longer?", Slot::Health, Grammar::Ailing, "The user is not {}."),
    says("i|we am|are *", Slot::Health, Grammar::Ailing, "The user is {}."),
    happened(
        "i|we * ^had a|the miscarriage|baby girl|boy?",
        Slot::Event,
        Grammar::Deed,
        &[Slot::Health],
        "The user {}.",
    ),
    happened("i|we * ^gave birth", Slot::Event, Grammar::Deed, &[Slot::Health], "The user {}."),
    unsays("i do not * take", Slot::Health, Grammar::Medicine, "The user does not take {}."),
    unsays("i no longer take", Slot::Health, Grammar::Medicine, "The user no longer takes {}."),
    unsays("i have? * stopped|quit taking", Slot::Health, Grammar::Medicine, "The user no longer takes {}."),
    unsays("i am * off", Slot::Health, Grammar::Medicine, "The user no longer takes {}."),
    says("i * take", Slot::Health, Grammar::Medicine, TAKES),
    says("i am * taking|on", Slot::Health, Grammar::Medicine, TAKES),
];
