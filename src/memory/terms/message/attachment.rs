//! What a message holds beside words and tools: told by its type and name, since its bytes are nothing for a text.

use super::part::text;
use serde_json::Value;
use std::fmt::{Display, Formatter, Result};

/// How many characters of a type or name are told.
const CHARACTERS: usize = 120;

/// A picture, a file, or a part of a type that is not known.
pub(crate) struct Attachment<'a> {
    kind: &'a str,
    name: Option<&'a str>,
}

impl<'a> Attachment<'a> {
    /// Reads a part.
    pub(super) fn of(part: &'a Value) -> Self {
        let media = text(part, &["mediaType", "mimeType", "media_type"]).unwrap_or_default();
        let kind = match text(part, &["type"]).unwrap_or("part") {
            "image" | "image_url" | "input_image" | "image-url" | "image-data" => "image",
            "file" | "file-data" | "file-url" | "media" if media.starts_with("image/") => "image",
            "file" | "input_file" | "document" | "file-data" | "file-url" | "media" => "file",
            "input_audio" => "audio",
            kind => kind,
        };
        let inner = ["file", "source", "image_url"].iter().filter_map(|member| part.get(*member));
        let places = || std::iter::once(part).chain(inner.clone());
        let name = places().find_map(|place| text(place, &["filename", "file_name", "name", "title"]));
        let url =
            || places().find_map(|place| text(place, &["url", "image_url", "file_url", "image", "data"]));
        Self { kind, name: name.or_else(|| url().and_then(address)) }
    }

    /// Whether it has bytes or says where they are.
    pub(super) fn is_content(&self, part: &Value) -> bool {
        const PLACES: [&str; 9] =
            ["data", "image", "image_url", "file", "file_data", "source", "url", "fileId", "file_id"];
        ["image", "file", "audio"].contains(&self.kind)
            && PLACES.iter().any(|place| part.get(*place).is_some())
    }
}

/// A web address without what may be secret in it; `None` for bytes.
fn address(url: &str) -> Option<&str> {
    let is_address = url.starts_with("https://") || url.starts_with("http://");
    url.split(['?', '#']).next().filter(|_| is_address)
}

impl Display for Attachment<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let line = |text: &str| {
            let letter = |letter: char| if letter.is_control() { ' ' } else { letter };
            text.chars().take(CHARACTERS).map(letter).collect::<String>()
        };
        match self.name {
            Some(name) => write!(formatter, "[{}: {}]", line(self.kind), line(name)),
            None => write!(formatter, "[{}]", line(self.kind)),
        }
    }
}
