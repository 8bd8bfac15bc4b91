//! Slots: the kinds of plain statement that rules can find, and what each means for a profile.

use crate::memory::Category;
use serde::{Deserialize, Serialize};

/// The kind of a statement. A slot that holds one value is replaced by a newer statement;
/// one that holds many collects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// The user's name.
    Name,
    /// How the user wants to be called.
    Nickname,
    /// Age in years, as digits.
    Age,
    /// Day of birth, as the user wrote it.
    Birthday,
    /// Year of birth.
    BirthYear,
    /// Where the user lives.
    Place,
    /// Where the user comes from.
    Origin,
    /// Nationality.
    Nationality,
    /// Occupation.
    Job,
    /// Where the user works.
    Employer,
    /// The industry or department the user works in.
    Industry,
    /// Field of study.
    Study,
    /// A language the user speaks.
    Language,
    /// Married, single and so on.
    Relationship,
    /// A relative; the topic is the relation, the value a name or a number.
    Family,
    /// Who leads the user at work.
    Boss,
    /// A pet; the topic is the animal, the value its name or the animal itself.
    Pet,
    /// The favourite of a topic, such as a colour.
    Favorite,
    /// Something the user likes or prefers.
    Like,
    /// Something the user does not like.
    Dislike,
    /// A diet, or food the user does not eat.
    Diet,
    /// Something the user is allergic to.
    Allergy,
    /// A lasting illness or state of health, or what is taken for it.
    Health,
    /// Something the user works towards.
    Goal,
    /// Something the user has difficulty with.
    Struggle,
    /// Something the user decided.
    Decision,
    /// Something that happened to the user.
    Event,
    /// How the user wants to be answered.
    Instruction,
}

impl Slot {
    /// Every slot.
    pub const ALL: [Slot; 28] = [
        Slot::Name,
        Slot::Nickname,
        Slot::Age,
        Slot::Birthday,
        Slot::BirthYear,
        Slot::Place,
        Slot::Origin,
        Slot::Nationality,
        Slot::Job,
        Slot::Employer,
        Slot::Industry,
        Slot::Study,
        Slot::Language,
        Slot::Relationship,
        Slot::Family,
        Slot::Boss,
        Slot::Pet,
        Slot::Favorite,
        Slot::Like,
        Slot::Dislike,
        Slot::Diet,
        Slot::Allergy,
        Slot::Health,
        Slot::Goal,
        Slot::Struggle,
        Slot::Decision,
        Slot::Event,
        Slot::Instruction,
    ];

    /// The slot's stable lower-case name, as used in [`crate::memory::rules::Statement::key`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Nickname => "nickname",
            Self::Age => "age",
            Self::Birthday => "birthday",
            Self::BirthYear => "birth year",
            Self::Place => "place",
            Self::Origin => "origin",
            Self::Nationality => "nationality",
            Self::Job => "job",
            Self::Employer => "employer",
            Self::Industry => "industry",
            Self::Study => "study",
            Self::Language => "language",
            Self::Relationship => "relationship",
            Self::Family => "family",
            Self::Boss => "boss",
            Self::Pet => "pet",
            Self::Favorite => "favorite",
            Self::Like => "like",
            Self::Dislike => "dislike",
            Self::Diet => "diet",
            Self::Allergy => "allergy",
            Self::Health => "health",
            Self::Goal => "goal",
            Self::Struggle => "struggle",
            Self::Decision => "decision",
            Self::Event => "event",
            Self::Instruction => "instruction",
        }
    }

    /// Whether the slot collects values instead of replacing the one it has.
    ///
    /// [`Slot::Favorite`] holds one value per topic; a family or a household may have several.
    pub fn holds_many(self) -> bool {
        matches!(
            self,
            Self::Language
                | Self::Family
                | Self::Pet
                | Self::Like
                | Self::Dislike
                | Self::Diet
                | Self::Allergy
                | Self::Health
                | Self::Goal
                | Self::Struggle
                | Self::Decision
                | Self::Event
                | Self::Instruction
        )
    }

    /// The slots that cannot hold the same value at the same time.
    pub fn opposites(self) -> &'static [Slot] {
        match self {
            Self::Like => &[Self::Dislike],
            Self::Dislike => &[Self::Like, Self::Favorite],
            _ => &[],
        }
    }

    /// The category its facts are filed under.
    pub fn category(self) -> Category {
        match self {
            Self::Favorite | Self::Like | Self::Dislike | Self::Diet => Category::Preference,
            Self::Goal => Category::Goal,
            Self::Struggle => Category::PainPoint,
            Self::Decision => Category::Decision,
            Self::Event => Category::Event,
            Self::Nickname | Self::Instruction => Category::Instruction,
            _ => Category::PersonalInfo,
        }
    }

    /// How much a fact in this slot matters, 1 (trifle) to 10 (identity or health).
    pub fn significance(self) -> u8 {
        match self {
            Self::Name | Self::Allergy | Self::Health => 10,
            Self::Nickname | Self::Instruction => 9,
            Self::Place | Self::Job | Self::Diet | Self::Goal | Self::Birthday => 8,
            Self::Age
            | Self::BirthYear
            | Self::Origin
            | Self::Nationality
            | Self::Employer
            | Self::Relationship
            | Self::Family
            | Self::Struggle => 7,
            Self::Industry
            | Self::Study
            | Self::Language
            | Self::Boss
            | Self::Pet
            | Self::Decision
            | Self::Event => 6,
            Self::Favorite | Self::Like | Self::Dislike => 5,
        }
    }

    /// The names under which profile schemas usually keep this slot's value, the most usual first.
    pub fn field_names(self) -> &'static [&'static str] {
        match self {
            Self::Name => &["name", "full_name", "first_name", "user_name", "display_name"],
            Self::Nickname => &["nickname", "preferred_name", "call_me", "display_name"],
            Self::Age => &["age", "age_years"],
            Self::Birthday => &["birthday", "birthdate", "birth_date", "date_of_birth"],
            Self::BirthYear => &["birth_year", "year_of_birth"],
            Self::Place => &["location", "city", "residence", "lives_in", "home", "place", "current_city"],
            Self::Origin => &["hometown", "origin", "birthplace", "from", "home_town"],
            Self::Nationality => &["nationality", "citizenship"],
            Self::Job => &["job", "occupation", "profession", "job_title", "role", "work"],
            Self::Employer => &["employer", "company", "workplace", "organization"],
            Self::Industry => &["industry", "sector", "field", "department"],
            Self::Study => &["major", "field_of_study", "studies", "education"],
            Self::Language => &["languages", "spoken_languages", "language"],
            Self::Relationship => &["relationship_status", "marital_status", "relationship"],
            Self::Family => &["family", "relatives", "family_members"],
            Self::Boss => &["boss", "manager", "boss_name", "manager_name", "supervisor"],
            Self::Pet => &["pets", "pet", "animals"],
            Self::Favorite => &["favorites", "favourites", "preferences", "likes"],
            Self::Like => &["likes", "interests", "hobbies", "preferences"],
            Self::Dislike => &["dislikes", "aversions", "hates"],
            Self::Diet => &["diet", "dietary_restrictions", "dietary_preferences", "food_restrictions"],
            Self::Allergy => &["allergies", "allergy", "dietary_restrictions"],
            Self::Health => &["health", "conditions", "medical_conditions", "health_conditions"],
            Self::Goal => &["goals", "goal", "objectives", "aspirations", "ambitions"],
            Self::Struggle => &["pain_points", "struggles", "challenges", "difficulties"],
            Self::Decision => &["decisions"],
            Self::Event => &["events", "life_events", "milestones"],
            Self::Instruction => &["instructions", "response_style", "communication_style"],
        }
    }
}
