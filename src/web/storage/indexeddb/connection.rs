//! A connection to one database.

use super::happened::Happened;
use super::{Durability, failed};
use crate::error::{Code, Error, Result};
use crate::web::kind::kind;
use crate::web::thrown::Thrown;
use crate::web::timer::Timers;
use futures_util::future::{Either, select};
use js_sys::{Function, Object, Reflect, global};
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{IdbDatabase, IdbFactory, IdbOpenDbRequest, IdbTransaction, IdbTransactionMode};

/// The one object store.
pub(super) const STORE: &str = "pairs";
/// The version of the database's layout: since 2 values may be Blobs. What the values hold has versions of its own.
const VERSION: u32 = 2;

/// How long other tabs may take to let go of a database of an earlier version, and how long the browser may say nothing.
const BLOCKED_MS: u32 = 5_000;
const UNANSWERED_MS: u32 = 60_000;
const BLOCKED: &str = "another tab seems to keep the IndexedDB database open with an earlier version of this library; close that tab or reload it, and open the memory again";

/// An open database; dropping it closes it after the transactions under way.
#[derive(Debug)]
pub(super) struct Connection {
    database: IdbDatabase,
    open: Rc<Cell<bool>>,
    /// Called when the browser has closed the connection, or another tab asks for it.
    _lost: Closure<dyn FnMut()>,
}

impl Connection {
    pub(super) async fn open(name: &str) -> Result<Self> {
        let timers = Timers::new()?;
        let request =
            factory()?.open_with_u32(name, VERSION).map_err(|error| refused(&Thrown::new(&error)))?;
        let on_upgrade = Closure::<dyn FnMut()>::new({
            let request = request.clone();
            move || {
                let database = request.result().map(JsCast::unchecked_into::<IdbDatabase>);
                let made = database.and_then(|database| {
                    let is_there = database.object_store_names().contains(STORE);
                    if is_there { Ok(()) } else { database.create_object_store(STORE).map(drop) }
                });
                // A failed upgrade is undone, so that no database without its store is left; the open request then fails.
                if let (Err(_), Some(upgrade)) = (made, request.transaction()) {
                    upgrade.abort().ok();
                }
            }
        });
        request.set_onupgradeneeded(Some(on_upgrade.as_ref().unchecked_ref()));
        let answered = pin!(Happened::first(&request, &["success", "error"]));
        let patience = pin!(async {
            // A tab of an earlier build closes the database when it hears of this; one that the browser has suspended does not hear it,
            // and keeps waiting whoever asks next as well.
            let blocked = pin!(Happened::first(&request, &["blocked"]));
            if let Either::Left(_) = select(blocked, pin!(timers.sleep(UNANSWERED_MS))).await {
                timers.sleep(BLOCKED_MS).await;
            }
        });
        let Either::Left((ended, _)) = select(answered, patience).await else {
            // It may still be opened, and must not be made without its store then.
            on_upgrade.forget();
            close_when_open(&request);
            return Err(Error::new(Code::Storage, BLOCKED));
        };
        request.set_onupgradeneeded(None);
        if ended == "success" { Self::new(&request) } else { Err(refusal(&request)) }
    }

    fn new(request: &IdbOpenDbRequest) -> Result<Self> {
        let database: IdbDatabase =
            request.result().map_err(|error| refused(&Thrown::new(&error)))?.unchecked_into();
        let open = Rc::new(Cell::new(true));
        let lost = Closure::<dyn FnMut()>::new({
            let (database, open) = (database.clone(), open.clone());
            move || {
                open.set(false);
                database.close();
            }
        });
        database.set_onversionchange(Some(lost.as_ref().unchecked_ref()));
        database.set_onclose(Some(lost.as_ref().unchecked_ref()));
        Ok(Self { database, open, _lost: lost })
    }

    /// Whether nobody has closed it, as far as is known.
    pub(super) fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Begins a transaction; browsers that know no durability ignore it.
    pub(super) fn transaction(
        &self,
        mode: IdbTransactionMode,
        durability: Durability,
    ) -> Result<IdbTransaction, Thrown> {
        let durability = match durability {
            Durability::Strict => "strict",
            Durability::Relaxed => "relaxed",
        };
        let begin = || {
            let options = Object::new();
            Reflect::set(&options, &"durability".into(), &durability.into())?;
            // web-sys has no stable binding with options yet.
            let transaction: Function = Reflect::get(&self.database, &"transaction".into())?.unchecked_into();
            transaction.call3(&self.database, &STORE.into(), &mode.into(), &options)
        };
        begin().map(JsCast::unchecked_into).map_err(|error| Thrown::new(&error))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.database.set_onversionchange(None);
        self.database.set_onclose(None);
        self.database.close();
    }
}

/// Closes what nobody waits for any more as soon as it is open.
fn close_when_open(request: &IdbOpenDbRequest) {
    let opened = request.clone();
    let close = Closure::once_into_js(move || {
        opened.result().map(JsCast::unchecked_into::<IdbDatabase>).iter().for_each(IdbDatabase::close);
    });
    request.set_onsuccess(Some(close.unchecked_ref()));
}

/// The factory of the page or worker.
fn factory() -> Result<IdbFactory> {
    let factory =
        Reflect::get(&global(), &"indexedDB".into()).map_err(|error| refused(&Thrown::new(&error)))?;
    if factory.is_object() {
        return Ok(factory.unchecked_into());
    }
    Err(Error::new(
        Code::Storage,
        format!(
            "there is no IndexedDB here (indexedDB is {}); use localStorage, memory or a storage object",
            kind(&factory)
        ),
    ))
}

fn refusal(request: &IdbOpenDbRequest) -> Error {
    match request.error() {
        Ok(Some(error)) => refused(&Thrown::new(&error)),
        Ok(None) => Error::new(Code::Storage, "the browser did not open IndexedDB and gave no reason"),
        Err(error) => refused(&Thrown::new(&error)),
    }
}

/// A failure to open; what has no code of its own is most likely a private mode.
fn refused(thrown: &Thrown) -> Error {
    let error = failed(thrown);
    if error.code != Code::Storage {
        return error;
    }
    Error::new(
        Code::Storage,
        format!(
            "the browser refused to open IndexedDB ({thrown}); private modes and embedded frames may: use localStorage or memory there"
        ),
    )
}
