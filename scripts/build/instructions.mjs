/** The instructions of a function: where they name other functions. */
import { readNumber } from "./bytes.mjs";

/** What follows an instruction: `n` numbers in LEB128, `b` bytes. Instructions that are not here stand alone. */
const OPERANDS = new Map();
const define = (opcodes, operands) => opcodes.forEach((opcode) => OPERANDS.set(opcode, operands));
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
define([0x02, 0x03, 0x04, 0x0c, 0x0d, 0x3f, 0x40, 0x41, 0x42, 0xd0, ...range(0x20, 0x26)], { n: 1 });
define([0x11, 0x13, ...range(0x28, 0x3e)], { n: 2 });
define([0x43], { b: 4 });
define([0x44], { b: 8 });
define([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1, ...range(0x45, 0xc4)], {});

/** The same of those behind 0xfc: conversions, and the copying and filling of memory. */
const BULK = new Map();
range(0, 7).forEach((opcode) => BULK.set(opcode, {}));
BULK.set(10, { n: 2 }).set(11, { n: 1 }).set(14, { n: 2 });
range(15, 17).forEach((opcode) => BULK.set(opcode, { n: 1 }));

/** The same of those behind 0xfd: vectors. */
function vectorOperands(opcode) {
  if (opcode <= 11 || opcode === 92 || opcode === 93) return { n: 2 };
  if (opcode === 12 || opcode === 13) return { b: 16 };
  if (opcode >= 21 && opcode <= 34) return { b: 1 };
  return opcode >= 84 && opcode <= 91 ? { n: 2, b: 1 } : {};
}

/**
 * The places in the body of a function where another is named: by a call, by one at its end, or by a reference. Each with its
 * `start` and `end`, its `index`, and the `opcode` before it.
 */
export function* namedFunctions(body) {
  let [groups, at] = readNumber(body, 0);
  for (; groups > 0; groups--) {
    [, at] = readNumber(body, at);
    at++;
  }
  while (at < body.length) {
    const opcode = body[at++];
    if (opcode === 0x10 || opcode === 0x12 || opcode === 0xd2) {
      const [index, end] = readNumber(body, at);
      yield { start: at, end, index, opcode };
      at = end;
      continue;
    }
    let operands = OPERANDS.get(opcode);
    if (opcode === 0x0e) {
      const [count, end] = readNumber(body, at);
      [operands, at] = [{ n: count + 1 }, end];
    } else if (opcode === 0x1c) {
      const [count, end] = readNumber(body, at);
      [operands, at] = [{ b: count }, end];
    } else if (opcode === 0xfc || opcode === 0xfd) {
      const [next, end] = readNumber(body, at);
      [operands, at] = [opcode === 0xfc ? BULK.get(next) : vectorOperands(next), end];
    }
    if (operands === undefined) throw new Error(`an instruction 0x${opcode.toString(16)}, which is not known here`);
    for (let left = operands.n ?? 0; left > 0; left--) [, at] = readNumber(body, at);
    at += operands.b ?? 0;
  }
}
