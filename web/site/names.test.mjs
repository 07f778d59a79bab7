import assert from 'node:assert/strict';
import { test } from 'node:test';

import { shortened } from './names.mjs';

test('a long name is short wherever it stands, and a name without a hash stays', () => {
  const glue = `const now = '__wbg_now_463ac581d2fc7ea3';
imports.__wbg_now_463ac581d2fc7ea3 = () => wasm.wasm_bindgen_2ce2711f5f2d8a0a___convert__closures_____invoke___u32______true_1(0);
imports.__wbg_now_d7176cfb76d71114 = wasm.__wbindgen_malloc;`;
  const { text, short } = shortened(glue);
  assert.equal(text, `const now = '$0';
imports.$0 = () => wasm.$1(0);
imports.$2 = wasm.__wbindgen_malloc;`);
  assert.deepEqual([...short.values()], ['$0', '$1', '$2']);
});
