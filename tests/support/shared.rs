//! Fixtures that are not part of the repository.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of this name in the one that `MNEMIC_SHARED` names, or else in `../shared`.
///
/// Without it the calling test has nothing to do. It then says so past the test harness, which would keep the line of a test
/// that passes; `npm test` counts the test as skipped.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let named = std::env::var_os("MNEMIC_SHARED").map(PathBuf::from);
    let found =
        named.into_iter().chain([beside]).map(|folder| folder.join(name)).find(|folder| folder.is_dir());
    if found.is_some() {
        return found;
    }
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let why = "is not here; MNEMIC_SHARED names the folder that holds it";
    writeln!(std::io::stderr(), "skipped: {test}: {name} {why}").ok();
    None
}
