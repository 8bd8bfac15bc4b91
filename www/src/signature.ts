/** How a reply without a model is signed. */
export const MEMORY_ALONE = "Memory only, no model";

/** The memory's own replies only repeat what it holds: finding them again would tell nothing. */
export const NOT_BY_MEMORY = { "metadata.by": { $ne: MEMORY_ALONE } };
