// SHA-256 (FIPS 180-4), because browsers offer theirs only to pages that come by HTTPS, and a host at home has none.

const BITS = 2 ** 32;
const WORDS = 64;

/** Return the first 32 bits behind the point of roots of the first 64 primes. */
function rootsOfPrimes(power) {
  const found = [];
  for (let number = 2; found.length < WORDS; number++) {
    let prime = true;
    for (let factor = 2; factor * factor <= number && prime; factor++) prime = number % factor !== 0;
    if (prime) found.push(((number ** power % 1) * BITS) | 0);
  }
  return found;
}

const START = rootsOfPrimes(1 / 2).slice(0, 8);
const ROUND = rootsOfPrimes(1 / 3);
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** Return the SHA-256 of bytes, or of a text in UTF-8, as hex digits. */
export function sha256(content) {
  const given = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const whole = new DataView(new ArrayBuffer((((given.length + 8) >> 6) + 1) << 6));
  given.forEach((byte, place) => whole.setUint8(place, byte));
  whole.setUint8(given.length, 0x80);
  whole.setUint32(whole.byteLength - 8, Math.floor(given.length / (BITS / 8)));
  whole.setUint32(whole.byteLength - 4, given.length << 3);
  const state = [...START];
  const words = new Int32Array(WORDS);
  for (let block = 0; block < whole.byteLength; block += 64) {
    for (let i = 0; i < WORDS; i++) {
      if (i < 16) {
        words[i] = whole.getInt32(block + 4 * i);
        continue;
      }
      const [old, recent] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + words[i - 7] + (turned(old, 7) ^ turned(old, 18) ^ (old >>> 3)) + (turned(recent, 17) ^ turned(recent, 19) ^ (recent >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < WORDS; i++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
      const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] = (state[place] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Return bytes that are written as hex digits. */
export const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return random bytes as hex digits. */
export const randomHex = (count) =>
  [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
