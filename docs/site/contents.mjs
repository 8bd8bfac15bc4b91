/** What the site's lists say beside the titles and first sentences of the documents themselves. */

/** The guides by task. One that is in no list is shown under "More". */
export const guides = [
  { text: "Remember and recall", items: ["recall", "learning", "threads", "prompts", "context"] },
  { text: "What is known", items: ["facts", "profiles", "graph", "documents", "items", "tiers"] },
  { text: "The user decides", items: ["review", "history", "forgetting", "temporary", "encryption", "security"] },
  { text: "Models and frameworks", items: ["models", "tools", "ai-sdk", "react", "panel", "langgraph", "mcp"] },
  { text: "Where it runs", items: ["storage", "bundlers", "workers", "node", "cloudflare", "inspect"] },
  { text: "Move and keep", items: ["backup", "imports"] },
];

/** The stacks to pick from, each with its guide. */
export const stacks = [
  { name: "A plain page", text: "No bundler: one script and a policy", guide: "bundlers.md#a-plain-page" },
  { name: "Vite, webpack and others", text: "What each bundler needs, mostly nothing", guide: "bundlers.md#which-bundlers-work" },
  { name: "React", text: "A provider and hooks that stay current", guide: "react.md" },
  { name: "assistant-ui", text: "A history and a model adapter for its local runtime", guide: "react.md#assistant-ui" },
  { name: "Vue and Svelte", text: "Composables and stores that stay current", guide: "react.md#vue" },
  { name: "Next.js and the AI SDK", text: "A memory around the model of a streaming route", guide: "ai-sdk.md" },
  { name: "LangGraph and LangChain", text: "A store and a checkpointer", guide: "langgraph.md" },
  { name: "MCP", text: "A server for clients such as desktop assistants", guide: "mcp.md" },
  { name: "Tools of OpenAI and Anthropic", text: "Definitions, and a function that runs the calls", guide: "tools.md" },
  { name: "A Node server", text: "Files or SQLite, a memory per user", guide: "node.md" },
  { name: "Cloudflare", text: "A Durable Object per user", guide: "cloudflare.md" },
  { name: "A panel to drop in", text: "An element that shows what is known, with search, edit and undo", guide: "panel.md" },
];

/** The other documents, for the list at the side. */
export const background = [
  { text: "Concepts", items: ["docs/concepts/learning.md", "docs/concepts/scopes.md", "docs/concepts/storage.md", "docs/concepts/places.md"] },
  { text: "Measured", items: ["docs/figures.md", "docs/peers.md", "docs/scale.md", "docs/limits.md"] },
  { text: "Compared", items: ["docs/comparison.md"] },
  { text: "Inside", items: ["docs/design.md", "docs/ranking.md", "docs/indexes.md", "docs/format.md", "docs/security.md", "CONTRIBUTING.md", "CHANGELOG.md"] },
];
