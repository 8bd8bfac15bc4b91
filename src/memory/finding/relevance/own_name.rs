//! The user's name.

use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;

/// Fields that hold a name, and schemas of the user.
const NAMES: &[&str] = &["name", "fullname", "full_name", "firstname", "first_name"];
const OF_THE_USER: &[&str] = &["profile", "user", "me", "person", "personal", "identity", "account"];

/// The words of the user's name, as a field of a profile has it: of a schema that is called so, or of the only one.
pub(in super::super) fn own_name(store: &Store, scope: &Scope) -> Vec<String> {
    let (mut names, mut schemas): (Vec<RecordView<'_>>, Vec<&str>) = (Vec::new(), Vec::new());
    for view in store.records(scope, Kind::Field) {
        let Some((schema, field)) = view.key.and_then(|key| key.rsplit_once('/')) else { continue };
        if !schemas.contains(&schema) {
            schemas.push(schema);
        }
        if NAMES.iter().any(|name| field.eq_ignore_ascii_case(name)) {
            names.push(view);
        }
    }
    let is_of_user = |view: &&RecordView<'_>| {
        let schema = view.key.unwrap_or_default().split('/').next().unwrap_or_default();
        schemas.len() == 1 || OF_THE_USER.iter().any(|own| schema.eq_ignore_ascii_case(own))
    };
    let value = names.iter().find(is_of_user).and_then(|view| view.value().ok());
    let name = value.as_ref().and_then(|value| value.as_str().or_else(|| value.get("value")?.as_str()));
    lowercase(name.unwrap_or_default()).split_whitespace().map(str::to_owned).collect()
}
