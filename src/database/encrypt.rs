//! Encrypting a memory in place, and taking the encryption away: one write of everything.

use super::database::Database;
use super::fold::{Extent, Fold};
use crate::error::Result;
use crate::ports::{KeySource, Loaded, Pending, Sealing, SourcedKey};
use crate::store::{Cuts, Division};
use crate::vault::{Encryption, EncryptionStatus, Owners};
use std::rc::Rc;

impl Database {
    /// Whether and how the memory is encrypted.
    ///
    /// # Errors
    /// `Closed`.
    pub fn encryption(&self) -> Result<EncryptionStatus> {
        self.check_open()?;
        Ok(self.inner.vault.status())
    }

    /// Encrypts everything that is stored, in one write. An encrypted memory is opened by this key from now on, and no longer
    /// by the one before: one small value is written.
    ///
    /// # Errors
    /// Those of the source of the key, and those of [`Storage::write`](crate::ports::Storage::write); nothing was changed then,
    /// unless a `Storage` error has `details.unsure`: a storage that failed could not be asked which key it holds.
    pub async fn encrypt(&self, encryption: Encryption) -> Result<()> {
        let part = Loaded::by(&*self.inner.platform).await?;
        self.check_open()?;
        // A passkey asks the user, and a passphrase takes its time: no write waits for that.
        let key = encryption.source.key(None).await?;
        self.encrypt_loaded(part, encryption, key).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn encrypt_loaded(
        &self,
        part: Loaded<Sealing>,
        encryption: Encryption,
        key: SourcedKey,
    ) -> Pending<'_, Result<()>> {
        part.work(Box::pin(self.errand(|database| {
            Box::pin(async move {
                if database.inner.vault.is_sealed() {
                    database.rewrap(encryption.source, key).await
                } else {
                    database.seal_all(encryption, key).await
                }
            })
        })))
    }

    /// Stores everything as it is without encryption, in one write. When the memory is not encrypted, nothing happens.
    ///
    /// # Errors
    /// `Locked` when a scope is locked, and those of [`Storage::write`](crate::ports::Storage::write); everything stays
    /// encrypted then.
    pub async fn decrypt(&self) -> Result<()> {
        let part = Loaded::by(&*self.inner.platform).await?;
        self.decrypt_loaded(part).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn decrypt_loaded(&self, part: Loaded<Sealing>) -> Pending<'_, Result<()>> {
        part.work(Box::pin(self.errand(|database| Box::pin(async move { database.unseal_all().await }))))
    }

    /// Encrypts what is stored: everything is folded into one segment, and this and the head that names it are sealed.
    async fn seal_all(&self, encryption: Encryption, key: SourcedKey) -> Result<()> {
        let vault = &self.inner.vault;
        let keys = vault.new_keys(encryption, key).await?;
        self.retried(async || {
            // Another engine may have encrypted it meanwhile, by the same key.
            if vault.is_sealed() {
                return Ok(());
            }
            self.found().await?;
            let division = Division { by_scope: true, ..self.division() };
            let Fold { step: (batch, head, expected), owners, closed, .. } =
                self.everything(&division).await?;
            vault.write_sealed(&keys, &batch, &owners, expected).await?;
            self.folded(head, closed);
            // What is sealed cannot be read at once, so all of it has to be in memory.
            if self.inner.state.borrow().store.is_paged() { self.reload(&[]).await } else { Ok(()) }
        })
        .await
    }

    /// Takes the encryption away.
    async fn unseal_all(&self) -> Result<()> {
        let vault = &self.inner.vault;
        self.retried(async || {
            if !vault.is_sealed() {
                return Ok(());
            }
            self.check_all_unlocked("the encryption cannot be removed")?;
            self.found().await?;
            let Fold { step: (batch, head, expected), closed, .. } =
                self.everything(&Division::default()).await?;
            vault.write_plain(batch, expected).await?;
            self.folded(head, closed);
            Ok(())
        })
        .await
    }

    /// Wraps the root key by another key, with a head that says so.
    async fn rewrap(&self, source: Rc<dyn KeySource>, key: SourcedKey) -> Result<()> {
        let write = async || {
            self.retried(async || {
                self.found().await?;
                self.write_head(self.next_head(), &Owners::default()).await
            })
            .await
        };
        self.inner.vault.change_key(source, key, write).await
    }

    /// The write that puts everything anew: one segment, the values that were set aside, and the head.
    pub(super) async fn everything(&self, division: &Division) -> Result<Fold> {
        self.tidy().await?;
        let part = Loaded::by(&*self.inner.platform).await?;
        let stored = self.stored(part).await?;
        let fold = self.folding(part, &Extent::from(0), &Cuts::default(), division).await?;
        let (mut batch, head, expected) = fold.step;
        let is_put = |key: &String| batch.puts.iter().any(|(put, _)| put == key);
        // Also what belongs to no state goes.
        batch.deletes = stored.keys.into_iter().chain(stored.stale).filter(|key| !is_put(key)).collect();
        batch.puts.splice(0..0, stored.aside);
        Ok(Fold { step: (batch, head, expected), ..fold })
    }
}
