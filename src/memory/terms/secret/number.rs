//! Numbers in groups, and payment cards.

/// The most digits of a number that is a secret.
const MOST: usize = 19;

/// Digits that were read, and where they end in the text.
pub(super) struct Number {
    digits: [u8; MOST],
    count: usize,
    /// Where the text goes on.
    pub(super) end: usize,
}

impl Number {
    /// Its digits.
    pub(super) fn digits(&self) -> &[u8] {
        self.digits.get(..self.count).unwrap_or_default()
    }

    /// Some of its digits as a number.
    pub(super) fn part(&self, from: usize, to: usize) -> u64 {
        let digits = self.digits().get(from..to).unwrap_or_default();
        digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(*digit))
    }
}

/// The value of a digit; those of full width count too.
pub(super) fn digit(letter: char) -> Option<u8> {
    let value = match letter {
        '0'..='9' => u32::from(letter) - u32::from('0'),
        '\u{ff10}'..='\u{ff19}' => u32::from(letter) - 0xff10,
        _ => return None,
    };
    u8::try_from(value).ok()
}

/// How many digits follow one another from `start` on; a few more than a secret may have are enough to know.
pub(super) fn run(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default().chars();
    rest.take(MOST + 1).take_while(|letter| digit(*letter).is_some()).count()
}

/// Reads groups of so many digits with the same single space or hyphen between them. What stands before and after must not go on
/// with a number or a word.
pub(super) fn read(text: &str, start: usize, groups: &[usize]) -> Option<Number> {
    let mut number = Number { digits: [0; MOST], count: 0, end: start };
    let mut letters = text.get(start..)?.chars();
    let mut between = None;
    for (place, group) in groups.iter().enumerate() {
        if place > 0 {
            let letter = letters.next().filter(|letter| is_between(*letter))?;
            if *between.get_or_insert(letter) != letter {
                return None;
            }
        }
        for _ in 0..*group {
            *number.digits.get_mut(number.count)? = digit(letters.next()?)?;
            number.count += 1;
        }
    }
    number.end = text.len() - letters.as_str().len();
    (is_free_before(text, start) && is_free_after(letters.as_str())).then_some(number)
}

pub(super) fn is_between(letter: char) -> bool {
    matches!(letter, ' ' | '-' | '\u{a0}' | '\u{2010}' | '\u{2011}' | '\u{ff0d}')
}

/// Whether a number may begin here.
pub(super) fn is_free_before(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().chars().next_back();
    !before.is_some_and(|letter| {
        letter.is_ascii_alphanumeric()
            || matches!(letter, '.' | ',' | '-' | '_' | '/' | '+' | '#' | '$' | '€' | '£' | '¥' | '%' | '@')
            || digit(letter).is_some()
    })
}

/// Whether a number may end before this.
pub(super) fn is_free_after(rest: &str) -> bool {
    let mut letters = rest.chars();
    let Some(next) = letters.next() else { return true };
    match next {
        '.' | ',' | '-' | '/' | ':' => !letters.next().is_some_and(|letter| letter.is_ascii_alphanumeric()),
        '_' | '%' | '@' => false,
        letter => !letter.is_ascii_alphanumeric() && digit(letter).is_none(),
    }
}

/// The groups in which cards are written.
const CARDS: &[&[usize]] =
    &[&[16], &[4, 4, 4, 4], &[15], &[4, 6, 5], &[14], &[4, 6, 4], &[19], &[4, 4, 4, 4, 3]];

/// Where the number of a payment card ends that begins at `start`.
pub(super) fn card(text: &str, start: usize, run: usize) -> Option<usize> {
    let fits = |groups: &&&[usize]| groups.first() == Some(&run);
    let mut numbers = CARDS.iter().filter(fits).filter_map(|groups| read(text, start, groups));
    numbers.find(|number| is_issued(number) && luhn(number.digits())).map(|number| number.end)
}

/// Whether an issuer of cards has numbers that begin like this and have this length.
fn is_issued(number: &Number) -> bool {
    let first = number.part(0, 4);
    match number.count {
        14 => matches!(first, 3000..=3059 | 3095 | 3600..=3699 | 3800..=3999),
        15 => matches!(first, 3400..=3499 | 3700..=3799),
        16 => matches!(
            first,
            2200..=2204 | 2221..=2720 | 3528..=3589 | 4000..=4999 | 5100..=5599 | 6011 | 6200..=6299 | 6440..=6599 | 9792
        ),
        19 => matches!(first, 4000..=4999 | 6011 | 6200..=6299 | 6440..=6599),
        _ => false,
    }
}

/// The check digit of cards (ISO/IEC 7812).
pub(super) fn luhn(digits: &[u8]) -> bool {
    let doubled = |(place, digit): (usize, &u8)| match *digit * 2 {
        twice if place % 2 == 1 && twice > 9 => twice - 9,
        twice if place % 2 == 1 => twice,
        _ => *digit,
    };
    digits.iter().rev().enumerate().map(doubled).map(u32::from).sum::<u32>().is_multiple_of(10)
}
