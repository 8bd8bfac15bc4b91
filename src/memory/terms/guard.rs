//! The guard: what is looked for before anything is stored, embedded or sent to a model.

use super::secret::{Masker, National, Secret, Secrets};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::ports::{Loaded, Platform};
use crate::record::{Kind, Record};
use crate::store::{Change, Draft};
use serde::Deserialize;
use serde_json::Value;

/// The members of a message that hold what was said.
const SAID: [&str; 2] = ["content", "toolCalls"];

/// What to look for before anything is stored.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GuardOptions {
    /// What becomes of secrets; `mask` by default.
    pub secrets: OnSecret,
    /// The countries whose national identity numbers are secrets; none by default.
    pub national_ids: Vec<National>,
}

/// What becomes of secrets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnSecret {
    /// A placeholder such as `[card]` takes their place.
    #[default]
    Mask,
    /// The call fails, and nothing of it is stored.
    Refuse,
    /// They are kept.
    Keep,
}

/// What was masked in a record.
pub(crate) type Masked = Vec<(Id, Secrets)>;

/// What holds for everything that is stored.
#[derive(Debug)]
pub(crate) struct Guard {
    secrets: OnSecret,
    masker: Masker,
}

impl Guard {
    /// A guard as the application wants it.
    ///
    /// # Errors
    /// `Load` when what finds national numbers cannot be loaded.
    pub(crate) async fn new(options: GuardOptions, platform: &dyn Platform) -> Result<Self> {
        let national = match options.national_ids {
            countries if countries.is_empty() => None,
            countries => Some((Loaded::by(platform).await?, countries)),
        };
        Ok(Self { secrets: options.secrets, masker: Masker { national } })
    }

    /// Replaces the secrets of something that is handed over by `replace`, and says which there were.
    ///
    /// # Errors
    /// `Secret` that names the place, when there are any and they are to be refused.
    pub(crate) fn screen(
        &self,
        place: &str,
        replace: &mut dyn FnMut(&Masker, &mut Secrets),
    ) -> Result<Secrets> {
        let mut found = Secrets::default();
        if self.secrets != OnSecret::Keep {
            replace(&self.masker, &mut found);
        }
        match found.iter().next() {
            Some(secret) if self.secrets == OnSecret::Refuse => Err(refused(place, secret)),
            _ => Ok(found),
        }
    }

    /// Replaces the secrets of what a draft stores, and says of which records. What the application writes as data stays:
    /// documents, metadata, keys and ids. So does what was stored before, when it is brought back.
    ///
    /// # Errors
    /// `Secret` when the application, its user or a model's tool wrote one, and it is to be refused. What is learned is masked then.
    pub(crate) fn draft(&self, draft: &mut Draft, is_for_tools: bool) -> Result<Masked> {
        let mut masked = Vec::new();
        let is_told = match draft.cause {
            Cause::User | Cause::Tool => true,
            Cause::Extract => false,
            Cause::Remember => true,
            _ => return Ok(masked),
        };
        if self.secrets == OnSecret::Keep {
            return Ok(masked);
        }
        for change in &mut draft.changes {
            let Change::Put { record, .. } = change else { continue };
            // Messages and pages were screened when they were handed over.
            let is_screened = match record.kind {
                Kind::Document => !is_for_tools,
                Kind::Page => true,
                Kind::Message => draft.cause == Cause::Remember,
                _ => false,
            };
            if is_screened {
                continue;
            }
            let mut found = Secrets::default();
            self.record(record, &mut found);
            let Some(secret) = found.iter().next() else { continue };
            if is_told && self.secrets == OnSecret::Refuse {
                let kind = format!("{:?}", record.kind).to_ascii_lowercase();
                return Err(refused(&format!("the {kind}"), secret));
            }
            masked.push((record.id, found));
        }
        Ok(masked)
    }

    /// Replaces the secrets of a text that goes to a model without being stored.
    pub(crate) fn text<'a>(&self, text: &'a str) -> std::borrow::Cow<'a, str> {
        let mut own = text.to_owned();
        let mut found = Secrets::default();
        if self.secrets != OnSecret::Keep {
            self.masker.text(&mut own, &mut found);
        }
        if found.is_empty() { text.into() } else { own.into() }
    }

    fn record(&self, record: &mut Record, found: &mut Secrets) {
        if let Some(text) = &mut record.text {
            self.masker.text(text, found);
        }
        match &mut record.value {
            Value::Object(value) if record.kind == Kind::Message => {
                for (_, member) in value.iter_mut().filter(|(name, _)| SAID.contains(&name.as_str())) {
                    self.masker.value(member, found);
                }
            }
            // Their types are the schema's, so numbers stay numbers.
            value if record.kind == Kind::Field => self.masker.texts(value, found),
            value => self.masker.value(value, found),
        }
        for source in &mut record.provenance {
            self.masker.text(&mut source.quote, found);
        }
    }
}

fn refused(place: &str, secret: Secret) -> Error {
    let message = format!("{place} holds a secret ({}); leave it out, and call again", secret.as_str());
    Error::new(Code::Secret, message).with("place", place).with("kind", secret.as_str())
}
