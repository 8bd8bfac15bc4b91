/**
 * A process that counts in a file together with others, until it is killed or has counted so often.
 *
 *   node incrementer.mjs PROJECT FILE WHO TIMES
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , project, file, who, times] = process.argv;
const { fileStorage } = await import(pathToFileURL(join(project, "node_modules/mnemic/node/index.js")));
const storage = fileStorage(file, { durability: "relaxed" });

const head = async () => {
  const [[, value] = []] = await storage.read("head", "head!");
  return value === undefined ? 0 : Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true));
};

for (let done = 0; done < Number(times); ) {
  const counter = await head();
  const next = new Uint8Array(8);
  new DataView(next.buffer).setBigUint64(0, BigInt(counter + 1), true);
  const key = `log/${String(counter + 1).padStart(8, "0")}`;
  // Every tenth batch takes away what is older, so that the file is overwritten and made anew.
  const deletes = counter % 10 === 9 ? (await storage.read("log/", key)).map(([key]) => key) : [];
  try {
    const large = new TextEncoder().encode(`${who} ${done} `.padEnd(20_000, "."));
    await storage.write({ puts: [[key, large], [`count/${who}`, new TextEncoder().encode(String(done + 1))], ["head", next]], deletes }, counter);
  } catch (error) {
    if (error.code !== "Conflict") throw error;
    continue;
  }
  done += 1;
  writeSync(1, `${counter + 1}\n`);
}
storage.close();
