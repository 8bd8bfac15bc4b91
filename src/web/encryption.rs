//! Encryption by the runtime's WebCrypto, with keys that the application's side derives.

use crate::error::{Code, Error, Result};
use crate::ports::{Cipher, CipherKey, KeySource, Loaded, Pending, Sealing};
use crate::vault::Encryption;
use crate::web::thrown::Thrown;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array, global};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CryptoKey, SubtleCrypto};

/// Encryption whose key a function gives: it is called with a stored description or `undefined`, and answers a promise of a
/// `CryptoKey` and its description.
///
/// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
pub fn encryption(_: Loaded<Sealing>, key: Function) -> Result<Encryption> {
    let crypto = Reflect::get(&global(), &"crypto".into()).unwrap_or_default();
    let subtle = Reflect::get(&crypto, &"subtle".into()).unwrap_or_default();
    if subtle.is_falsy() {
        return Err(Error::new(
            Code::InvalidInput,
            "there is no crypto.subtle, which browsers give to https pages alone; serve the page by https, or leave encryption out",
        ));
    }
    let subtle: SubtleCrypto = subtle.unchecked_into();
    Ok(Encryption {
        cipher: Rc::new(WebCipher(subtle.clone())),
        source: Rc::new(KeyCallback { function: key, subtle }),
    })
}

struct WebCipher(SubtleCrypto);

struct WebKey {
    subtle: SubtleCrypto,
    key: CryptoKey,
}

struct KeyCallback {
    function: Function,
    subtle: SubtleCrypto,
}

impl Cipher for WebCipher {
    fn import<'a>(&'a self, key: &'a [u8; 32]) -> Pending<'a, Result<Rc<dyn CipherKey>>> {
        let usages = Array::of2(&"encrypt".into(), &"decrypt".into());
        let bytes: Object = Uint8Array::from(key.as_slice()).into();
        let begun = self.0.import_key_with_str("raw", &bytes, "AES-GCM", false, &usages);
        Box::pin(async move {
            let key = JsFuture::from(begun.map_err(refused)?).await.map_err(refused)?;
            let key: Rc<dyn CipherKey> =
                Rc::new(WebKey { subtle: self.0.clone(), key: key.unchecked_into() });
            Ok(key)
        })
    }
}

impl CipherKey for WebKey {
    fn seal<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        plain: &'a [u8],
    ) -> Pending<'a, Result<Vec<u8>>> {
        let how = parameters(nonce, associated);
        let begun = self.subtle.encrypt_with_object_and_u8_array(&how, &self.key, plain);
        Box::pin(async move { bytes(begun).await.map_err(refused) })
    }

    fn open<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        sealed: &'a [u8],
    ) -> Pending<'a, Result<Option<Vec<u8>>>> {
        let how = parameters(nonce, associated);
        let begun = self.subtle.decrypt_with_object_and_u8_array(&how, &self.key, sealed);
        Box::pin(async move {
            match bytes(begun).await {
                Ok(plain) => Ok(Some(plain)),
                // What does not authenticate, and nothing else, is this error.
                Err(error) if Thrown::new(&error).is("OperationError") => Ok(None),
                Err(error) => Err(refused(error)),
            }
        })
    }
}

impl KeySource for KeyCallback {
    fn key<'a>(&'a self, description: Option<&'a str>) -> Pending<'a, Result<(Rc<dyn CipherKey>, String)>> {
        Box::pin(async move {
            let failed = |error: JsValue| Error::new(Code::WrongKey, Thrown::new(&error).message);
            let description = description.map_or(JsValue::UNDEFINED, JsValue::from);
            let answer = self.function.call1(&JsValue::UNDEFINED, &description).map_err(failed)?;
            let answer: Array =
                JsFuture::from(Promise::resolve(&answer)).await.map_err(failed)?.unchecked_into();
            let key: Rc<dyn CipherKey> =
                Rc::new(WebKey { subtle: self.subtle.clone(), key: answer.get(0).unchecked_into() });
            Ok((key, answer.get(1).as_string().unwrap_or_default()))
        })
    }
}

fn parameters(nonce: &[u8; 12], associated: &[u8]) -> Object {
    let how = Object::new();
    let nonce = Uint8Array::from(nonce.as_slice());
    let associated = Uint8Array::from(associated);
    for (name, value) in
        [("name", JsValue::from("AES-GCM")), ("iv", nonce.into()), ("additionalData", associated.into())]
    {
        // Setting a property of a fresh object cannot fail.
        Reflect::set(&how, &name.into(), &value).unwrap_or_default();
    }
    how
}

async fn bytes(begun: Result<Promise, JsValue>) -> Result<Vec<u8>, JsValue> {
    Ok(Uint8Array::new(&JsFuture::from(begun?).await?).to_vec())
}

fn refused(error: JsValue) -> Error {
    Error::new(Code::Internal, format!("the runtime's cryptography refused: {}", Thrown::new(&error)))
}
