//! Numbers as the decimals they print as, so that 19.99 is a multiple of 0.01 and 1.0 equals 1.

use serde_json::Number;
use std::cmp::Ordering;
use std::fmt;

/// `digits` x 10^`exponent`, without trailing zeros in `digits`; zero has no sign and exponent 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// The decimal that `number` prints as; exact for integers, the shortest that reads back for floats.
    pub(super) fn of(number: &Number) -> Self {
        if let Some(whole) = number.as_u64() {
            return Self::normal(false, whole, 0);
        }
        if let Some(whole) = number.as_i64() {
            return Self::normal(true, whole.unsigned_abs(), 0);
        }
        Self::read(&number.to_string())
    }

    /// Whether this is a whole number.
    pub(super) fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    /// Whether this is greater than zero.
    pub(super) fn is_positive(self) -> bool {
        !self.negative && self.digits > 0
    }

    /// Whether this divides by `step` without rest; `step` is not zero.
    pub(super) fn is_multiple_of(self, step: Self) -> bool {
        if self.digits == 0 {
            return true;
        }
        // The digits carry no trailing zero, so a step with a coarser exponent cannot divide them.
        let Ok(shift) = u32::try_from(self.exponent - step.exponent) else { return false };
        let modulus = u128::from(step.digits);
        let mut rest = u128::from(self.digits) % modulus;
        for _ in 0..shift {
            rest = rest * 10 % modulus;
        }
        rest == 0
    }

    fn normal(negative: bool, mut digits: u64, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self { negative: false, digits: 0, exponent: 0 };
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self { negative, digits, exponent }
    }

    /// Reads what `Number` prints: an optional sign, digits with at most one point, an optional exponent.
    ///
    /// Printed floats have at most 17 significant digits, which fit; zeros are counted before they are multiplied in, so
    /// those that trail cannot overflow.
    fn read(text: &str) -> Self {
        let (mantissa, written) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let mut exponent: i32 = written.trim_start_matches('+').parse().unwrap_or(0);
        let (mut digits, mut zeros, mut in_fraction) = (0_u64, 0_u32, false);
        for character in mantissa.chars() {
            match character {
                '.' => in_fraction = true,
                '0' => {
                    zeros += 1;
                    exponent -= i32::from(in_fraction);
                }
                _ => {
                    let Some(digit) = character.to_digit(10) else { continue };
                    let shifted = 10_u64.saturating_pow(zeros + 1).saturating_mul(digits);
                    digits = shifted.saturating_add(u64::from(digit));
                    zeros = 0;
                    exponent -= i32::from(in_fraction);
                }
            }
        }
        Self::normal(mantissa.starts_with('-'), digits, exponent.saturating_add_unsigned(zeros))
    }

    fn magnitude(self, other: Self) -> Ordering {
        let (mine, theirs) = (length(self.digits), length(other.digits));
        let scale = |digits: u64, by: i32| u128::from(digits) * 10_u128.pow(by.unsigned_abs());
        (mine + self.exponent).cmp(&(theirs + other.exponent)).then_with(|| {
            let longest = mine.max(theirs);
            scale(self.digits, longest - mine).cmp(&scale(other.digits, longest - theirs))
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}e{}", self.digits, self.exponent)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |decimal: &Self| match (decimal.digits, decimal.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => self.magnitude(*other),
            _ => other.magnitude(*self),
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How many decimal digits `digits` has.
fn length(digits: u64) -> i32 {
    digits.checked_ilog10().map_or(1, |log| i32::try_from(log).unwrap_or(0) + 1)
}

/// `number` as a count that a keyword such as `minLength` takes; nothing when negative or fractional.
pub(super) fn count(number: &Number) -> Option<u64> {
    let decimal = Decimal::of(number);
    if decimal.negative || !decimal.is_whole() {
        return None;
    }
    let factor = 10_u64.saturating_pow(decimal.exponent.unsigned_abs());
    Some(decimal.digits.saturating_mul(factor))
}

#[cfg(test)]
mod tests {
    use super::{Decimal, count};
    use proptest::prelude::*;
    use serde_json::{Number, from_str};
    use std::cmp::Ordering;

    fn decimal(text: &str) -> Decimal {
        Decimal::of(&from_str::<Number>(text).unwrap())
    }

    #[test]
    fn equal_numbers_are_one_decimal_however_they_are_written() {
        for (left, right) in
            [("1", "1.0"), ("100", "1e2"), ("0", "-0.0"), ("-25e-1", "-2.5"), ("1e300", "10e299")]
        {
            assert_eq!(decimal(left), decimal(right), "{left} and {right}");
        }
        assert_ne!(decimal("9007199254740993"), decimal("9007199254740992.0"));
    }

    #[test]
    fn multiples_are_those_of_the_written_decimals() {
        for (value, step, expected) in [
            ("19.99", "0.01", true),
            ("0.3", "0.1", true),
            ("0.35", "0.1", false),
            ("0.0075", "0.0001", true),
            ("0.00751", "0.0001", false),
            ("12391239123", "1e-8", true),
            ("1e308", "0.123456789", false),
            ("18446744073709551615", "5", true),
            ("0", "7", true),
            ("3", "20", false),
        ] {
            assert_eq!(decimal(value).is_multiple_of(decimal(step)), expected, "{value} by {step}");
        }
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        let read = |text: &str| count(&from_str::<Number>(text).unwrap());
        assert_eq!(read("3"), Some(3));
        assert_eq!(read("2.0"), Some(2));
        assert_eq!(read("1e3"), Some(1000));
        assert_eq!(read("-1"), None);
        assert_eq!(read("1.5"), None);
        assert_eq!(read("1e300"), Some(u64::MAX));
    }

    proptest! {
        #[test]
        fn order_is_that_of_floats(left in any::<f64>(), right in any::<f64>()) {
            let of = |float: f64| Number::from_f64(float).map(|number| Decimal::of(&number));
            if let (Some(first), Some(second)) = (of(left), of(right)) {
                prop_assert_eq!(Some(first.cmp(&second)), left.partial_cmp(&right));
            }
        }

        #[test]
        fn order_is_that_of_integers(left in any::<i64>(), right in any::<i64>()) {
            prop_assert_eq!(Decimal::of(&left.into()).cmp(&Decimal::of(&right.into())), left.cmp(&right));
        }

        #[test]
        fn hundredths_divide_prices(cents in 0_u64..10_000_000, rest in 1_u64..10) {
            let price = decimal(&format!("{}.{:02}", cents / 100, cents % 100));
            prop_assert!(price.is_multiple_of(decimal("0.01")));
            let finer = decimal(&format!("{}.{:02}{rest}", cents / 100, cents % 100));
            prop_assert!(!finer.is_multiple_of(decimal("0.01")));
            prop_assert_eq!(price.cmp(&finer), Ordering::Less);
        }
    }
}
