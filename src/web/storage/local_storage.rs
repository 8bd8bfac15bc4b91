//! The small fallback where a browser refuses IndexedDB: localStorage.

use super::dense;
use crate::error::{Code, Error, Result};
use crate::ordered::in_order;
use crate::ports::{Batch, HEAD_KEY, Pairs, Pending, Storage, head_counter};
use crate::sort::sorted;
use crate::storage::conflict;
use crate::web::thrown::Thrown;
use gloo_storage::Storage as _;
use wasm_bindgen::JsValue;

/// A [`Storage`] in the page's localStorage, whose room is some 5 million UTF-16 code units per site: in Chromium, 9.8 MB of
/// values.
///
/// Keys are `mnemic:{name}:{key}`, where `%` and `:` in the name are percent-encoded; values are text with 15 bits per
/// character.
///
/// localStorage has no transactions. A write puts in order with the head last, which is the point where it counts, and
/// then deletes. When there is no room, what was put is taken back before the error is reported. After a crash in between,
/// there are keys that the head does not know of; the engine ignores them. Tabs are told apart by the head only as well
/// as the browser shows one tab's writes to another, which may be late: let one tab at a time use such a storage.
#[derive(Debug)]
pub struct LocalStorage {
    items: web_sys::Storage,
    prefix: String,
}

impl LocalStorage {
    /// Opens the storage of this name.
    ///
    /// # Errors
    /// [`Code::Storage`] where there is no localStorage (in workers and on servers) or the browser refuses it.
    pub fn open(name: &str) -> Result<Self> {
        let refused = |why: String| {
            Error::new(
                Code::Storage,
                format!("localStorage cannot be used here ({why}); use IndexedDB or a storage object"),
            )
        };
        let window = web_sys::window().ok_or_else(|| refused("there is no window".to_owned()))?;
        match window.local_storage() {
            Ok(Some(_)) => {}
            Ok(None) => return Err(refused("the browser has none".to_owned())),
            Err(error) => return Err(refused(Thrown::new(&error).to_string())),
        }
        let name = name.replace('%', "%25").replace(':', "%3A");
        Ok(Self { items: gloo_storage::LocalStorage::raw(), prefix: format!("mnemic:{name}:") })
    }

    fn pairs(&self, start: &str, end: &str) -> Result<Pairs> {
        let mut keys = Vec::new();
        for index in 0..self.items.length().map_err(failed)? {
            let item = self.items.key(index).map_err(failed)?;
            if let Some(key) = item.as_deref().and_then(|item| item.strip_prefix(&self.prefix))
                && key >= start
                && key < end
            {
                keys.push(key.to_owned());
            }
        }
        let mut pairs = Vec::with_capacity(keys.len());
        for key in in_order(keys) {
            // A key that another tab has just removed is left out.
            if let Some(text) = self.text(&key)? {
                let value = decoded(&key, &text)?;
                pairs.push((key, value));
            }
        }
        Ok(pairs)
    }

    fn apply(&self, batch: &Batch, expected_head: u64) -> Result<()> {
        let stored = self.text(HEAD_KEY)?.map(|text| decoded(HEAD_KEY, &text)).transpose()?;
        let head = head_counter(stored.as_deref())?;
        if head != expected_head {
            return Err(conflict(expected_head, head));
        }
        let mut replaced = Vec::with_capacity(batch.puts.len());
        for (key, value) in &batch.puts {
            let text = dense::encode(value);
            let old = self.text(key)?;
            if let Err(error) = self.items.set_item(&self.item(key), &text) {
                self.restore(replaced)?;
                return Err(failed(error));
            }
            replaced.push(Replaced { key, old, new_bytes: text.len() });
        }
        for key in &batch.deletes {
            self.items.remove_item(&self.item(key)).map_err(failed)?;
        }
        Ok(())
    }

    /// Takes back what was put.
    ///
    /// New keys go first, then the values that had grown, then those that had shrunk: so there is never more stored than
    /// before the write, and the room suffices.
    fn restore(&self, replaced: Vec<Replaced<'_>>) -> Result<()> {
        let by_growth =
            |a: &Replaced<'_>, b: &Replaced<'_>| a.growth_when_restored().cmp(&b.growth_when_restored());
        for Replaced { key, old, .. } in sorted(&replaced, by_growth) {
            let item = self.item(key);
            match old {
                None => self.items.remove_item(&item),
                Some(old) => self.items.set_item(&item, old),
            }
            .map_err(|error| {
                Error::new(
                    Code::Storage,
                    format!(
                        "localStorage is full and took back no old value for {key} ({}); reopen the memory",
                        Thrown::new(&error)
                    ),
                )
            })?;
        }
        Ok(())
    }

    fn text(&self, key: &str) -> Result<Option<String>> {
        self.items.get_item(&self.item(key)).map_err(failed)
    }

    fn item(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }
}

impl Storage for LocalStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        Box::pin(async move { self.pairs(start, end) })
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move { self.apply(batch, expected_head) })
    }

    fn close(&self) {}
}

/// A put that can be taken back.
struct Replaced<'a> {
    key: &'a str,
    old: Option<String>,
    new_bytes: usize,
}

impl Replaced<'_> {
    /// By how much restoring the old value makes the text longer; the least of all for a key that was not there.
    fn growth_when_restored(&self) -> i64 {
        let signed = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
        self.old.as_ref().map_or(i64::MIN, |old| signed(old.len()) - signed(self.new_bytes))
    }
}

fn decoded(key: &str, text: &str) -> Result<Vec<u8>> {
    dense::decode(text).ok_or_else(|| {
        Error::new(
            Code::Corrupt,
            format!("the localStorage value of {key} was not written by this storage; restore a backup"),
        )
        .with("key", key)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "shaped for map_err")]
fn failed(error: JsValue) -> Error {
    let thrown = Thrown::new(&error);
    if thrown.is_quota() {
        return Error::new(
            Code::QuotaExceeded,
            format!(
                "localStorage is full ({thrown}); remove other items of the site, since forgetting needs room too, or use IndexedDB, which holds far more"
            ),
        );
    }
    Error::new(Code::Storage, format!("localStorage failed: {thrown}"))
}
