/** The records of a journal as `docs/format.md` describes them, and what damage leaves of them. It knows nothing of the code that reads them. */

export const BEGINNING = 24;
const HEADER = 64;
export const [BATCH, DROPPED] = [1, 5];

/** The records of a whole file, one after another. */
export function recordsOf(bytes) {
  const records = [];
  for (let at = BEGINNING; at < bytes.length; at = records.at(-1).end) records.push(recordAt(bytes, at));
  return records;
}

function recordAt(bytes, at) {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  const [index, data] = [numbers.getUint32(at + 12, true), numbers.getUint32(at + 16, true)];
  const record = {
    at,
    kind: bytes[at + 8],
    isLast: bytes[at + 9] === 1,
    part: numbers.getUint32(at + 20, true),
    id: `${Buffer.from(bytes.subarray(at + 24, at + 32)).toString("hex")}/${numbers.getUint32(at + 32, true)}`,
    flushed: Number(numbers.getBigUint64(at + 40, true)),
    upon: Number(numbers.getBigUint64(at + 48, true)),
    mask: bytes.subarray(at + 56, at + 60),
    data: at + HEADER + index,
    last: at + HEADER + index + data,
    end: at + HEADER + index + data + HEADER + index + 1,
    puts: [],
    deletes: [],
  };
  if (record.kind !== BATCH) return record;
  let place = at + HEADER + 16;
  let value = record.data;
  const key = () => {
    const length = bytes[place];
    place += 1 + length;
    return Buffer.from(bytes.subarray(place - length, place)).toString("latin1");
  };
  for (let count = numbers.getUint32(at + HEADER + 8, true); count > 0; count -= 1) {
    const put = { key: key(), at: value, end: value + numbers.getUint32(place, true) };
    record.puts.push(put);
    [value, place] = [put.end, place + 8];
  }
  for (let count = numbers.getUint32(at + HEADER + 12, true); count > 0; count -= 1) record.deletes.push(key());
  return record;
}

/** Whether a value was overwritten: then all of it is zeros. */
const isWiped = (bytes, { at, end }) => bytes.subarray(at, end).every((byte) => byte === 0);

/** Whether a sector of a value is zeros: so a power failure leaves it. */
function hasHole(bytes, from, { at, end }) {
  const isZero = (start, stop) => bytes.subarray(start, stop).every((byte) => byte === 0);
  const sectors = Array.from({ length: Math.ceil(end / 512) - Math.floor(at / 512) }, (_, index) => (Math.floor(at / 512) + index) * 512);
  return sectors.some((sector) => isZero(Math.max(sector, from), sector + 512));
}

/** Which records count in a file that is not damaged: of several batches upon the same one, the first that is complete. */
function counting(records) {
  const counted = new Set();
  let last = 0;
  for (const record of records) {
    if (record.kind !== BATCH || record.upon !== last) continue;
    counted.add(record);
    if (record.isLast) last = record.at;
  }
  // What was never completed does not.
  const complete = new Set(records.filter((record) => record.isLast && counted.has(record)).map(({ id }) => id));
  return new Set([...counted].filter(({ id }) => complete.has(id)));
}

/**
 * What must be read of a file with damage in it: the values, whether the damage is told, and which records are left as they are. `whole` is the file before; `damaged` has the same
 * length.
 */
export function expected(whole, damaged) {
  const all = recordsOf(whole);
  const counted = counting(all);
  const isHit = (from, to) => !Buffer.from(whole.buffer, whole.byteOffset + from, to - from).equals(Buffer.from(damaged.buffer, damaged.byteOffset + from, to - from));
  const isHurt = (record) => isHit(record.at, record.data) || isHit(record.last, record.end);
  const isLost = (record) => record.kind !== DROPPED && isHit(record.at, record.data) && isHit(record.last, record.end);
  const there = all.filter((record) => !isLost(record) && record.kind !== DROPPED);
  const flushed = Math.max(0, ...all.filter((record) => !isLost(record)).map((record) => record.flushed));
  let left = there;
  const says = (position) => left.some(({ at, upon }) => at > position && upon >= position);
  const isKnown = (lost) => {
    const { at } = all.find((record) => record.id === lost.id && record.isLast);
    return says(at) || left.some((record) => record.id === lost.id && record.part > lost.part);
  };
  // Of two upon the same one, the second seems to count when the first is not there, unless another says that it was.
  const takesPlace = (record) => {
    const first = all.find((other) => counted.has(other) && other.upon === record.upon);
    const before = left.find((other) => other.kind === BATCH && other.upon === record.upon);
    return record.kind === BATCH && first !== undefined && isLost(first) && before === record && !says(first.at);
  };
  const counts = (record) => (counted.has(record) && (left.some((other) => other.id === record.id && other.isLast) || isKnown(record))) || takesPlace(record);
  /** The last batch or note, unless it is known to be on the disk, as all is that a file was made of. */
  let run;
  const maker = whole[9] === 1 ? there[0]?.id.split("/")[0] : undefined;
  for (let isTorn = true; isTorn; ) {
    const { id = "" } = left.at(-1) ?? {};
    run = left.slice(left.findLastIndex((record) => record.id !== id) + 1).filter(({ at }) => at >= flushed && id.split("/")[0] !== maker);
    // What nothing stands behind may have been torn. What it deletes is gone only when it was on the disk.
    const isTornAt = (record) => (put) => isHit(put.at, put.end) && !isWiped(damaged, put) && (hasHole(damaged, record.at, put) || isHurt(record));
    isTorn = run.some((record) => counts(record) && record.deletes.length === 0 && record.puts.some(isTornAt(record)));
    if (isTorn) left = left.filter((record) => !run.includes(record));
  }
  const isTorn = left !== there;
  const values = new Map();
  for (const record of left) {
    if (!counts(record)) continue;
    for (const key of record.deletes) values.delete(key);
    for (const { key, at, end } of record.puts) {
      const value = Buffer.from(damaged.subarray(at, end)).map((byte, index) => byte ^ record.mask[(at + index - record.data) % 4]);
      values.set(key, value.toString("latin1"));
    }
  }
  const isTold =
    all.some((record) => counted.has(record) && isLost(record) && isKnown(record)) || left.some((record) => isHurt(record) && !run.includes(record));
  // What a loser took the place of is taken for a write that was cut off.
  const kept = isTorn ? [] : all.filter((record) => counted.has(record) && (!isLost(record) || isKnown(record)));
  return { values, isTold, kept };
}
