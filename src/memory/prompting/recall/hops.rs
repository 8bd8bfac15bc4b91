//! Hops: what is known of those who are reached over relations of the graph, from whom the query names on.
//!
//! The graph is walked breadth first, at each hop on from those only who fit best. What is said on the way to somebody, with what is
//! said of them, is judged as one statement: "User sister Ana. Ana married to Tom. Tom works at Acme" answers where the sister's
//! husband works. With each relation on the way less is left of how well it fits, and much less where nobody asked for the relation.

use super::Filling;
use super::named::{Naming, mentions};
use super::queries::{Asked, fused};
use super::reached::{Line, Reached};
use crate::error::Result;
use crate::id::Id;
use crate::index::fuse::Fused;
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::compose::{Fit, LINE_CHARACTERS};
use crate::memory::graph::{Relation, edges_of, name_of};
use crate::memory::pages::{indexed_words, shared_words};
use crate::memory::search::{Terms, judge, means_user, own_name};
use crate::ports::{Loaded, Systems};
use crate::record::Kind;
use crate::sort::sorted;
use crate::store::{Found, Signals, Store, relation_ends};
use rustc_hash::FxHashSet;

/// What is left of the fit with each relation on the way, and beside that where the relation is not asked for.
const DECAY: f32 = 0.85;
const UNASKED: f32 = 0.5;
/// What is left of the relevance of what adds nothing to the way to it.
const NOTHING_NEW: f32 = 0.5;
/// How many relations of one are looked at, the newest.
const EDGES: usize = 500;
/// From how many it is gone on at each hop, and how many relations are looked at in all.
const WIDTH: usize = 32;
const MOST_EDGES: usize = 2000;
/// Of how many of the best facts about whom the query is about it is seen whom they mention, and how well those fit that person.
const FACTS: usize = 3;
const OF_THEM: f32 = 0.8;
/// Of how many who were reached facts and messages are looked for, and how many of those that mention one are judged.
const LOOKED_UP: usize = 6;
const MENTIONING: usize = 20;
/// What the user's own entity is called.
const USER: [&str; 2] = ["User", "user"];

/// Somebody or something in the graph.
#[derive(Clone)]
struct Node {
    id: Id,
    hops: usize,
    /// How well it fits to go on from here, 0 to 1.
    strength: f32,
    /// The relations by which it was reached, what they say, and which part of the question that is.
    way: Vec<Id>,
    said: String,
    coverage: f32,
}

/// A relation from a node on.
struct Step {
    from: usize,
    id: Id,
    other: Id,
    said: String,
    is_asked: bool,
}

/// What walks the graph.
struct Walker<'w, 'a, 's> {
    filling: &'w Filling<'a>,
    store: &'s Store,
    /// The words of the queries.
    words: Vec<String>,
    reached: Reached<'s>,
}

/// Walks the graph from whom the queries name, from the user where they are about the user, and from whom facts about
/// the same person mention.
///
/// A function of its own, never a part of its caller, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
pub(super) fn reach<'s>(
    _: Loaded<Systems>,
    filling: &Filling<'_>,
    store: &'s Store,
    hops: usize,
    facts: &[Found<'s>],
) -> Result<Reached<'s>> {
    let words = filling.queries.words();
    let mut walker = Walker { filling, store, words, reached: Reached::default() };
    let mut nodes = walker.seeds(facts)?;
    let (mut seen, mut edges) = (FxHashSet::default(), 0);
    nodes.retain(|node| node.hops <= hops && seen.insert(node.id));
    // Those that are reached come behind those that were there before.
    for hop in 0..=hops {
        let mut steps = Vec::new();
        for (from, node) in nodes.iter().enumerate().filter(|(_, node)| node.hops == hop) {
            let most = EDGES.min(MOST_EDGES.saturating_sub(edges));
            let before = steps.len();
            steps.extend(walker.steps(from, node, most));
            edges += steps.len() - before;
        }
        let next = walker.take(&nodes, &steps);
        if hop < hops {
            nodes.extend(next.into_iter().filter(|node| seen.insert(node.id)).take(WIDTH));
        }
    }
    walker.entities(&nodes);
    walker.look_up(&nodes)?;
    Ok(walker.reached)
}

impl<'s> Walker<'_, '_, 's> {
    /// Where the walk begins.
    fn seeds(&mut self, facts: &[Found<'s>]) -> Result<Vec<Node>> {
        let Filling { scope, queries, now, .. } = self.filling;
        let mut seeds = Vec::new();
        let texts: Vec<Naming> = queries.texts().iter().map(|text| Naming::of(text)).collect();
        for (found, _) in fused(&self.filling.find(self.store, Kind::Entity)?) {
            if texts.iter().any(|text| text.names(name_of(&found.record))) {
                seeds.push(Node::of(found.record.id));
                let names = indexed_words(&[name_of(&found.record).to_owned()]);
                self.words.retain(|word| !names.contains(word));
            }
        }
        if queries.all.iter().any(|asked| means_user(&asked.text, self.store, scope)) {
            let own = own_name(self.store, scope).join(" ");
            let mut documents = self.store.entities_named(scope, &USER.map(str::to_owned), *now);
            if !own.is_empty() {
                documents.extend(self.store.entities_holding(scope, &own, *now));
            }
            let views = documents.into_iter().filter_map(|document| self.store.view(document));
            let is_user = |view: &RecordView<'_>| {
                let name = lowercase(name_of(view));
                name == own || USER.iter().any(|user| lowercase(user) == name)
            };
            seeds.extend(views.filter(is_user).map(|view| Node::of(view.id)));
        }
        // Whom a fact about the same person mentions is one step from the question.
        let is_of_them = |found: &&Found<'_>| found.judged.is_some_and(|[_, person]| person >= OF_THEM);
        for found in facts.iter().filter(is_of_them).take(FACTS) {
            let said: String = found.record.text.unwrap_or_default().chars().take(LINE_CHARACTERS).collect();
            let asked = Asked { text: said.clone(), embedding: None };
            let coverage = self.judged(std::slice::from_ref(&said)).first().copied().unwrap_or_default();
            let is_asked = coverage > 0.0 || self.asks_for(&said);
            for entity in self.filling.find_by(self.store, Kind::Entity, &asked)? {
                if mentions(&said, name_of(&entity.record)) {
                    let strength = decayed(1.0, is_asked);
                    let said = said.clone();
                    seeds.push(Node { hops: 1, strength, said, coverage, ..Node::of(entity.record.id) });
                }
            }
        }
        Ok(seeds)
    }

    /// Whether a text holds a word of the queries that is no name in them.
    fn asks_for(&self, text: &str) -> bool {
        shared_words(text, &self.words) > 0
    }

    /// Which part of what is asked for each of some statements holds.
    fn judged(&self, said: &[String]) -> Vec<f32> {
        let Filling { scope, queries, .. } = self.filling;
        let mut coverages = vec![0.0_f32; said.len()];
        for asked in &queries.all {
            let judged = judge(&asked.text, self.store, scope, said);
            for (coverage, (_, [held, _])) in coverages.iter_mut().zip(judged) {
                *coverage = coverage.max(held);
            }
        }
        coverages
    }

    /// The newest relations of a node.
    fn steps(&self, from: usize, node: &Node, most: usize) -> Vec<Step> {
        let Filling { scope, now, .. } = self.filling;
        let edges = edges_of(self.store, scope, &[node.id], false, *now).rev().take(most);
        let step = |view: RecordView<'_>| {
            let (start, end) = relation_ends(view.key?)?;
            let other = if start == node.id { end } else { start };
            let relation = view.content::<Relation>().ok()?.to_string().replace('_', " ");
            let is_asked = self.asks_for(&relation);
            let said = node.and(&relation);
            (!node.way.contains(&view.id)).then_some(Step { from, id: view.id, other, said, is_asked })
        };
        edges.filter_map(step).collect()
    }

    /// Takes in relations, and answers to whom they lead, those first who fit best.
    fn take(&mut self, nodes: &[Node], steps: &[Step]) -> Vec<Node> {
        let said: Vec<String> = steps.iter().map(|step| step.said.clone()).collect();
        let mut next = Vec::new();
        for (step, coverage) in steps.iter().zip(self.judged(&said)) {
            let Some(node) = nodes.get(step.from) else { continue };
            let is_asked = step.is_asked || coverage > node.coverage;
            self.line("relation", node, step.id, coverage);
            next.push(Node {
                id: step.other,
                hops: node.hops + 1,
                strength: decayed(node.strength, is_asked),
                way: node.way.iter().copied().chain([step.id]).collect(),
                said: step.said.clone(),
                coverage,
            });
        }
        let fit = |node: &Node| node.strength * (1.0 + node.coverage);
        sorted(&next, |one, other| fit(other).total_cmp(&fit(one))).into_iter().cloned().collect()
    }

    /// Takes in who was reached.
    fn entities(&mut self, nodes: &[Node]) {
        let Filling { scope, .. } = self.filling;
        let there = |node: &Node| {
            let view = self.store.get(scope, node.id)?;
            let text: String = view.text.unwrap_or_default().chars().take(LINE_CHARACTERS).collect();
            Some((node.clone(), node.and(&text)))
        };
        let reached = nodes.iter().filter(|node| node.hops > 0).filter_map(there);
        let (nodes, said): (Vec<Node>, Vec<String>) = reached.unzip();
        for (node, coverage) in nodes.iter().zip(self.judged(&said)) {
            self.line("entity", node, node.id, coverage);
        }
    }

    /// Takes in facts and messages that mention who was reached.
    fn look_up(&mut self, nodes: &[Node]) -> Result<()> {
        let Filling { scope, queries, .. } = self.filling;
        let query = queries.all.first().map_or("", |asked| asked.text.as_str());
        let reached: Vec<&Node> = nodes.iter().filter(|node| node.hops > 0).collect();
        let reached = sorted(&reached, |one, other| other.strength.total_cmp(&one.strength));
        for kind in [Kind::Fact, Kind::Message] {
            let mut of_kind: Vec<Found<'s>> = Vec::new();
            for node in reached.iter().take(LOOKED_UP) {
                let Some(entity) = self.store.get(scope, node.id) else { continue };
                let name = name_of(&entity);
                let asked = Asked { text: format!("{name} {query}"), embedding: None };
                let mut found = self.filling.find_by(self.store, kind, &asked)?;
                found.retain(|found| mentions(found.record.text.unwrap_or_default(), name));
                found.truncate(MENTIONING);
                let said = |found: &Found<'_>| {
                    let text: String =
                        found.record.text.unwrap_or_default().chars().take(LINE_CHARACTERS).collect();
                    node.and(&text)
                };
                let said: Vec<String> = found.iter().map(said).collect();
                for (mut found, coverage) in found.into_iter().zip(self.judged(&said)) {
                    let document = found.score.document;
                    if coverage <= node.coverage || self.reached.hops.contains_key(&document) {
                        continue;
                    }
                    let path = node.relevance(coverage);
                    found.score = Fused { document, terms: Default::default(), score: path };
                    (found.signals, found.relevance) = (Signals { path, ..Signals::default() }, path);
                    found.judged = Some([coverage, node.strength]);
                    self.reached.hops.insert(document, node.hops);
                    of_kind.push(found);
                }
            }
            self.reached.found.push((kind, of_kind));
        }
        Ok(())
    }

    /// Takes in a line about a node that holds such a part of what is asked for, with the way to it.
    fn line(&mut self, what: &'static str, node: &Node, id: Id, coverage: f32) {
        let path = node.relevance(coverage);
        let terms = Terms {
            signals: Signals { path, ..Signals::default() },
            coverage: Some(coverage),
            person: Some(node.strength),
            hops: Some(node.hops),
            ..Terms::default()
        };
        let fit = Fit { score: path, relevance: path, terms };
        self.reached.lines.push(Line { what, way: node.way.clone(), id, fit });
    }
}

/// What is left of a strength behind a relation.
fn decayed(strength: f32, is_asked: bool) -> f32 {
    strength * if is_asked { DECAY } else { DECAY * UNASKED }
}

impl Node {
    fn of(id: Id) -> Self {
        Self { id, hops: 0, strength: 1.0, way: Vec::new(), said: String::new(), coverage: 0.0 }
    }

    /// What is said on the way here, and something about who is here.
    fn and(&self, more: &str) -> String {
        if self.said.is_empty() { more.to_owned() } else { format!("{}. {more}", self.said) }
    }

    /// How surely something about who is here is about what is asked: it holds so much of that, with the way here.
    fn relevance(&self, coverage: f32) -> f32 {
        let new = if coverage > self.coverage { 1.0 } else { NOTHING_NEW };
        self.strength * coverage * new
    }
}
