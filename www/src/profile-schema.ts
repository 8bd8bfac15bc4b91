/** What the demo's profile may hold. The descriptions steer the extraction, the labels are for the panel. */

export const PROFILE_ID = "user-profile";

const text = (description: string) => ({ type: "string", minLength: 1, maxLength: 200, description }) as const;
const list = (description: string) => ({ type: "array", items: { type: "string", minLength: 1, maxLength: 200 }, maxItems: 30, description }) as const;

export const PROFILE_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  properties: {
    name: text("The name the user goes by."),
    place: text("Where the user lives now: a city, region or country."),
    job: text("What the user does for a living, or studies."),
    job_status: {
      type: "string",
      enum: ["employed", "self-employed", "student", "looking for work", "retired", "not working"],
      description: "The user's present situation at work.",
    },
    languages: list("Languages the user speaks."),
    likes: list("Things, activities and food the user likes."),
    dislikes: list("Things, activities and food the user dislikes or avoids."),
    goals: list("What the user wants to reach, learn or finish."),
    allergies: list("What the user is allergic to."),
  },
} as const;

export type FieldName = keyof (typeof PROFILE_SCHEMA)["properties"];

export const FIELD_NAMES = Object.keys(PROFILE_SCHEMA.properties) as FieldName[];

export const FIELD_LABELS: Record<FieldName, string> = {
  name: "Name",
  place: "Home",
  job: "Job",
  job_status: "Work status",
  languages: "Languages",
  likes: "Likes",
  dislikes: "Dislikes",
  goals: "Goals",
  allergies: "Allergies",
};
