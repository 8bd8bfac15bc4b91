/** What a conversation leaves, whatever the app is made with. */
export const told = (kind) => ({
  kind,
  learned: ["The user has a dog.", "The user lives in Porto."],
  recalled: true,
  forgotten: true,
  encrypted: "key",
  embedded: true,
});
