//! The kinds of secrets.

use serde::{Serialize, Serializer};

/// A kind of secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    /// A key or token of a service.
    Key = 1,
    /// A private key block.
    PrivateKey = 2,
    /// The number of a payment card.
    Card = 4,
    /// A password, a PIN or a card's security code.
    Password = 8,
    /// The number of a bank account.
    Iban = 16,
    /// A national identity number.
    NationalId = 32,
}

impl Secret {
    const ALL: [Self; 6] =
        [Self::Key, Self::PrivateKey, Self::Card, Self::Password, Self::Iban, Self::NationalId];

    /// As answers and errors name it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::PrivateKey => "privateKey",
            Self::Card => "card",
            Self::Password => "password",
            Self::Iban => "iban",
            Self::NationalId => "nationalId",
        }
    }

    /// What stands in its place.
    pub(crate) const fn placeholder(self) -> &'static str {
        match self {
            Self::Key => "[key]",
            Self::PrivateKey => "[private key]",
            Self::Card => "[card]",
            Self::Password => "[password]",
            Self::Iban => "[iban]",
            Self::NationalId => "[national id]",
        }
    }
}

/// That an item of a call held a secret of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MaskedAt {
    /// The place of the item in the call, from 0.
    pub index: usize,
    /// `key`, `privateKey`, `card`, `password`, `iban` or `nationalId`.
    pub kind: &'static str,
}

/// Some kinds of secrets, each once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Secrets(u8);

impl Secrets {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0 == 0
    }

    pub(crate) fn insert(&mut self, secret: Secret) {
        self.0 |= secret as u8;
    }

    /// The kinds, in a fixed order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Secret> {
        Secret::ALL.into_iter().filter(move |secret| self.0 & *secret as u8 != 0)
    }
}

impl Serialize for Secrets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Secret::as_str))
    }
}
