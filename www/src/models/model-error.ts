/** A failure told in words for the person at the page. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
