// QR codes (ISO/IEC 18004): bytes, error correction M, versions 1 to 10, drawn as SVG.

import { h, svgElement } from "./dom.js";

// by version: error correction codewords in each block, and blocks
const CHECKS = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const LEVEL_M = 0;
const QUIET = 4; // modules of margin

const MASKS = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Return the QR code of a text as rows of booleans, true for dark; null if the text is too long. */
export function matrix(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, each) => each > 0 && capacity(each) >= bytes.length);
  if (version < 0) return null;
  const frame = framed(version);
  lay(frame, interleaved(codewords(bytes, version), version));
  const masked = MASKS.map((mask, number) => finished(frame, mask, number));
  return masked.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

/** Return a picture of the QR code of a text, with words for who does not see it; null if the text is too long. */
export function qrCode(text, words) {
  const rows = matrix(text);
  if (!rows) return null;
  const size = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
  return h("span", { class: "qr" },
    svgElement("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words, "shape-rendering": "crispEdges" },
      svgElement("rect", { width: size, height: size, fill: "#fff" }), svgElement("path", { d: dark.join(""), fill: "#000" })));
}

// ---- codewords

const lengthBits = (version) => (version < 10 ? 8 : 16);
const capacity = (version) => dataWords(version) - Math.ceil((4 + lengthBits(version)) / 8);
const dataWords = (version) => Math.floor(freeModules(version) / 8) - CHECKS[version] * BLOCKS[version];

/** The modules for data and error correction. */
function freeModules(version) {
  const places = aligned(version).length;
  const patterns = places ? 25 * (places ** 2 - 3) - 10 * (places - 2) : 0;
  return (16 * version + 128) * version + 64 - patterns - (version >= 7 ? 36 : 0);
}

function codewords(bytes, version) {
  const bits = [];
  const put = (value, count) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4); // bytes
  put(bytes.length, lengthBits(version));
  bytes.forEach((byte) => put(byte, 8));
  const words = dataWords(version);
  put(0, Math.min(4, words * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const found = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  for (let pad = 0xec; found.length < words; pad ^= 0xec ^ 0x11) found.push(pad);
  return found;
}

/** Split the codewords into blocks, add the error correction of each, and deal them out in turn. */
function interleaved(data, version) {
  const count = BLOCKS[version];
  const short = Math.floor(data.length / count);
  const longer = data.length % count; // the last blocks have one codeword more
  const blocks = Array.from({ length: count }, (_, i) => {
    const from = i * short + Math.max(0, i - (count - longer));
    return data.slice(from, from + short + (i >= count - longer ? 1 : 0));
  });
  const checks = blocks.map((block) => remainder(block, divisor(CHECKS[version])));
  const dealt = (parts) => Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, i) => parts.map((part) => part[i])).flat().filter((word) => word !== undefined);
  return [...dealt(blocks), ...dealt(checks)];
}

/** Multiply in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> i) & 1) * a);
  return product;
}

function divisor(degree) {
  const found = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) found[j] = times(found[j], root) ^ (found[j + 1] ?? 0);
    root = times(root, 2);
  }
  return found;
}

function remainder(data, by) {
  const rest = by.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest.shift();
    rest.push(0);
    by.forEach((each, i) => (rest[i] ^= times(each, factor)));
  }
  return rest;
}

// ---- modules

/** The middles of the alignment patterns, in both directions. */
function aligned(version) {
  if (version === 1) return [];
  const last = 4 * version + 10;
  return version < 7 ? [6, last] : [6, (last + 6) / 2, last];
}

/** Return the fixed patterns: dark or not for each module that is taken, undefined for those of the data. */
function framed(version) {
  const size = 4 * version + 17;
  const rows = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (x, y, dark) => {
    if (rows[y]?.[x] !== undefined || !rows[y] || x < 0 || x >= size) return;
    rows[y][x] = dark;
  };
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = -4; y <= 4; y++) for (let x = -4; x <= 4; x++) {
      const far = Math.max(Math.abs(x), Math.abs(y));
      set(cx + x, cy + y, far !== 2 && far !== 4);
    }
  }
  const middles = aligned(version);
  middles.forEach((cy, i) => middles.forEach((cx, j) => {
    if ((i === 0 || j === 0) && (i === 0 ? j === 0 || j === middles.length - 1 : i === middles.length - 1)) return; // a finder is there
    for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
  }));
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  writeFormat(rows, 0);
  if (version >= 7) {
    const bits = (version << 12) | checked(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      rows[b][a] = rows[a][b] = ((bits >> i) & 1) === 1;
    }
  }
  return rows;
}

/** Return the remainder of a BCH code. */
function checked(value, by, bits) {
  let rest = value;
  for (let i = 0; i < bits; i++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * by);
  return rest;
}

function writeFormat(rows, mask) {
  const size = rows.length;
  const data = (LEVEL_M << 3) | mask;
  const bits = ((data << 10) | checked(data, 0x537, 10)) ^ 0x5412;
  const bit = (i) => ((bits >> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    const near = i < 6 ? i : i < 8 ? i + 1 : null; // in column 8 from the top, then in row 8 to the left
    if (near !== null) rows[near][8] = bit(i);
    else rows[8][i === 8 ? 7 : 14 - i] = bit(i);
    if (i < 8) rows[8][size - 1 - i] = bit(i);
    else rows[size - 15 + i][8] = bit(i);
  }
  rows[size - 8][8] = true;
}

/** Lay the bits of the codewords into the free modules, in pairs of columns up and down: numbers 0 and 1. */
function lay(rows, words) {
  const size = rows.length;
  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) for (const x of [right, right - 1]) {
      const y = up ? size - 1 - step : step;
      if (rows[y][x] === undefined) {
        rows[y][x] = ((words[i >> 3] ?? 0) >> (7 - (i & 7))) & 1;
        i++;
      }
    }
  }
}

function finished(frame, mask, number) {
  const rows = frame.map((row, y) => row.map((module, x) => (typeof module === "number" ? (module === 1) !== mask(x, y) : module)));
  writeFormat(rows, number);
  return rows;
}

/** How hard a code is to read: long runs, squares, false finders, an uneven share of dark. */
function penalty(rows) {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  const text = [...rows, ...columns].map((line) => line.map(Number).join(""));
  let sum = 0;
  for (const line of text) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const finder of ["00001011101", "10111010000"]) for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) sum += 40;
  }
  for (let y = 0; y < size - 1; y++) for (let x = 0; x < size - 1; x++) {
    if (rows[y][x] === rows[y][x + 1] && rows[y][x] === rows[y + 1][x] && rows[y][x] === rows[y + 1][x + 1]) sum += 3;
  }
  const share = rows.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(share * 20 - 10));
}
