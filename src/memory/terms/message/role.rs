//! Who speaks.

use crate::record::Trust;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The application's instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::System, Self::User, Self::Assistant, Self::Tool];

    /// How far what it says is trusted. The application speaks for its user.
    pub(crate) fn trust(self) -> Trust {
        match self {
            Self::System | Self::User => Trust::User,
            Self::Assistant => Trust::Assistant,
            Self::Tool => Trust::Tool,
        }
    }

    /// The role as a member of a message's content.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::System => r#""role":"system""#,
            Self::User => r#""role":"user""#,
            Self::Assistant => r#""role":"assistant""#,
            Self::Tool => r#""role":"tool""#,
        }
    }

    /// The role of a message as a chat API writes it, by any of the names it has there.
    pub(crate) fn of_value(message: &Value) -> Option<Self> {
        match message.get("role")?.as_str()? {
            "developer" => Some(Self::System),
            "function" => Some(Self::Tool),
            role => Self::named(role),
        }
    }

    /// The role of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// The role's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// Roles that a call names: one, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles(pub Vec<Role>);

impl<'de> Deserialize<'de> for Roles {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let given = Value::deserialize(deserializer)?;
        let list = given.as_array().map_or(std::slice::from_ref(&given), Vec::as_slice);
        let roles: Option<Vec<Role>> = list.iter().map(|role| Role::named(role.as_str()?)).collect();
        let roles = roles.filter(|roles| !roles.is_empty());
        roles.map(Self).ok_or_else(|| {
            let given = crate::json::shown(&given);
            serde::de::Error::custom(format_args!(
                "is {given}; pass \"system\", \"user\", \"assistant\" or \"tool\", or a list of them"
            ))
        })
    }
}
