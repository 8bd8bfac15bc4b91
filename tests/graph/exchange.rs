//! Files of other tools.

use super::open;
use crate::support::world::{BOB, World};
use serde_json::json;

#[test]
fn a_file_of_tools_comes_in_and_goes_out_byte_by_byte() {
    let world = World::of("graph.");
    let engine = open(&world);
    let good = concat!(
        r#"{"type":"entity","name":"Alice","entityType":"person","observations":["said \"hi\"","line\nbreak\u0007"]}"#,
        "\n",
        r#"{"type":"entity","name":"Bob","entityType":"","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Alice","to":"Bob","relationType":"knows"}"#,
        "\n",
    );
    let imported = world.call(&engine, "import_jsonl", json!({ "text": good }));
    let commits = imported["commitIds"].clone();
    assert_eq!(imported, json!({ "entities": 2, "relations": 1, "skipped": [], "commitIds": commits }));
    assert_eq!(commits.as_array().unwrap().len(), 2);
    assert_eq!(world.call(&engine, "export_jsonl", json!({})), good);
    let imported = world.call(&engine, "import_jsonl", json!({ "text": good }));
    assert_eq!(imported, json!({ "entities": 0, "relations": 0, "skipped": [], "commitIds": [] }));
    // A relation may stand before its ends; bad lines are named, and nothing else is lost.
    let mixed = concat!(
        "\u{feff}",
        r#"{"type":"relation","from":"Zoe","to":"Bob","relationType":"knows"}"#,
        "\r\n",
        "\n",
        "nonsense\n",
        "[1]\n",
        r#"{"type":"_aim","source":"x"}"#,
        "\n",
        r#"{"type":"entity","name":"Carl","entityType":"person"}"#,
        "\n",
        r#"{"type":"entity","name":"","entityType":"person","observations":[]}"#,
        "\n",
        r#"{"type":"entity","name":"Bob","entityType":"robot","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Zoe","to":"Nobody","relationType":"knows"}"#,
        "\n",
        r#"{"observations":[],"name":"Zoe","entityType":"person","type":"entity","more":1}"#,
    );
    let imported = world.call(&engine, "import_jsonl", json!({ "text": mixed }));
    assert_eq!((&imported["entities"], &imported["relations"]), (&json!(1), &json!(1)));
    let skipped = imported["skipped"].as_array().unwrap();
    let lines: Vec<u64> = skipped.iter().map(|skipped| skipped["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7, 8, 9], "{imported}");
    assert_eq!(skipped[6]["reason"], "Entity with name Nobody not found");
    assert!(skipped[3]["reason"].as_str().unwrap().contains("observations"), "{}", skipped[3]);
    // More than one commit holds.
    let long = "o".repeat(10_000);
    let many: String = (0..600)
        .map(|number| {
            let mut line = json!({ "type": "entity" });
            line["name"] = json!(format!("many {number}"));
            line["entityType"] = json!("thing");
            line["observations"] = json!([if number % 4 == 0 { long.as_str() } else { "short" }]);
            format!("{line}\n")
        })
        .collect();
    let imported = world.call(&engine, "import_jsonl", json!({ "text": many }));
    assert_eq!((&imported["entities"], &imported["skipped"]), (&json!(600), &json!([])));
    let empty = world.try_call(&engine, "graph.export_jsonl", BOB, json!({})).unwrap();
    assert_eq!(empty, "\n");
}
