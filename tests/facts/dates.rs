//! Dates as they were said: a day, a month, a season, a year or a decade, given by an application or learned by a model.

use crate::support::world::{Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use mnemic::time::parse;
use serde_json::{Value, json};

/// What one message is learned as: the facts of the answer, said at a time.
fn learned(world: &World, engine: &Engine, thread: &str, said_at: &str, content: &str) {
    let message = json!({ "role": "user", "content": content, "createdAt": parse(said_at).unwrap() });
    world.call(engine, "generate", json!({ "threadId": thread, "messages": [message] }));
}

fn adds(text: &str, dates: &Value) -> Value {
    let mut fact = json!({ "action": "add", "text": text, "significance": 7, "message": 1 });
    for (name, date) in dates.as_object().unwrap() {
        fact[name] = date.clone();
    }
    json!({ "facts": [fact] })
}

fn all(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "facts.list", json!({ "includeEnded": true })).as_array().unwrap().clone()
}

/// The lines of a recall of everything.
fn recalled(world: &World, engine: &Engine) -> String {
    world.call(engine, "recall", json!({ "query": "the user" }))["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_date_is_kept_as_precisely_as_it_was_said() {
    for (since, dates, from) in [
        ("2021-05-14", json!({ "since": "2021-05-14" }), "2021-05-14"),
        ("2021-05", json!({ "since": "2021-05" }), "2021-05-01"),
        ("Spring 2021", json!({ "since": "spring 2021" }), "2021-03-01"),
        ("2021", json!({ "since": "2021" }), "2021-01-01"),
        ("1990s", json!({ "since": "1990s" }), "1990-01-01"),
        ("the spring of 2021", json!({ "since": "spring 2021" }), "2021-03-01"),
        ("May 2021", json!({ "since": "2021-05" }), "2021-05-01"),
        ("May 5, 2021", json!({ "since": "2021-05-05" }), "2021-05-05"),
        ("early 2020", json!({ "since": "2020" }), "2020-01-01"),
        ("Christmas 2020", json!({ "since": "2020-12-25" }), "2020-12-25"),
        ("2024", Value::Null, "2023-05-08T13:00"),
        ("1965", json!({ "since": "1965" }), "1965-01-01"),
        ("1850s", json!({ "since": "1850s" }), "1850-01-01"),
        // No time that is kept: nothing would come of asking again.
        ("0965", Value::Null, "2023-05-08T13:00"),
        ("", Value::Null, "2023-05-08T13:00"),
    ] {
        let world = World::new();
        let model = Scripted::new([adds("The user lives in Rome.", &json!({ "since": since }))]);
        let engine = world.open(Some(model), &json!({}));
        learned(&world, &engine, "one", "2023-05-08T13:00", "I live in Rome.");
        let fact = &all(&world, &engine)[0];
        assert_eq!(fact["dates"], dates, "{since}");
        assert_eq!(fact["validFrom"], json!(parse(from).unwrap()), "{since}");
        let line = match dates["since"].as_str() {
            Some(date) => format!("The user lives in Rome. (since {date})"),
            None => "The user lives in Rome. (said 2023-05-08)".to_owned(),
        };
        let text = recalled(&world, &engine);
        assert!(text.contains(&line), "{since}: {text}");
    }
}

#[test]
fn a_date_that_cannot_be_read_is_asked_for_again_and_then_left_out() {
    for (again, dates) in [("spring 2022", json!({ "since": "spring 2022" })), ("last spring", Value::Null)] {
        let world = World::new();
        let answer = |since: &str| adds("The user lives in Rome.", &json!({ "since": since }));
        let model = Scripted::new([answer("last spring"), answer(again)]);
        let engine = world.open(Some(model.clone()), &json!({}));
        learned(&world, &engine, "one", "2023-05-08T13:00", "I live in Rome since last spring.");
        assert_eq!(model.calls(), 2);
        let complaint = &model.asked.borrow()[1].messages;
        let complaint = complaint.last().unwrap().content.clone();
        assert!(complaint.contains("is no date"), "{complaint}");
        assert_eq!(all(&world, &engine)[0]["dates"], dates, "{again}");
    }
}

#[test]
fn what_ends_by_itself_ends_and_what_was_over_is_still_told() {
    let world = World::new();
    let model = Scripted::new([
        adds("The user is in Rome.", &json!({ "until": "2019-05" })),
        adds("The user worked in Bergen.", &json!({ "since": "2015", "until": "2017" })),
        adds("The user has a visa.", &json!({ "until": "9998" })),
    ]);
    let engine = world.open(Some(model), &json!({}));
    for (thread, said) in
        [("one", "I am in Rome until May."), ("two", "I worked in Bergen."), ("three", "Got it.")]
    {
        learned(&world, &engine, thread, "2019-03-01", said);
    }
    assert_eq!(world.facts(&engine), ["The user has a visa.", "The user worked in Bergen."]);
    let facts = all(&world, &engine);
    assert_eq!(facts[2]["validTo"], json!(parse("2019-06-01").unwrap()), "until the end of the month");
    assert_eq!((&facts[1]["validTo"], &facts[1]["dates"]["until"]), (&Value::Null, &json!("2017")));
    let text = recalled(&world, &engine);
    assert!(text.contains("The user worked in Bergen. (since 2015, until 2017)"), "{text}");
    let then = world.call(&engine, "facts.list", json!({ "validAt": parse("2019-04-01").unwrap() }));
    assert_eq!(then.as_array().unwrap().len(), 3);
}

#[test]
fn what_takes_the_place_of_a_fact_ends_it_when_that_was_said_to_be() {
    for (since, to, until) in [
        ("2022", "2022-01-01", json!("2022")),
        ("autumn 2021", "2021-09-01", json!("autumn 2021")),
        // In the year in which it began: somewhere between, at the latest when it was said.
        ("2021", "2022-01-01", json!("2021")),
        ("someday", "2023-05-08", Value::Null),
    ] {
        let world = World::new();
        let new = json!({ "action": "supersede", "target": 1, "text": "The user lives in Oslo.", "since": since, "message": 1 });
        let model = Scripted::new([
            adds("The user lives in Rome.", &json!({ "since": "spring 2021" })),
            json!({ "facts": [new.clone()] }),
            json!({ "facts": [new] }),
        ]);
        let engine = world.open(Some(model.clone()), &json!({}));
        learned(&world, &engine, "one", "2021-08-01", "I live in Rome.");
        learned(&world, &engine, "two", "2023-05-08", "The user lives in Oslo, not in Rome.");
        assert!(model.prompt().contains(r#""since":"spring 2021""#), "{}", model.prompt());
        let facts = all(&world, &engine);
        let old = facts.iter().find(|fact| fact["text"] == "The user lives in Rome.").unwrap();
        assert_eq!(
            (&old["validTo"], &old["dates"]["until"]),
            (&json!(parse(to).unwrap()), &until),
            "{since}"
        );
        assert_eq!(old["dates"]["since"], json!("spring 2021"));
    }
}

#[test]
fn a_more_exact_fact_keeps_its_dates_unless_others_are_said() {
    for (since, from, dates) in [
        (Value::Null, "2021-03-01", json!({ "since": "spring 2021" })),
        (json!("2021-04"), "2021-04-01", json!({ "since": "2021-04" })),
    ] {
        let world = World::new();
        let new = json!({
            "action": "update", "target": 1, "text": "The user lives in Rome, near the river.", "since": since, "message": 1,
        });
        let model = Scripted::new([
            adds("The user lives in Rome.", &json!({ "since": "spring 2021" })),
            json!({ "facts": [new] }),
        ]);
        let engine = world.open(Some(model), &json!({}));
        learned(&world, &engine, "one", "2022-01-01", "I live in Rome.");
        learned(&world, &engine, "two", "2022-02-01", "In Rome the user lives near the river.");
        let fact = &all(&world, &engine)[0];
        assert_eq!((&fact["validFrom"], &fact["dates"]), (&json!(parse(from).unwrap()), &dates));
    }
}

#[test]
fn an_application_gives_dates_of_any_precision() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let add = |fact: Value| world.call(&engine, "facts.add", fact);
    add(json!({ "text": "Ann lives in Rome.", "dates": { "since": "Spring 2021" } }));
    add(json!({ "text": "Ann has a visa.", "dates": { "until": "9998" } }));
    add(json!({ "text": "Ann rows.", "validFrom": parse("2020-02-03").unwrap() }));
    let import = json!({ "facts": [
        { "text": "Ann sings.", "dates": { "since": "1990s", "until": "2001-04" } },
        { "text": "Ann paints.", "dates": {}, "validFrom": parse("2020-02-03").unwrap() },
    ] });
    world.call(&engine, "facts.import", import);
    let dates: Vec<Value> = all(&world, &engine).iter().map(|fact| fact["dates"].clone()).collect();
    assert_eq!(
        dates,
        [
            Value::Null,
            json!({ "since": "1990s", "until": "2001-04" }),
            json!({ "since": "2020-02-03" }),
            json!({ "until": "9998" }),
            json!({ "since": "spring 2021" }),
        ]
    );
    let found = world.call(&engine, "facts.list", json!({ "filter": { "dates.since": "spring 2021" } }));
    let id = found[0]["id"].clone();
    let update = |changes: Value| {
        let mut changes = changes;
        changes["id"] = id.clone();
        world.call(&engine, "facts.update", changes);
        world.call(&engine, "facts.get", json!({ "id": id }))
    };
    let fact = update(json!({ "dates": { "since": "2021-04", "until": "2022" } }));
    assert_eq!(
        (&fact["validFrom"], &fact["validTo"]),
        (&json!(parse("2021-04-01").unwrap()), &json!(parse("2023-01-01").unwrap()))
    );
    let fact = update(json!({ "validTo": null }));
    assert_eq!((&fact["validTo"], &fact["dates"]), (&Value::Null, &json!({ "since": "2021-04" })));
    let fact = update(json!({ "validFrom": parse("2021-04-09T10:00").unwrap() }));
    assert_eq!(fact["dates"], json!({ "since": "2021-04-09" }));
    let fact = update(json!({ "dates": {} }));
    assert_eq!(
        (&fact["validFrom"], &fact["dates"]),
        (&json!(parse("2021-04-09T10:00").unwrap()), &Value::Null)
    );
}

#[test]
fn dates_that_are_none_change_nothing() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.call(&engine, "facts.add", json!({ "text": "Ann rows." }))["id"].clone();
    let before = all(&world, &engine);
    for (dates, complaint) in [
        (json!("2021"), "dates is \"2021\""),
        (json!({ "from": "2021" }), "dates.from is unknown"),
        (json!({ "since": "soon" }), "dates.since is \"soon\", which is no date"),
        (json!({ "since": 2021 }), "dates.since is 2021, which is no date"),
        (json!({ "since": "2022", "until": "2021" }), "dates.until is \"2021\", before dates.since"),
    ] {
        let fact = json!({ "text": "Ann sings.", "dates": dates });
        for (method, options) in [
            ("facts.add", fact.clone()),
            ("facts.import", json!({ "facts": [fact] })),
            ("facts.update", json!({ "id": id, "dates": dates })),
        ] {
            let error = world.fails(&engine, method, options);
            assert_eq!(error.code, Code::InvalidInput, "{method}");
            assert!(error.message.contains(complaint), "{method}: {}", error.message);
        }
    }
    for (method, options) in [
        ("facts.add", json!({ "text": "Ann sings.", "validFrom": 5, "dates": { "since": "2021" } })),
        ("facts.update", json!({ "id": id, "validTo": null, "dates": { "since": "2021" } })),
    ] {
        let error = world.fails(&engine, method, options);
        assert!(error.message.contains("both given"), "{}", error.message);
    }
    assert_eq!(all(&world, &engine), before);
}

#[test]
fn relations_keep_the_precision_of_their_dates() {
    let world = World::new();
    let relation = |since: &str, ended: bool| {
        json!({ "facts": [], "entities": [{ "name": "Acme", "type": "company" }], "relations": [
            { "from": "User", "relation": "works_at", "to": "Acme", "since": since, "ended": ended, "message": 1 }] })
    };
    let model = Scripted::new([relation("spring 2021", false), relation("2022", true)]);
    let engine = world.open(Some(model), &json!({}));
    learned(&world, &engine, "one", "2021-08-01", "I work at Acme.");
    let now = world.call(&engine, "graph.relations", json!({}));
    assert_eq!(now[0]["dates"], json!({ "since": "spring 2021" }));
    learned(&world, &engine, "two", "2023-05-08", "I left Acme last year.");
    let ended = world.call(&engine, "graph.relations", json!({ "includeEnded": true }));
    assert_eq!(ended[0]["dates"], json!({ "since": "spring 2021", "until": "2022" }));
    assert_eq!(ended[0]["validTo"], json!(parse("2022-01-01").unwrap()));
    let graph = world.call(&engine, "graph.read_graph", json!({}));
    assert!(!graph.to_string().contains("dates"), "the nine operations show three properties: {graph}");
}

/// A fact that was imported without a time was not said on the day of the import.
#[test]
fn what_is_imported_without_a_time_is_told_without_one() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let facts = json!([
        { "text": "The user lives in Rome." },
        { "text": "The user lives in Oslo.", "validFrom": parse("2021-05-14").unwrap(), "dates": {} },
        { "text": "The user plays the cello.", "dates": { "until": "2031" } },
    ]);
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    world.idle(&engine);
    let text = recalled(&world, &engine);
    for line in [
        "- The user lives in Rome. (contested by \"The user lives in Oslo.\", said 2021-05-14)\n",
        "- The user lives in Oslo. (said 2021-05-14; contested by \"The user lives in Rome.\")\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let cello = world.call(&engine, "recall", json!({ "query": "Which instrument does the user play?" }));
    assert!(cello["text"].as_str().unwrap().contains("- The user plays the cello. (until 2031)"), "{cello}");
}

/// The end was stored before the beginning, and the last moment of a fact depended on who ended it.
#[test]
fn an_end_is_where_what_was_said_of_it_is_over() {
    let since = json!({ "since": "2010" });
    let end =
        |said: &str| json!({ "facts": [{ "action": "end", "target": 1, "since": said, "message": 1 }] });
    for (said, until, over, calls) in [
        ("summer 2014", json!("summer 2014"), "2014-09-01", 2),
        ("2014-06-05", json!("2014-06-05"), "2014-06-06", 2),
        ("2023", json!("2023"), "2023-05-08T13:00", 2),
        ("2008", Value::Null, "2023-05-08T13:00", 3),
    ] {
        let world = World::new();
        let model = Scripted::new([adds("The user lives in Oslo.", &since), end(said), end(said)]);
        let engine = world.open(Some(model.clone()), &json!({}));
        learned(&world, &engine, "one", "2012-05-08T13:00", "I live in Oslo, since 2010.");
        learned(&world, &engine, "two", "2023-05-08T13:00", "I left Oslo.");
        let fact = &all(&world, &engine)[0];
        assert_eq!(
            (&fact["dates"]["until"], &fact["validTo"]),
            (&until, &json!(parse(over).unwrap())),
            "{said}"
        );
        assert_eq!(model.calls(), calls, "{said}");
    }
    let world = World::new();
    let wrong = adds("The user lives in Oslo.", &json!({ "since": "2014", "until": "2010" }));
    let model = Scripted::new([wrong.clone(), wrong]);
    let engine = world.open(Some(model.clone()), &json!({}));
    learned(&world, &engine, "one", "2023-05-08T13:00", "I live in Oslo.");
    assert_eq!((model.calls(), &all(&world, &engine)[0]["dates"]), (2, &json!({ "since": "2014" })));
}
