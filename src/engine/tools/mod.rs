//! Tools: what a model may do with a memory, as definitions in the shapes that models' interfaces take, and carrying out what
//! a model calls.
//!
//! A call of the table is checked against its parameters, goes to the method that it names, and comes back as a text for the
//! model, in a number of tokens. What a model got wrong is told to it and changes nothing.

mod answer;
mod definition;

use super::engine::Engine;
use crate::error::Result;
use crate::json::shown;
use crate::memory::changes::pinned_by_user;
use crate::memory::context::Checked;
use crate::memory::limits::{self, invalid};
use crate::memory::message::thread;
use crate::memory::tools::{RESULT_TOKENS, SETS, Tool, outcome, unknown};
use crate::ports::Pending;
use crate::scope::Scope;
use answer::answered;
use definition::Shape;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The methods that answer with an excerpt of the graph.
const EXCERPTS: &[&str] = &["graph.read_graph", "graph.search_nodes", "graph.open_nodes"];
/// What stands before why a call was refused, and how many tokens that has at most.
const REFUSED: &str = "Error, nothing was changed: ";
const REFUSED_TOKENS: usize = 20;
/// The bounds of how many tokens a result may be asked to have.
const LEAST_TOKENS: usize = 100;
const MAX_TOKENS: usize = 1_000_000;

/// Which tools, and in which shape.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolList {
    /// `openai`, `anthropic` or `mcp`.
    pub format: String,
    /// The sets; all by default.
    pub include: Option<Vec<String>>,
}

/// What a model called.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments: an object, or that as JSON text as a model writes it; none by default.
    #[serde(default)]
    pub arguments: Value,
    /// The sets it may call tools of; all by default.
    pub include: Option<Vec<String>>,
    /// The conversation the model is in.
    pub thread_id: Option<String>,
    /// At most so many tokens of result, 100 to 1 000 000; 2000 by default.
    pub max_tokens: Option<usize>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Called {
    /// Whether it was done.
    pub ok: bool,
    /// What to tell the model, in at most as many tokens as were asked for.
    pub result: String,
    /// True when it was not done.
    #[serde(skip_serializing_if = "is_false")]
    pub is_error: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Engine {
    /// The definitions of tools. Those of the profile are left out while no schema is registered.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown format or set.
    pub(super) fn tools(&self, asked: &ToolList) -> Result<Vec<Value>> {
        let shape = Shape::named(&asked.format)?;
        let schemas = self.profiles.schemas();
        Ok(self.offered(asked.include.as_deref())?.map(|tool| shape.of(tool, schemas)).collect())
    }

    /// The tools of some sets, or of all. Those of the profile are there only with a schema.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown set.
    fn offered<'a>(&self, include: Option<&'a [String]>) -> Result<impl Iterator<Item = &'static Tool> + 'a> {
        if let Some(unknown) = include.into_iter().flatten().find(|set| !SETS.contains(&set.as_str())) {
            let unknown = shown(&unknown.as_str().into());
            return Err(invalid(format!("include has {unknown}; the sets of tools are {}", SETS.join(", "))));
        }
        let has_profiles = self.profiles.schemas().iter().next().is_some();
        let is_offered = move |tool: &&Tool| {
            include.is_none_or(|sets| sets.iter().any(|name| name == tool.set()))
                && (has_profiles || tool.set() != "profile")
        };
        Ok(Tool::all().iter().filter(is_offered))
    }

    /// Carries out what a model called.
    ///
    /// # Errors
    /// `InvalidInput` for what the application got wrong: an unknown set, a thread that is none. Those that no model can do anything
    /// about, such as a storage that fails or a memory that is closed. All others are the answer.
    pub(super) async fn call_tool(&self, scope: &Scope, call: ToolCall) -> Result<Called> {
        // The application's to name, not the model's.
        let thread_id = thread(call.thread_id.as_deref())?;
        let tokens = call.max_tokens.unwrap_or(RESULT_TOKENS);
        limits::whole("maxTokens", tokens, LEAST_TOKENS..=MAX_TOKENS)?;
        let offered = || self.offered(call.include.as_deref());
        let done = match offered()?.find(|tool| tool.name() == call.name) {
            Some(tool) => self.for_tools().carry_out(scope, thread_id, tool, &call.arguments, tokens).await,
            None => Err(unknown(&call.name, offered()?)),
        };
        let (ok, told) = outcome(done, tokens - REFUSED_TOKENS, &self.counter)?;
        let result = if ok { told } else { format!("{REFUSED}{told}") };
        Ok(Called { ok, result, is_error: !ok })
    }

    async fn carry_out(
        &self,
        scope: &Scope,
        thread_id: &str,
        tool: &Tool,
        given: &Value,
        tokens: usize,
    ) -> Result<String> {
        let method = tool.method();
        if method == "context.call" {
            let call = Checked::read(tool.name(), given)?;
            return self.context.carry_out_one(scope, thread_id, &call).await;
        }
        let mut arguments = tool.arguments(given)?;
        self.refuse_pinned(scope, method, &arguments)?;
        if method == "profiles.set" && arguments.get("value").is_some_and(Value::is_null) {
            let field = json!({ "schema": arguments.get("schema"), "field": arguments.get("field") });
            return answered(method, &self.ask(scope, "profiles.delete", &field).await?);
        }
        if EXCERPTS.contains(&method) {
            // An excerpt is cut where it hangs together; its JSON is a little longer than what it counts.
            arguments.insert("maxTokens".to_owned(), (tokens * 9 / 10).into());
        }
        answered(method, &self.ask(scope, method, &Value::Object(arguments)).await?)
    }

    /// The same memory for tools: what they write is recorded as the model's doing.
    fn for_tools(&self) -> Self {
        let mut engine = self.clone();
        engine.facts = self.facts.for_tools();
        engine.profiles = self.profiles.for_tools();
        engine.graph = self.graph.for_tools();
        engine
    }

    /// Calls a method by name. Boxed: that is what brought us here.
    fn ask<'a>(&'a self, scope: &'a Scope, method: &'a str, options: &Value) -> Pending<'a, Result<String>> {
        let options = options.to_string();
        Box::pin(async move { self.call_in(scope, method, &options).await })
    }

    /// Refuses to change what the user pinned in the graph, and names it; the rest is refused where it is planned.
    fn refuse_pinned(&self, scope: &Scope, method: &str, arguments: &Map<String, Value>) -> Result<()> {
        let Some(operation) = method.strip_prefix("graph.") else { return Ok(()) };
        let pinned = self.graph.pinned(scope, operation, &Value::Object(arguments.clone()))?;
        pinned.map_or(Ok(()), |name| Err(pinned_by_user(&name)))
    }
}
