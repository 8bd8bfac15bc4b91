const { openMemory } = require("mnemic");

import("../conversation.js").then(async ({ converse }) => {
  console.log(JSON.stringify(await converse(openMemory, { storage: "memory" })));
});
