//! Reads a regular expression into a tree.

use super::class::{Class, Item, Kind};
use std::iter::Peekable;
use std::str::Chars;

/// Groups that may be open inside each other.
const MAX_NESTING: usize = 40;

/// Times that a count may ask for.
const MAX_COUNT: u32 = 10_000;

/// A part of a regular expression.
#[derive(Debug)]
pub(super) enum Tree {
    /// One character of the class with this number.
    One(usize),
    /// One after the other; matches nothing at all when empty.
    Sequence(Vec<Tree>),
    /// One or the other.
    Either(Vec<Tree>),
    /// Again and again.
    Repeat { inner: Box<Tree>, least: u32, most: Option<u32> },
    /// A place between characters.
    Edge(Edge),
    /// Look-ahead.
    Look { inner: Box<Tree>, negated: bool },
}

/// A place between characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// `^`
    Start,
    /// `$`
    End,
    /// `\b`
    Word,
    /// `\B`
    NoWord,
}

/// A piece of an expression that stands for one character or for a set of them.
enum Escaped {
    Code(u32),
    Kind(Kind, bool),
}

/// The reader: what is left of the expression, and the classes met so far.
pub(super) struct Parser<'s> {
    rest: Peekable<Chars<'s>>,
    classes: Vec<Class>,
    depth: usize,
}

/// What a step of reading answers, or the end of a sentence that begins "it is ..., which".
pub(super) type Parsed<T> = Result<T, &'static str>;

impl<'s> Parser<'s> {
    /// Reads the whole of `source`; the classes are those that [`Tree::One`] numbers.
    #[cold]
    #[inline(never)]
    pub(super) fn parse(source: &'s str) -> Parsed<(Tree, Vec<Class>)> {
        let mut parser = Self { rest: source.chars().peekable(), classes: Vec::new(), depth: 0 };
        let tree = parser.either()?;
        match parser.rest.next() {
            None => Ok((tree, parser.classes)),
            Some(_) => Err("closes a group that is not open; write \\) for the character"),
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    /// Takes `wanted` if it comes next as a whole.
    #[cold]
    #[inline(never)]
    fn eat_all(&mut self, wanted: &str) -> bool {
        let mut ahead = self.rest.clone();
        let comes = wanted.chars().all(|character| ahead.next() == Some(character));
        if comes {
            self.rest = ahead;
        }
        comes
    }

    #[cold]
    #[inline(never)]
    fn either(&mut self) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err("nests more than 40 groups");
        }
        let first = self.sequence()?;
        let tree = if self.rest.peek() == Some(&'|') {
            let mut branches = vec![first];
            while self.eat('|') {
                branches.push(self.sequence()?);
            }
            Tree::Either(branches)
        } else {
            first
        };
        self.depth -= 1;
        Ok(tree)
    }

    #[cold]
    #[inline(never)]
    fn sequence(&mut self) -> Parsed<Tree> {
        let mut parts = Vec::new();
        while self.rest.peek().is_some_and(|next| !matches!(next, '|' | ')')) {
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(Tree::Sequence(parts))
    }

    #[cold]
    #[inline(never)]
    fn repeated(&mut self, atom: Tree) -> Parsed<Tree> {
        let counts = match self.rest.peek() {
            Some('*') => Some((0, None)),
            Some('+') => Some((1, None)),
            Some('?') => Some((0, Some(1))),
            Some('{') => self.counts()?,
            _ => return Ok(atom),
        };
        // A brace that is no count stands for itself and is the next atom.
        let Some((least, most)) = counts else { return Ok(atom) };
        self.rest.next();
        // Greedy or lazy, the same texts match.
        self.eat('?');
        if matches!(atom, Tree::Edge(_) | Tree::Look { .. })
            || matches!(self.rest.peek(), Some('*' | '+' | '?'))
        {
            return Err("repeats what cannot be repeated");
        }
        Ok(Tree::Repeat { inner: Box::new(atom), least, most })
    }

    /// Reads `{2}`, `{2,}` or `{2,5}` up to its closing brace; nothing, and nothing read, when it is none of these.
    #[cold]
    #[inline(never)]
    fn counts(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        let mut ahead = self.rest.clone();
        ahead.next();
        let least = number(&mut ahead)?;
        let most = if ahead.next_if_eq(&',').is_some() { number(&mut ahead)? } else { least };
        let (Some(least), Some('}')) = (least, ahead.peek()) else { return Ok(None) };
        if most.is_some_and(|most| most < least) {
            return Err("has a count whose end is before its start");
        }
        self.rest = ahead;
        Ok(Some((least, most)))
    }

    #[cold]
    #[inline(never)]
    fn class(&mut self, class: Class) -> Tree {
        let known = self.classes.iter().position(|known| *known == class);
        Tree::One(known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        }))
    }

    #[cold]
    #[inline(never)]
    fn atom(&mut self) -> Parsed<Tree> {
        let class = match self.rest.next() {
            Some('^') => return Ok(Tree::Edge(Edge::Start)),
            Some('$') => return Ok(Tree::Edge(Edge::End)),
            Some('(') => return self.group(),
            Some('*' | '+' | '?') => return Err("repeats nothing; write \\* for the character"),
            Some('.') => Class::of(Kind::LineEnd, true),
            Some('[') => self.set()?,
            Some('\\') if self.eat('b') => return Ok(Tree::Edge(Edge::Word)),
            Some('\\') if self.eat('B') => return Ok(Tree::Edge(Edge::NoWord)),
            Some('\\') => match self.escaped()? {
                Escaped::Code(code) => Class::one(code),
                Escaped::Kind(kind, negated) => Class::of(kind, negated),
            },
            Some(literal) => Class::one(u32::from(literal)),
            None => return Ok(Tree::Sequence(Vec::new())),
        };
        Ok(self.class(class))
    }

    #[cold]
    #[inline(never)]
    fn group(&mut self) -> Parsed<Tree> {
        let mut look = None;
        if self.eat('?') {
            if self.eat_all("<=") || self.eat_all("<!") {
                return Err("looks behind, which is not supported; match forward instead");
            } else if self.eat('=') {
                look = Some(false);
            } else if self.eat('!') {
                look = Some(true);
            } else if self.eat('<') {
                if !self.rest.by_ref().any(|character| character == '>') {
                    return Err("names a group without end");
                }
            } else if !self.eat(':') {
                return Err("has a group that starts with (? and is not supported");
            }
        }
        let inner = self.either()?;
        if !self.eat(')') {
            return Err("opens a group that is not closed; write \\( for the character");
        }
        Ok(match look {
            Some(negated) => Tree::Look { inner: Box::new(inner), negated },
            None => inner,
        })
    }

    /// Reads what follows `[`.
    #[cold]
    #[inline(never)]
    fn set(&mut self) -> Parsed<Class> {
        let negated = self.eat('^');
        let mut items = Vec::new();
        while !self.eat(']') {
            let first = self.member()?;
            let mut ahead = self.rest.clone();
            let is_range = ahead.next() == Some('-') && ahead.peek().is_some_and(|next| *next != ']');
            let Escaped::Code(start) = first else {
                items.push(item(&first));
                continue;
            };
            if !is_range {
                items.push(item(&first));
                continue;
            }
            self.rest = ahead;
            match self.member()? {
                Escaped::Code(end) if end >= start => items.push(Item::Range(start, end)),
                Escaped::Code(_) => return Err("has a range whose end is before its start"),
                kind @ Escaped::Kind(..) => {
                    items.extend([item(&first), item(&Escaped::Code(45)), item(&kind)])
                }
            }
        }
        Ok(Class { negated, items })
    }

    fn member(&mut self) -> Parsed<Escaped> {
        match self.rest.next() {
            Some('\\') if self.eat('b') => Ok(Escaped::Code(8)),
            Some('\\') => self.escaped(),
            Some(literal) => Ok(Escaped::Code(u32::from(literal))),
            None => Err("opens a set that is not closed; write \\[ for the character"),
        }
    }

    /// Reads what follows a backslash.
    #[cold]
    #[inline(never)]
    fn escaped(&mut self) -> Parsed<Escaped> {
        let Some(letter) = self.rest.next() else { return Err("ends in a backslash") };
        Ok(match letter {
            'd' | 'D' => Escaped::Kind(Kind::Digit, letter == 'D'),
            'w' | 'W' => Escaped::Kind(Kind::Word, letter == 'W'),
            's' | 'S' => Escaped::Kind(Kind::Space, letter == 'S'),
            'p' | 'P' => Escaped::Kind(self.property()?, letter == 'P'),
            't' => Escaped::Code(9),
            'n' => Escaped::Code(10),
            'v' => Escaped::Code(11),
            'f' => Escaped::Code(12),
            'r' => Escaped::Code(13),
            'c' => match self.rest.next() {
                Some(letter) if letter.is_ascii_alphabetic() => Escaped::Code(u32::from(letter) % 32),
                _ => return Err("has a \\c without a letter"),
            },
            'x' => Escaped::Code(self.hex(2)?),
            'u' => Escaped::Code(self.unicode()?),
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => Escaped::Code(0),
            'k' | '0'..='9' => {
                return Err("refers back to a group, which is not supported; spell it out");
            }
            other if other.is_ascii_alphabetic() => return Err("has an unknown escape"),
            other => Escaped::Code(u32::from(other)),
        })
    }

    #[cold]
    #[inline(never)]
    fn property(&mut self) -> Parsed<Kind> {
        let mut name = String::new();
        if self.eat('{') {
            name.extend(self.rest.by_ref().take_while(|character| *character != '}'));
        }
        Kind::named(&name).ok_or("asks for a Unicode property that is not supported; L, N and ASCII are")
    }

    #[cold]
    #[inline(never)]
    fn hex(&mut self, digits: usize) -> Parsed<u32> {
        (0..digits).try_fold(0, |code, _| {
            let digit = self.rest.next().and_then(|character| character.to_digit(16));
            digit.map(|digit| code * 16 + digit).ok_or("has a \\x or \\u without its digits")
        })
    }

    /// Reads what follows `\u`: four digits, two halves of a surrogate pair, or digits in braces.
    #[cold]
    #[inline(never)]
    fn unicode(&mut self) -> Parsed<u32> {
        if self.eat('{') {
            let digits: String = self.rest.by_ref().take_while(|character| *character != '}').collect();
            let code = u32::from_str_radix(&digits, 16).ok().filter(|code| *code <= 0x10_ffff);
            return code.ok_or("has a \\u{...} that is not a code point");
        }
        let high = self.hex(4)?;
        if (0xd800..0xdc00).contains(&high) {
            let before = self.rest.clone();
            if self.eat_all("\\u")
                && let Ok(low @ 0xdc00..0xe000) = self.hex(4)
            {
                return Ok(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.rest = before;
        }
        Ok(high)
    }
}

fn item(escaped: &Escaped) -> Item {
    match *escaped {
        Escaped::Code(code) => Item::Range(code, code),
        Escaped::Kind(kind, negated) => Item::Kind { kind, negated },
    }
}

/// Reads digits; nothing when there are none.
fn number(rest: &mut Peekable<Chars<'_>>) -> Parsed<Option<u32>> {
    let mut value: Option<u32> = None;
    while let Some(digit) = rest.peek().and_then(|character| character.to_digit(10)) {
        rest.next();
        let longer = value.unwrap_or(0) * 10 + digit;
        if longer > MAX_COUNT {
            return Err("repeats more than 10000 times; use maxLength");
        }
        value = Some(longer);
    }
    Ok(value)
}
