// Reads zip archives by their central directory.

import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

/** Files of an archive, by name. @param {Uint8Array} bytes */
export function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from, length) => new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(from, from + length));
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  const files = {};
  let at = view.getUint32(end + 16, true);
  for (let rest = view.getUint16(end + 10, true); rest > 0; rest -= 1) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const [sum, size, length] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true), view.getUint16(at + 28, true)];
    const name = text(at + 46, length);
    const local = view.getUint32(at + 42, true);
    assert.equal(view.getUint32(local, true), 0x04034b50);
    assert.equal(text(local + 30, length), name);
    const data = bytes.subarray(local + 30 + length, local + 30 + length + size);
    if (crc32) assert.equal(crc32(data), sum);
    files[name] = new TextDecoder().decode(data);
    at += 46 + length;
  }
  assert.equal(at, end);
  return files;
}
