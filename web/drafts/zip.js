// A zip archive without compression: programs are short, and every system can open it.

const encoder = new TextEncoder();

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32. @param {Uint8Array} bytes */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Local time and date in MS-DOS format. @param {number} time milliseconds */
function stamp(time) {
  const at = new Date(time);
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
  const clock = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
  return [clock, date & 0xffff];
}

/** Bytes of little-endian numbers, given as pairs of a width in bytes and a number. */
function fields(...pairs) {
  const bytes = [];
  for (const [width, number] of pairs) for (let at = 0; at < width; at += 1) bytes.push(Math.floor(number / 256 ** at) & 255);
  return Uint8Array.from(bytes);
}

/** Builds the archive. @param {{name: string, bytes: Uint8Array, time: number}[]} entries @returns {Uint8Array<ArrayBuffer>} */
export function zip(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  const push = (...chunks) => { for (const chunk of chunks) { parts.push(chunk); offset += chunk.length; } };
  for (const { name, bytes, time } of entries) {
    const path = encoder.encode(name);
    const [clock, date] = stamp(time);
    // Version 2.0; flag for names in UTF-8; method 0 (stored).
    const common = [[2, 20], [2, 0x0800], [2, 0], [2, clock], [2, date], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length], [2, path.length], [2, 0]];
    directory.push(fields([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), path);
    push(fields([4, 0x04034b50], ...common), path, bytes);
  }
  const start = offset;
  push(...directory);
  push(fields([4, 0x06054b50], [4, 0], [2, entries.length], [2, entries.length], [4, offset - start], [4, start], [2, 0]));
  const archive = new Uint8Array(offset);
  let at = 0;
  for (const part of parts) { archive.set(part, at); at += part.length; }
  return archive;
}
