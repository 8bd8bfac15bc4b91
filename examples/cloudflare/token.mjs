/** Prints a token for a user, valid for an hour: `TOKEN_SECRET=... npm run --silent token alice`. An app does this when a user has logged in. */
import { SignJWT } from "jose";

const [user] = process.argv.slice(2);
const { TOKEN_SECRET = "" } = process.env;
if (user === undefined || TOKEN_SECRET.length < 32) {
  throw new Error("give TOKEN_SECRET of at least 32 characters in the environment, and the id of a user");
}
const token = new SignJWT().setProtectedHeader({ alg: "HS256" }).setSubject(user).setAudience("mnemic-example").setExpirationTime("1h");
console.log(await token.sign(new TextEncoder().encode(TOKEN_SECRET)));
