//! AES-256-GCM by another implementation than the browser's, and keys that a test names.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use mnemic::ports::{Cipher, CipherKey, KeySource, Pending};
use mnemic::vault::Encryption;
use mnemic::{Code, Error, Result};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;

/// AES-256-GCM.
pub(crate) struct NativeCipher;

struct NativeKey(Aes256Gcm);

impl Cipher for NativeCipher {
    fn import<'a>(&'a self, key: &'a [u8; 32]) -> Pending<'a, Result<Rc<dyn CipherKey>>> {
        Box::pin(ready(Ok(key_of(key))))
    }
}

fn key_of(key: &[u8; 32]) -> Rc<dyn CipherKey> {
    Rc::new(NativeKey(Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(key))))
}

impl CipherKey for NativeKey {
    fn seal<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        plain: &'a [u8],
    ) -> Pending<'a, Result<Vec<u8>>> {
        let payload = Payload { msg: plain, aad: associated };
        Box::pin(ready(Ok(self.0.encrypt(Nonce::from_slice(nonce), payload).unwrap())))
    }

    fn open<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        sealed: &'a [u8],
    ) -> Pending<'a, Result<Option<Vec<u8>>>> {
        let payload = Payload { msg: sealed, aad: associated };
        Box::pin(ready(Ok(self.0.decrypt(Nonce::from_slice(nonce), payload).ok())))
    }
}

/// A passphrase whose derivation is quick: it is repeated until it is long enough, behind a salt.
pub(crate) struct Passphrase {
    words: String,
    /// How often the key was asked for.
    pub(crate) asked: Cell<u8>,
}

impl Passphrase {
    pub(crate) fn new(words: &str) -> Rc<Self> {
        Rc::new(Self { words: words.to_owned(), asked: Cell::new(0) })
    }
}

impl KeySource for Passphrase {
    fn key<'a>(&'a self, description: Option<&'a str>) -> Pending<'a, Result<(Rc<dyn CipherKey>, String)>> {
        self.asked.set(self.asked.get() + 1);
        let salt = description.map_or_else(|| format!("test/{}", self.asked.get()), str::to_owned);
        if !salt.starts_with("test/") {
            return Box::pin(ready(Err(Error::new(Code::WrongKey, "another source is needed"))));
        }
        let mut key = [0; 32];
        let words = format!("{salt}{}", self.words);
        for (byte, word) in key.iter_mut().zip(words.bytes().cycle()) {
            *byte = word;
        }
        Box::pin(ready(Ok((key_of(&key), salt))))
    }
}

/// Encryption by a passphrase.
pub(crate) fn encryption(words: &str) -> Encryption {
    Encryption { cipher: Rc::new(NativeCipher), source: Passphrase::new(words) }
}
