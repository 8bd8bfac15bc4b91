/** Facts that answer nothing anybody asks in a conversation: about machines, goods and places that nobody names. */

const THINGS = ["pump", "crane", "kiln", "turbine", "conveyor", "compressor", "boiler", "press", "lathe", "furnace", "mixer", "centrifuge"];
const GOODS = ["barley", "copper wire", "slate", "ballast", "rapeseed", "plywood", "gravel", "wool bales", "salt", "resin", "zinc sheets", "lamp oil"];
const SITES = ["Hall", "Dock", "Silo", "Shaft", "Yard", "Depot", "Quay", "Kiln row", "Siding", "Weir", "Lock", "Ramp"];
const STATES = ["was inspected", "was repainted", "was sealed", "lost pressure", "was recalibrated", "passed its test", "was shut down", "was greased"];
const BEETLES = ["Carabus", "Lucanus", "Cetonia", "Dytiscus", "Silpha", "Meloe", "Cassida", "Agonum"];
const STARS = ["dwarf", "giant", "binary", "pulsar", "nebula", "cluster"];

const SENTENCES = [
  (pick, number) => `The ${pick(THINGS)} ${number} in ${pick(SITES)} ${number % 37} ${pick(STATES)}`,
  (pick, number) => `Freight wagon ${number} carries ${2 + (number % 58)} tonnes of ${pick(GOODS)} to ${pick(SITES)} ${number % 41}`,
  (pick, number) => `Specimen ${number} is a ${pick(BEETLES)} beetle of ${3 + (number % 29)} millimetres`,
  (pick, number) => `Catalogue entry ${number} lists a ${pick(STARS)} of magnitude ${4 + (number % 15)}`,
  (pick, number) => `Ledger ${number} records ${pick(GOODS)} against the ${pick(THINGS)} of ${pick(SITES)} ${number % 23}`,
  (pick, number) => `Borehole ${number} met ${pick(GOODS)} below ${20 + (number % 300)} metres of clay`,
];

/** So many different facts; `next` answers numbers from 0 to 1. */
export function unrelated(count, next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  return Array.from({ length: count }, (_, place) => ({ text: pick(SENTENCES)(pick, place + 1001) }));
}
