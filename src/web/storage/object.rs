//! A storage that the application brings along as a JavaScript object.

use crate::error::{Code, Error, Result};
use crate::ports::{Batch, Pairs, Pending, ReadAt, Storage};
use crate::web::given::{self, is_array};
use crate::web::kind::{kind, length};
use crate::web::thrown::Thrown;
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// The largest head counter that a JavaScript number holds exactly.
const MAX_HEAD: u64 = (1 << 53) - 1;

/// A [`Storage`] over an object of the application: Durable Object storage, SQLite on a server, a file.
///
/// ```ts
/// type StorageObject = {
///   // all pairs with start <= key < end, ordered by key
///   read(start: string, end: string): Array<[string, Uint8Array]> | Promise<Array<[string, Uint8Array]>>;
///   // in one transaction: compare the head, put in order, delete; fail with an Error whose name or code is
///   // "Conflict" or "QuotaExceeded" having changed nothing
///   write(batch: { puts: Array<[string, Uint8Array]>, deletes: string[] }, expectedHead: number): void | Promise<void>;
///   // at once: up to `length` bytes of a value from `offset` on; undefined when there is no such key
///   readAt?(key: string, offset: number, length: number): Uint8Array | undefined;
///   close?(): void;
/// };
/// ```
///
/// The stored head is the first eight bytes of the value under `head`, little-endian, and 0 when there is none. What the
/// object answers is checked. It is asked with no time limit: an object that never answers makes its callers wait, but
/// `close` does not wait for it.
#[derive(Debug)]
pub struct ObjectStorage {
    object: JsValue,
    read: Function,
    write: Function,
    close: Option<Function>,
    reader: Option<Rc<ObjectReader>>,
}

impl ObjectStorage {
    /// Takes the object and looks its functions up; none is called yet.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] when the value is no object or lacks `read` or `write`, or when its `close` is no function.
    pub fn new(object: JsValue) -> Result<Self> {
        let invalid = |what: String| {
            Error::new(
                Code::InvalidInput,
                format!(
                    "a storage object needs the functions read and write, and may have readAt and close; {what}"
                ),
            )
        };
        if !object.is_object() {
            return Err(invalid(format!("this is {}", kind(&object))));
        }
        let method = |name: &str| {
            Reflect::get(&object, &name.into())
                .map_err(|error| invalid(format!("its {name} throws: {}", Thrown::new(&error))))
        };
        let function = |name: &str, value: JsValue| {
            value.dyn_into::<Function>().map_err(|value| invalid(format!("its {name} is {}", kind(&value))))
        };
        let read = function("read", method("read")?)?;
        let write = function("write", method("write")?)?;
        let perhaps = |name: &str| match method(name)? {
            absent if absent.is_undefined() || absent.is_null() => Ok(None),
            value => function(name, value).map(Some),
        };
        let (close, read_at) = (perhaps("close")?, perhaps("readAt")?);
        let reader = read_at.map(|read_at| Rc::new(ObjectReader { object: object.clone(), read_at }));
        Ok(Self { object, read, write, close, reader })
    }

    /// Calls a method and waits for its answer, whether it is a promise or not.
    async fn call(&self, method: &Function, first: &JsValue, second: &JsValue) -> Result<JsValue, Thrown> {
        let answer = method.call2(&self.object, first, second).map_err(|error| Thrown::new(&error))?;
        given::answer(&answer).await.map_err(|error| Thrown::new(&error))
    }
}

impl Storage for ObjectStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        Box::pin(async move {
            if start >= end {
                return Ok(Vec::new());
            }
            let answer =
                self.call(&self.read, &start.into(), &end.into()).await.map_err(|thrown| unread(&thrown))?;
            pairs(&answer, start, end)
        })
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            if expected_head > MAX_HEAD {
                return Err(Error::new(
                    Code::Storage,
                    format!(
                        "head {expected_head} is more than a JavaScript number can hold ({MAX_HEAD}); export and start anew"
                    ),
                ));
            }
            let batch = plain(batch).map_err(|error| {
                Error::new(
                    Code::Storage,
                    format!("the storage object cannot be given its batch: {}", Thrown::new(&error)),
                )
            })?;
            #[expect(clippy::cast_precision_loss, reason = "at most MAX_HEAD")]
            let head = JsValue::from(expected_head as f64);
            self.call(&self.write, &batch, &head)
                .await
                .map(drop)
                .map_err(|thrown| refused(&thrown, expected_head))
        })
    }

    fn reader(&self) -> Option<Rc<dyn ReadAt>> {
        Some(self.reader.clone()?)
    }

    fn close(&self) {
        let Some(close) = &self.close else { return };
        match close.call0(&self.object) {
            Ok(answer) => {
                let answer = given::answer(&answer);
                wasm_bindgen_futures::spawn_local(async move {
                    if let Err(error) = answer.await {
                        report_close(&error);
                    }
                });
            }
            Err(error) => report_close(&error),
        }
    }
}

/// The `readAt` of an object.
#[derive(Debug)]
struct ObjectReader {
    object: JsValue,
    read_at: Function,
}

impl ReadAt for ObjectReader {
    fn read_at(&self, key: &str, offset: usize, length: usize) -> Result<Option<Vec<u8>>> {
        // A value has about a MiB.
        let (from, count) = (JsValue::from(offset as u32), JsValue::from(length as u32));
        let failed = |what: String| {
            let message = format!("the storage object's readAt({key}, {offset}, {length}) {what}");
            Error::new(Code::Storage, message)
        };
        match self.read_at.call3(&self.object, &key.into(), &from, &count) {
            Ok(absent) if absent.is_undefined() => Ok(None),
            Ok(answer) => given::bytes(&answer)
                .map(Some)
                .map_err(|what| failed(format!("answered {what}; it must answer a Uint8Array or undefined"))),
            Err(error) => Err(failed(format!("threw: {}", Thrown::new(&error)))),
        }
    }
}

/// Nobody is waiting for `close` any more, so its failure goes where the application's author looks.
fn report_close(error: &JsValue) {
    web_sys::console::error_2(&"mnemic: the storage object's close failed:".into(), error);
}

/// What the failure of `read` means.
fn unread(thrown: &Thrown) -> Error {
    let code =
        [Code::Corrupt, Code::UnsupportedVersion].into_iter().find(|code| thrown.code == code.as_str());
    match code {
        Some(code) => Error::new(code, thrown.message.clone()),
        None => Error::new(Code::Storage, format!("the storage could not read: {}", told(thrown))),
    }
}

/// What the failure of `write` means.
fn refused(thrown: &Thrown, expected_head: u64) -> Error {
    if thrown.is("Conflict") {
        return Error::new(
            Code::Conflict,
            format!(
                "the storage object's head is not {expected_head} ({}); read what was written and try again",
                thrown.message
            ),
        )
        .with("expectedHead", expected_head);
    }
    // What an object says of its own limit says what to do, too.
    if thrown.is("QuotaExceeded") {
        return Error::new(Code::QuotaExceeded, format!("the storage is full: {}", thrown.message));
    }
    if thrown.is_quota() {
        return Error::new(
            Code::QuotaExceeded,
            format!("the storage is full ({thrown}); give it more room: forgetting needs some too"),
        );
    }
    Error::new(Code::Storage, format!("the storage could not write: {}", told(thrown)))
}

/// What was thrown, without the class that the error told of it has too.
fn told(thrown: &Thrown) -> String {
    if thrown.code == Code::Storage.as_str() { thrown.message.clone() } else { thrown.to_string() }
}

/// Pairs as JavaScript sees them.
pub(in crate::web) fn plain_pairs(pairs: &[(String, Vec<u8>)]) -> Array {
    pairs.iter().map(|(key, value)| Array::of2(&key.into(), &Uint8Array::from(value.as_slice()))).collect()
}

/// The batch as the object sees it.
fn plain(batch: &Batch) -> Result<JsValue, JsValue> {
    let puts = plain_pairs(&batch.puts);
    let deletes: Array = batch.deletes.iter().map(JsValue::from).collect();
    let object = Object::new();
    Reflect::set(&object, &"puts".into(), &puts)?;
    Reflect::set(&object, &"deletes".into(), &deletes)?;
    Ok(object.into())
}

/// A batch that JavaScript made; `None` when it is not of that form.
pub(in crate::web) fn batch_of(value: &JsValue) -> Option<Batch> {
    let list = |name: &str| Reflect::get(value, &name.into()).ok()?.dyn_into::<Array>().ok();
    let pair = |pair: JsValue| {
        let pair = pair.dyn_into::<Array>().ok()?;
        Some((pair.get(0).as_string()?, given::bytes(&pair.get(1)).ok()?))
    };
    Some(Batch {
        puts: list("puts")?.iter().map(pair).collect::<Option<_>>()?,
        deletes: list("deletes")?.iter().map(|key| key.as_string()).collect::<Option<_>>()?,
    })
}

/// Checks and copies what `read` answered.
fn pairs(answer: &JsValue, start: &str, end: &str) -> Result<Pairs> {
    let wrong = |what: String| {
        Error::new(
            Code::Storage,
            format!(
                "the storage object's read({start}, {end}) answered {what}; it must answer an array of [string, Uint8Array], ordered by key"
            ),
        )
    };
    let item = |of: &JsValue, index: u32| {
        Reflect::get_u32(of.unchecked_ref(), index)
            .map_err(|error| wrong(format!("an array that throws: {}", Thrown::new(&error))))
    };
    let length = length(answer).filter(|_| is_array(answer)).ok_or_else(|| wrong(kind(answer)))?;
    let mut pairs = Pairs::new();
    for index in 0..length {
        let pair = item(answer, index)?;
        if !is_array(&pair) {
            return Err(wrong(format!("{} as pair {index}", kind(&pair))));
        }
        let (key, value) = (item(&pair, 0)?, item(&pair, 1)?);
        let key = key.as_string().ok_or_else(|| wrong(format!("{} as key {index}", kind(&key))))?;
        if key.as_str() < start || key.as_str() >= end {
            return Err(wrong(format!("the key {key:?}, which is out of range")));
        }
        if let Some((last, _)) = pairs.last().filter(|(last, _)| *last >= key) {
            return Err(wrong(format!("the key {key:?} after {last:?}, out of order")));
        }
        let bytes = given::bytes(&value).map_err(|what| wrong(format!("{what} as the value of {key:?}")))?;
        pairs.push((key, bytes));
    }
    Ok(pairs)
}
