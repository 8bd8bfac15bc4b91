//! The options of every method of a scope, made of the names of one scope.

use super::names::Names;
use crate::support::machine::START;
use serde_json::{Value, json};

/// The methods of the whole memory, which no scope is given.
pub(super) const WHOLE: [&str; 12] = [
    "usage",
    "standing",
    "taken",
    "verify",
    "idle",
    "jobs",
    "inspect",
    "watch",
    "encryption.status",
    "encryption.remove",
    "backups.scopes",
    "backups.replace",
];
/// Those that go through files, which the tests of exports call.
pub(super) const FILES: [&str; 5] =
    ["backups.export", "backups.import", "backups.check", "backups.merge", "backups.end"];

/// A time that has passed by the time anything is read.
const EARLIER: i64 = START + 1000;

/// What a method is called with; `None` for a method that nobody thought of.
pub(super) fn options(method: &str, of: &Names) -> Option<Vec<Value>> {
    let thread = of.called("thread");
    let message = |what: &str| json!({ "role": "user", "content": of.says(what) });
    let each = |make: &dyn Fn(&str) -> Value| of.all_ids().map(make).collect::<Vec<_>>();
    let entity = of.called("entity");
    let other = of.called("other");
    let relation = json!({ "from": entity, "to": other, "relationType": of.called("knows") });
    let document =
        |op: &str| json!({ "op": op, "namespace": [of.called("namespace")], "key": of.called("key") });
    let query = of.called("hot");
    let label = of.called("block");
    let filter = json!({ "text": { "$contains": of.name } });
    let field = json!({ "schema": "user", "field": "place" });
    Some(match method {
        "remember" | "threads.append" | "generate" => vec![
            json!({ "threadId": thread, "messages": [message("was in a hot place")] }),
            json!({ "messages": [{ "role": "user", "content": of.says("again"), "id": of.called("message"), "name": of.name }] }),
        ],
        "flush" => vec![json!({}), json!({ "threadId": thread })],
        "recall" => vec![
            json!({ "query": query, "currentThreadId": thread }),
            json!({ "query": query, "currentThreadId": thread, "rewrite": true }),
            json!({ "query": of.secret, "filter": { "kind": { "$ne": "x" } } }),
            json!({ "query": "where", "filter": { "id": { "$in": of.all_ids().take(100).collect::<Vec<_>>() } } }),
        ],
        "assemble" => vec![
            json!({ "query": query, "maxTokens": 4000, "threadId": thread }),
            json!({ "messages": [message("where")], "maxTokens": 4000, "as": "openai" }),
            json!({ "query": query, "maxTokens": 4000, "threadId": thread, "rewrite": true }),
        ],
        "tools" => vec![json!({ "format": "openai" })],
        "callTool" => tools(of),
        "history" | "explain" | "facts.history" | "items.get" | "facts.get" | "episodes.get" => {
            each(&|id| json!({ "id": id }))
        }
        "forget" => {
            let mut all = each(&|id| json!({ "ids": [id], "preview": true }));
            all.extend(each(&|id| json!({ "ids": [id] })));
            all.extend([
                json!({ "threadId": thread, "preview": true }),
                json!({ "threadId": thread }),
                json!({ "filter": filter, "preview": true }),
                json!({ "filter": filter }),
                json!({ "query": of.secret }),
                json!({ "from": 0, "preview": true }),
                json!({ "scope": true, "preview": true }),
            ]);
            all
        }
        "undo" => each(&|id| json!({ "commitId": id })),
        "commits.list" => {
            let mut all = each(&|id| json!({ "before": id }));
            all.push(json!({ "limit": 1000 }));
            all
        }
        "facts.add" => vec![
            json!({ "text": of.says("is hot."), "metadata": { "note": of.secret } }),
            json!({ "text": of.called("again"), "sourceId": of.called("source"), "once": true }),
        ],
        "facts.import" => {
            vec![json!({ "facts": [{ "text": of.says("was imported."), "sourceId": of.called("import") }] })]
        }
        "facts.list" => {
            vec![json!({ "includeEnded": true }), json!({ "asOf": EARLIER }), json!({ "filter": filter })]
        }
        "facts.search" => vec![json!({ "query": query }), json!({ "query": of.secret, "limit": 50 })],
        "facts.update" => each(&|id| json!({ "id": id, "text": of.says("is otherwise.") })),
        "facts.delete" | "episodes.delete" | "tiers.remove" | "context.archive.delete" | "items.delete" => {
            each(&|id| json!({ "id": id }))
        }
        "facts.consolidate" => vec![json!({})],
        "items.list" => vec![
            json!({ "includeEnded": true, "limit": 1000 }),
            json!({ "filter": { "id": of.id("fact") } }),
            json!({ "filter": filter }),
        ],
        "items.pin" => each(&|id| json!({ "id": id, "pinned": true })),
        "items.edit" => each(&|id| json!({ "id": id, "metadata": { "note": of.says("noted") } })),
        "items.purge" => vec![json!({ "filter": filter })],
        "profiles.get" => vec![json!({}), json!({ "asOf": EARLIER })],
        "profiles.set" => vec![json!({ "schema": "user", "field": "place", "value": of.says("place") })],
        "profiles.patch" => vec![json!({ "schema": "user", "patch": { "place": of.says("patched") } })],
        "profiles.delete" | "profiles.history" => {
            vec![field, json!({ "schema": of.called("schema"), "field": "place" })]
        }
        "profiles.diff" => vec![json!({ "schema": "user", "field": "place", "from": 1, "to": 2 })],
        "profiles.rollback" => vec![json!({ "schema": "user", "field": "place", "revision": 1 })],
        "threads.list" | "lock.status" | "lock.close" | "lock.remove" => vec![json!({})],
        "threads.messages" | "threads.summarise" | "threads.summary" | "threads.window"
        | "episodes.learn" => {
            vec![json!({ "threadId": thread })]
        }
        "threads.search" => {
            vec![json!({ "query": query }), json!({ "query": of.secret, "threadId": thread })]
        }
        "threads.check" => vec![json!({ "messages": [message("checked")] })],
        "threads.remove" => each(&|id| json!({ "threadId": thread, "ids": [id] })),
        "threads.removeAll" => vec![json!({ "threadId": thread })],
        "threads.trim" => vec![json!({ "threadId": thread, "maxTokens": 100 })],
        "threads.summaries" => vec![json!({}), json!({ "level": "week", "exceptThreadId": thread })],
        "documents.put" => {
            let mut put = document("put");
            put.as_object_mut().unwrap().remove("op");
            put["value"] = json!({ "says": of.says("document") });
            vec![put]
        }
        "documents.move" => vec![json!({
            "namespace": [of.called("namespace")], "key": of.called("key"), "toKey": "elsewhere"
        })],
        "documents.get" | "documents.delete" => {
            vec![json!({ "namespace": [of.called("namespace")], "key": of.called("key") })]
        }
        "documents.list" => vec![
            json!({ "prefix": [], "orderBy": "updatedAt", "order": "desc" }),
            json!({ "prefix": [of.called("namespace")], "depth": 0, "orderBy": "key", "after": "a" }),
            json!({ "match": [{ "suffix": [of.called("namespace")] }], "where": { "key": of.called("key") } }),
        ],
        "documents.deleteAll" => vec![json!({ "prefix": [of.called("namespace")] }), json!({ "prefix": [] })],
        "documents.search" => {
            vec![json!({ "prefix": [of.called("namespace")] }), json!({ "prefix": [], "query": of.secret })]
        }
        "documents.listNamespaces" => vec![json!({}), json!({ "prefix": [of.called("namespace")] })],
        "documents.batch" => vec![
            json!({ "operations": [document("get"), { "op": "search", "prefix": [] }, { "op": "listNamespaces" }, { "op": "list" }] }),
        ],
        "context.blocks.list" => vec![json!({})],
        "context.blocks.get" | "context.blocks.delete" => vec![json!({ "label": label })],
        "context.blocks.set" => vec![json!({ "label": label, "value": of.says("block") })],
        "context.call" => tools(of)
            .into_iter()
            .map(|mut call| {
                call.as_object_mut().unwrap().remove("include");
                call
            })
            .collect(),
        "context.load" => vec![
            json!({ "text": of.says("a manual"), "name": of.called("manual"), "tags": [of.called("tag")] }),
        ],
        "context.archive.insert" => vec![json!({ "text": of.says("passage"), "tags": [of.called("tag")] })],
        "context.archive.search" => {
            vec![json!({ "query": query }), json!({ "query": of.secret, "tags": [of.called("tag")] })]
        }
        "context.step" => {
            vec![json!({ "threadId": thread, "messages": [message("where?")], "abort": of.called("step") })]
        }
        "context.abort" => vec![json!({ "name": of.called("step") })],
        "context.status" => vec![json!({}), json!({ "threadId": thread })],
        "graph.create_entities" => vec![json!({ "entities": [
            { "name": entity, "entityType": "place", "observations": [of.says("is hot")] },
            { "name": other, "entityType": "place", "observations": [] },
        ] })],
        "graph.create_relations" | "graph.delete_relations" | "graph.end_relations" => {
            vec![json!({ "relations": [relation] })]
        }
        "graph.add_observations" => {
            vec![json!({ "observations": [{ "entityName": entity, "contents": [of.says("is far")] }] })]
        }
        "graph.delete_entities" => vec![json!({ "entityNames": [other] })],
        "graph.delete_observations" => {
            vec![json!({ "deletions": [{ "entityName": entity, "observations": [of.says("is far")] }] })]
        }
        "graph.read_graph" => vec![json!({})],
        "graph.search_nodes" => vec![json!({ "query": of.name }), json!({ "query": of.secret })],
        "graph.open_nodes" => vec![json!({ "names": [entity, other] })],
        "graph.search" => vec![json!({ "query": query })],
        "graph.list" => vec![json!({}), json!({ "asOf": EARLIER })],
        "graph.relations" => vec![json!({}), json!({ "from": entity, "includeEnded": true })],
        "graph.neighbours" => {
            vec![json!({ "names": [entity] }), json!({ "names": [entity], "asOf": EARLIER })]
        }
        "graph.path" => vec![json!({ "from": entity, "to": other })],
        "graph.resolve" => vec![json!({ "name": entity }), json!({ "name": of.name })],
        "graph.update" => vec![json!({ "name": entity, "entityType": of.called("type") })],
        "graph.merge" => vec![json!({ "into": entity, "from": other, "evidence": of.says("same") })],
        "graph.export_jsonl" => vec![json!({})],
        "graph.import_jsonl" => vec![
            json!({ "text": json!({ "type": "entity", "name": of.called("imported"), "entityType": "place", "observations": [of.says("imported")] }).to_string() }),
        ],
        "instructions.get" | "instructions.history" | "instructions.delete" => {
            vec![json!({ "name": of.called("instruction") })]
        }
        "instructions.set" => vec![json!({ "name": of.called("instruction"), "text": of.says("be brief") })],
        "instructions.list" => vec![json!({})],
        "instructions.rollback" => vec![json!({ "name": of.called("instruction"), "revision": 1 })],
        "instructions.revise" => vec![
            json!({ "name": of.called("instruction"), "feedback": of.says("be briefer"), "threadId": thread }),
        ],
        "episodes.add" => vec![
            json!({ "situation": of.says("situation"), "approach": "a", "outcome": "o", "threadId": thread }),
        ],
        "episodes.list" => vec![json!({}), json!({ "filter": { "threadId": thread } })],
        "episodes.search" => vec![json!({ "query": query }), json!({ "query": of.secret })],
        "episodes.update" => each(&|id| json!({ "id": id, "outcome": of.says("otherwise") })),
        "proposals.list" => vec![json!({})],
        "proposals.accept" | "proposals.reject" => each(&|id| json!({ "ids": [id] })),
        "tiers.add" => vec![
            json!({ "query": of.says("hot?"), "response": of.says("yes"), "threadId": of.called("pages"), "metadata": { "note": of.secret } }),
        ],
        "tiers.retrieve" | "tiers.prompt" => vec![json!({ "query": query })],
        "tiers.respond" => vec![json!({ "query": of.says("hot?"), "threadId": thread })],
        "tiers.state" | "tiers.traits" | "tiers.update" | "tiers.clear" => vec![json!({})],
        _ => return None,
    })
}

/// Calls of every tool; the test of the toolset says whether one is missing.
pub(super) fn tools(of: &Names) -> Vec<Value> {
    let label = of.called("block");
    let entity = of.called("entity");
    let relation = json!({ "relations": [{ "from": entity, "to": of.called("other"), "relationType": of.called("likes") }] });
    let mut calls = vec![
        ("facts_search", json!({ "query": of.secret })),
        ("facts_add", json!({ "text": of.says("was told to a tool.") })),
        ("profile_get", json!({})),
        ("profile_set", json!({ "schema": "user", "field": "place", "value": of.says("tool") })),
        (
            "create_entities",
            json!({ "entities": [{ "name": of.called("tool"), "entityType": "tool", "observations": [of.secret] }] }),
        ),
        ("create_relations", relation.clone()),
        (
            "add_observations",
            json!({ "observations": [{ "entityName": entity, "contents": [of.says("told")] }] }),
        ),
        ("delete_entities", json!({ "entityNames": [of.called("tool")] })),
        (
            "delete_observations",
            json!({ "deletions": [{ "entityName": entity, "observations": [of.says("told")] }] }),
        ),
        ("delete_relations", relation),
        ("read_graph", json!({})),
        ("search_nodes", json!({ "query": of.secret })),
        ("open_nodes", json!({ "names": [entity] })),
        ("send_message", json!({ "message": of.says("sent") })),
        ("core_memory_append", json!({ "label": label, "content": of.says("appended") })),
        (
            "core_memory_replace",
            json!({ "label": label, "old_content": of.says("appended"), "new_content": "x" }),
        ),
        ("memory_insert", json!({ "label": label, "new_string": of.says("inserted") })),
        ("memory_replace", json!({ "label": label, "old_string": of.says("inserted"), "new_string": "y" })),
        ("memory_rethink", json!({ "label": label, "new_memory": of.says("rethought") })),
        ("archival_memory_insert", json!({ "content": of.says("archived"), "tags": [of.called("tag")] })),
        ("archival_memory_search", json!({ "query": of.secret, "tags": [of.called("tag")] })),
        ("conversation_search", json!({ "query": of.secret })),
        ("conversation_search_date", json!({ "start_date": "2020-01-01", "end_date": "2030-01-01" })),
    ];
    for id in of.all_ids() {
        calls.push(("facts_update", json!({ "id": id, "text": of.says("is changed by a tool.") })));
        calls.push(("facts_delete", json!({ "id": id })));
    }
    let thread = of.called("thread");
    let call = |(name, arguments)| json!({ "name": name, "arguments": arguments, "threadId": thread });
    calls.into_iter().map(call).collect()
}
