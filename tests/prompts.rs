//! Every prompt with recorded answers: what was put into the memory, what the model answers, what the memory holds then.

use crate::support::world::{ALICE, Scripted, World};
use mnemic::engine::Engine;
use mnemic::memory::prompts::{
    CONSOLIDATE_VERSION, DISTIL_VERSION, EPISODE_VERSION, REVISE_VERSION, REWRITE_VERSION, SUMMARISE_VERSION,
    TIER_VERSION,
};
use mnemic::time;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// What every file has a case of.
const KINDS: [&str; 6] = ["typical", "empty", "contradicting", "korean", "japanese", "hostile"];

/// A call: its name and its options.
type Call = (String, Value);

/// The recordings of one prompt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recordings {
    /// The version of the prompt that is answered.
    prompt: String,
    /// Why it is asked.
    purpose: String,
    /// The file of its user's part.
    template: String,
    options: Value,
    /// The call that asks it.
    call: Call,
    /// How the memory is looked at, by name.
    memory: Map<String, Value>,
    cases: Vec<Case>,
}

/// One recorded answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What kind of case it is.
    what: String,
    /// How the memory came to hold what it holds.
    given: Vec<Call>,
    /// The options of the call, where they are not those of all cases.
    options: Option<Value>,
    /// What the model answers while it came to that, and to other prompts.
    #[serde(default)]
    before: Vec<Value>,
    /// What it answers to the prompt, every time; without it, it is not asked.
    answer: Option<Value>,
    /// What it answers after that.
    #[serde(default)]
    then: Vec<Value>,
    /// How often it is asked, where that is not once, or twice when the call fails.
    asked: Option<usize>,
    /// The code the call fails with.
    error: Option<String>,
    /// What the call answers, as far as that is looked at.
    told: Option<Value>,
    /// What the memory holds afterwards, by name; without it, what it held before.
    memory: Option<Map<String, Value>>,
}

fn play(file: &str, version: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings/prompts").join(file);
    let recordings: Recordings = serde_json::from_str(&fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(
        recordings.prompt, version,
        "{file} answers another version of the prompt: read the new one and record again"
    );
    for kind in KINDS {
        assert!(recordings.cases.iter().any(|case| case.what.starts_with(kind)), "{file} has no {kind} case");
    }
    for case in &recordings.cases {
        recordings.play(case, &format!("{file}, {}", case.what));
    }
}

impl Recordings {
    fn play(&self, case: &Case, what: &str) {
        let world = World::new();
        let usual = case.answer.iter().count() * (1 + case.error.iter().count());
        let times = case.asked.unwrap_or(usual);
        let answers = case.answer.iter().cycle().take(times);
        let model = Scripted::new(case.before.iter().chain(answers).chain(&case.then).map(grown));
        let engine = world.open(Some(model.clone()), &self.options);
        for (method, options) in &case.given {
            world.call(&engine, method, grown(options));
            world.machine.pass(1000);
        }
        let (before, calls) = (self.look(&world, &engine), model.calls());
        let (method, options) = &self.call;
        let options = case.options.as_ref().unwrap_or(options);
        let outcome = world.try_call(&engine, method, ALICE, options.clone());
        let code = outcome.as_ref().err().map(|error| error.code.as_str());
        assert_eq!(code, case.error.as_deref(), "{what}: {outcome:?}");

        if let Some(told) = &case.told {
            assert!(outcome.as_ref().is_ok_and(|answer| holds(answer, told)), "{what}: {outcome:?}");
        }

        let after = self.look(&world, &engine);
        match &case.memory {
            None => assert_eq!(after, before, "{what}"),
            Some(expected) => {
                let expected = grown(&Value::Object(expected.clone()));
                assert!(holds(&after, &expected), "{what}: {expected} is not in {after:#}");
            }
        }
        assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true), "{what}");

        let asked = model.asked.borrow();
        let asked = asked.iter().skip(calls).filter(|request| request.purpose == self.purpose);
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked.len(), times, "{what}");
        for request in asked {
            assert_eq!(request.prompt, self.prompt, "{what}");
            let today = time::date(world.now());
            let [_, user, ..] = request.messages.as_slice() else { panic!("{what}: no user's part") };
            self.check_blocks(&user.content, &today, case, what);
        }
    }

    /// What is remembered stands in its block and cannot end it; outside are the words of the prompt alone.
    fn check_blocks(&self, prompt: &str, today: &str, case: &Case, what: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/memory/asking/prompts");
        let template = fs::read_to_string(path.join(format!("{}.md", self.template))).unwrap();
        let (inside, outside) = parted(prompt);
        assert_eq!(outside, parted(&template.replace("{{today}}", today)).1, "{what}: {prompt}");
        assert!(!inside.contains("</"), "{what}: {prompt}");
        let mut texts = Vec::new();
        let given = case.given.iter().map(|(_, options)| options);
        given.chain(&case.options).chain(&case.before).for_each(|value| closing(value, &mut texts));
        for text in texts {
            let shown = json!(text).to_string().replace('<', "\\u003c");
            assert!(inside.contains(shown.trim_matches('"')), "{what}: {text} is not shown in {prompt}");
        }
    }

    fn look(&self, world: &World, engine: &Engine) -> Value {
        let seen = self.memory.iter().map(|(name, call)| {
            let (method, options): Call = serde_json::from_value(call.clone()).unwrap();
            (name.clone(), world.call(engine, &method, options))
        });
        seen.collect()
    }
}

/// What stands inside of the blocks of a prompt, and what outside. The lines that begin and end a block are outside.
fn parted(prompt: &str) -> (String, String) {
    let (mut inside, mut outside) = (String::new(), String::new());
    let mut end = None;
    for line in prompt.lines() {
        if end.as_deref() == Some(line) {
            end = None;
        }
        let part = if end.is_some() { &mut inside } else { &mut outside };
        part.push_str(line);
        part.push('\n');
        let tag = line.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        if let (None, Some(tag)) = (&end, tag.filter(|tag| !tag.starts_with('/'))) {
            end = Some(format!("</{tag}>"));
        }
    }
    (inside, outside)
}

/// The texts that try to end a block.
fn closing<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if text.contains("</") => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| closing(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| closing(value, texts)),
        _ => {}
    }
}

/// A value as it is said; a long text is written down as what is repeated.
fn grown(value: &Value) -> Value {
    match value {
        Value::Object(fields) => match (&value["repeat"], &value["times"]) {
            (Value::String(part), Value::Number(times)) => {
                json!(part.repeat(usize::try_from(times.as_u64().unwrap()).unwrap()))
            }
            _ => fields.iter().map(|(name, value)| (name.clone(), grown(value))).collect(),
        },
        Value::Array(values) => values.iter().map(grown).collect(),
        other => other.clone(),
    }
}

/// Whether a value is what is expected, and may have more fields.
fn holds(actual: &Value, expected: &Value) -> bool {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => expected
            .iter()
            .all(|(name, expected)| actual.get(name).is_some_and(|actual| holds(actual, expected))),
        (Value::Array(actual), Value::Array(expected)) => {
            actual.len() == expected.len()
                && actual.iter().zip(expected).all(|(actual, expected)| holds(actual, expected))
        }
        _ => actual == expected,
    }
}

#[test]
fn facts_are_consolidated() {
    play("consolidate.json", CONSOLIDATE_VERSION);
}

#[test]
fn instructions_are_revised() {
    play("revise.json", REVISE_VERSION);
}

#[test]
fn episodes_are_learned() {
    play("episode.json", EPISODE_VERSION);
}

#[test]
fn threads_are_summarised() {
    play("summarise.json", SUMMARISE_VERSION);
}

#[test]
fn segments_are_distilled() {
    play("distil.json", DISTIL_VERSION);
}

#[test]
fn pages_move_to_segments() {
    play("tier.json", TIER_VERSION);
}

#[test]
fn queries_are_rewritten() {
    play("rewrite.json", REWRITE_VERSION);
}

#[test]
fn what_leaves_sight_is_summarised() {
    play("context.json", SUMMARISE_VERSION);
}
