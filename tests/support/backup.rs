//! Backups as whole files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::world::World;
use mnemic::database::Database;
use mnemic::engine::Engine;
use mnemic::log::{Backup, BackupReader};
use mnemic::{Result, Scope};
use serde_json::{Value, json};

/// A backup of all that a database holds, or of one scope.
pub(crate) fn exported(database: &Database, scope: Option<Scope>) -> Vec<u8> {
    let mut export = database.export(scope).unwrap();
    let mut file = Vec::new();
    while let Some(piece) = export.piece().unwrap() {
        assert!(!piece.is_empty(), "an empty piece would be taken for the end");
        file.extend(piece);
    }
    file
}

/// Reads a file to its end.
pub(crate) fn read_backup(file: &[u8]) -> Result<Backup> {
    let mut reader = BackupReader::default();
    for piece in file.chunks(1000) {
        reader.push(piece)?;
    }
    reader.finish()
}

impl World {
    /// A backup that the engine makes, of one scope when it is named.
    pub(crate) fn export(&self, engine: &Engine, scope: &str) -> Vec<u8> {
        let begun = self.try_call(engine, "backups.export", scope, json!({})).unwrap();
        let number = begun["transfer"].as_u64().unwrap() as u32;
        let mut file = Vec::new();
        loop {
            let sending = engine.clone();
            let piece = self.machine.run(async move { sending.transfer(number, Vec::new()).await }).unwrap();
            if piece.is_empty() {
                self.try_call(engine, "backups.end", "", json!({ "transfer": number })).unwrap();
                return file;
            }
            file.extend(piece);
        }
    }

    /// Takes a file in; `method` says how, for one scope when it is named.
    pub(crate) fn import(
        &self,
        engine: &Engine,
        scope: &str,
        file: &[u8],
        method: &str,
        options: Value,
    ) -> Result<Value> {
        let begun = self.try_call(engine, "backups.import", scope, json!({}))?;
        let number = begun["transfer"].as_u64().unwrap() as u32;
        let mut options = options;
        options["transfer"] = json!(number);
        for piece in file.chunks(700) {
            let (taking, piece) = (engine.clone(), piece.to_vec());
            self.machine.run(async move { taking.transfer(number, piece).await })?;
        }
        self.try_call(engine, "backups.check", scope, json!({ "transfer": number }))?;
        self.try_call(engine, method, scope, options)
    }
}
