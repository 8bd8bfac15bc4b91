//! The methods of the knowledge graph.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::Result;
use crate::memory::graph::{Resolve, Update};
use crate::scope::Scope;

impl Engine {
    /// Calls `graph.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_graph(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        let graph = &self.graph;
        Ok(Some(match name {
            "create_entities" => write(&graph.create_entities(scope, read(options)?).await?)?,
            "create_relations" => write(&graph.create_relations(scope, read(options)?).await?)?,
            "add_observations" => write(&graph.add_observations(scope, read(options)?).await?)?,
            "delete_entities" => write(&graph.delete_entities(scope, read(options)?).await?)?,
            "delete_observations" => write(&graph.delete_observations(scope, read(options)?).await?)?,
            "delete_relations" => write(&graph.delete_relations(scope, read(options)?).await?)?,
            "read_graph" => write(&graph.read_graph(scope, &read(options)?)?)?,
            "search_nodes" => write(&graph.search_nodes(scope, &read(options)?)?)?,
            "open_nodes" => write(&graph.open_nodes(scope, &read(options)?)?)?,
            "search" => write(&graph.search(scope, read(options)?).await?)?,
            "list" => write(&graph.list(scope, &read(options)?)?)?,
            "relations" => write(&graph.relations(scope, &read(options)?)?)?,
            "neighbours" => write(&graph.neighbours(scope, &read(options)?)?)?,
            "path" => write(&graph.path(scope, &read(options)?)?)?,
            "resolve" => write(&graph.resolve(scope, &read::<Resolve>(options)?)?)?,
            "update" => write(&graph.update(scope, Update::read(read(options)?)?).await?)?,
            "merge" => write(&graph.merge(scope, read(options)?).await?)?,
            "end_relations" => write(&graph.end_relations(scope, read(options)?).await?)?,
            "export_jsonl" => {
                let Nothing {} = read(options)?;
                write(&graph.export_jsonl(scope)?)?
            }
            "import_jsonl" => write(&graph.import_jsonl(scope, read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
