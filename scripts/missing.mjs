/** A piece the machine lacks and this project cannot install by itself, with its cure. */
export class Missing extends Error {
  /**
   * @param {string} piece what is missing
   * @param {string} cure what to run or change
   */
  constructor(piece, cure) {
    super(`missing: ${piece}\n   cure: ${cure}`);
    this.name = "Missing";
  }
}
