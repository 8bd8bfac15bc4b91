//! What the user pinned: a model's calls leave it as it is.

use super::creation::NewObservations;
use super::deletion::{DeletedEntities, DeletedObservations, DeletedRelations, there};
use super::{Graph, name_of, present};
use crate::error::Result;
use crate::json::from_value;
use crate::record::Kind;
use crate::scope::Scope;
use serde_json::Value;

impl Graph {
    /// The name of something pinned that one of the operations would change or delete, relations of deleted entities too; `None`
    /// when it would not, or its arguments are wrong.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn pinned(&self, scope: &Scope, operation: &str, arguments: &Value) -> Result<Option<String>> {
        let arguments = arguments.clone();
        let mut names: Vec<String> = Vec::new();
        let mut relations = Vec::new();
        let deletes = operation == "delete_entities";
        match operation {
            "delete_entities" => {
                names.extend(from_value(arguments).map_or(Vec::new(), |it: DeletedEntities| it.entity_names));
            }
            "delete_observations" => {
                let deletions =
                    from_value(arguments).map_or(Vec::new(), |it: DeletedObservations| it.deletions);
                names.extend(deletions.into_iter().map(|deletion| deletion.entity_name));
            }
            "add_observations" => {
                let added = from_value(arguments).map_or(Vec::new(), |it: NewObservations| it.observations);
                names.extend(added.into_iter().map(|added| added.entity_name));
            }
            "delete_relations" => {
                relations = from_value(arguments).map_or(Vec::new(), |it: DeletedRelations| it.relations);
            }
            _ => return Ok(None),
        }
        self.database.read(|store| {
            let now = self.database.now();
            for relation in relations {
                if there(store, scope, &relation, now).is_some_and(|view| view.pinned) {
                    return Ok(Some(relation.to_string()));
                }
            }
            for name in names {
                let Some(view) = present(store, scope, Kind::Entity, &name, now) else { continue };
                let ends =
                    if deletes { store.relations_of(scope, &[view.id], Some(now)) } else { Vec::new() };
                let mut ends = ends.into_iter().filter_map(|document| store.view(document));
                if view.pinned {
                    return Ok(Some(name_of(&view).to_owned()));
                }
                if let Some(pinned) = ends.find(|relation| relation.pinned) {
                    let relation: super::Relation = pinned.content()?;
                    return Ok(Some(relation.to_string()));
                }
            }
            Ok(None)
        })
    }
}
