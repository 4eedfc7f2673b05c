// Runs rot.js on the work that `bench --peers` compares, one request a line on standard input:
//   {"case": "uniform", "width": 80, "height": 45, "seed": 1, "repeats": 20}
// Answers with the processor time of one repeat in milliseconds, or with "no" for an unknown case.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const ROT = createRequire(`${process.cwd()}/`)("rot-js");
const FOREVER = { timeLimit: 1e9 };  // By default a map gives up after a second.
let width = 0, height = 0, grid = new Uint8Array(0);
const put = (x, y, value) => { grid[x + y * width] = value; };
const made = (Kind, options) => () => new Kind(width, height, options).create(put);

function caves(joined) {
  const map = new ROT.Map.Cellular(width, height);
  map.randomize(0.5);
  for (let round = 0; round < 5; round++) map.create(put);
  if (joined) map.connect(put, 1);
}

// On the cave that was sent: 1 is open, and the searches start at one of its first open tiles.
const open = (x, y) => x >= 0 && y >= 0 && x < width && y < height && grid[x + y * width] === 1;
const tiles = () => [...grid.keys()].filter((place) => grid[place]);
const at = (place) => [place % width, Math.floor(place / width)];

function distances(turn, places) {
  const start = places[turn % Math.min(50, places.length)];
  const search = new ROT.Path.Dijkstra(...at(start), open, { topology: 8 });
  search.compute(...at(places.at(-1)), () => {});
}

function noise() {
  const simplex = new ROT.Noise.Simplex();
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    let value = 0;
    for (let octave = 0, f = 0.1, a = 1; octave < 4; octave++, f *= 2, a /= 2)
      value += a * simplex.get(x * f, y * f);
    grid[x + y * width] = value * 63 + 128;
  }
}

const CASES = {
  rooms: made(ROT.Map.Uniform, FOREVER),
  digger: made(ROT.Map.Digger, FOREVER),
  caves: () => caves(false),
  "joined caves": () => caves(true),
  maze: made(ROT.Map.IceyMaze),
  distances,
  "field of view": (turn, places) => new ROT.FOV.PreciseShadowcasting(open)
    .compute(...at(places[turn * 7919 % places.length]), 8, () => {}),
  noise,
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line), work = CASES[asked.case];
  ({ width, height } = asked);
  grid = asked.cave ? Uint8Array.from(asked.cave, Number) : new Uint8Array(width * height);
  const places = asked.cave ? tiles() : [];
  const began = process.cpuUsage();
  for (let turn = 0; work && turn < asked.repeats; turn++) {
    ROT.RNG.setSeed(asked.seed + turn);
    work(turn, places);
  }
  const spent = process.cpuUsage(began);
  process.stdout.write(`${work ? (spent.user + spent.system) / 1000 / asked.repeats : "no"}\n`);
}
