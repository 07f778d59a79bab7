// The card of a first visit: what Fletch is, and what to do first. Fetched after the first view, by readers who have not closed it yet.

const MET = 'fletch.v1.met';

const STYLE = `
.first { position: fixed; left: 50%; bottom: 6.5rem; z-index: 40; box-sizing: border-box; width: min(35rem, 100vw - 1.5rem); max-height: calc(100dvh - 12rem);
  padding: 1rem 1.5rem; overflow: auto; translate: -50%; border: 1px solid var(--line-strong); border-radius: .75rem; background: var(--surface);
  box-shadow: var(--shadow-high); font-size: 1rem; line-height: 1.5; }
.first h2 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.4; text-wrap: balance; }
.first code { font-size: .9375em; }
.first dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .875rem; margin: .75rem 0; padding: .625rem 0; border: 1px solid var(--line); border-width: 1px 0; font-size: .8125rem; }
.first dt { font-family: var(--mono); } .first dd { margin: 0; color: var(--ink-2); }
.first p:last-child { position: sticky; bottom: -1rem; display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 -1rem; padding: .75rem 0 1rem; background: var(--surface); }
.first p:last-child > * { box-sizing: border-box; height: 2.25rem; padding: 0 .75rem; border: 1px solid var(--line-strong); border-radius: .5rem; background: var(--surface); color: var(--ink); font: 600 .8125rem/2.125rem var(--ui); text-decoration: none; }
.first p .play { border-color: var(--accent); background: var(--accent); color: var(--surface); }
.first p .around { margin-left: auto; border-color: transparent; color: var(--ink-2); font-weight: 400; }
@media (width < 37.5em) { .first { bottom: 9.5rem; padding: 1rem; font-size: .9375rem; } .first dl { display: none; } }
@media (height < 31.25em) { .first { bottom: 5rem; max-height: calc(100dvh - 6rem); } .first dl { display: none; } }
`;

const CARD = `
<h2 id="first-title">A network says nothing about learning. A handler does.</h2>
<p>This program names two layers, <code class="op">FC[ℓ0]</code> and <code class="op">FC[ℓ1]</code>, and leaves open what they do. <code class="handler">H_MLP</code> says it:
what each does on the way out, what it saves, and what it does on the way back. Run them together, and you watch backpropagation happen, one small step at a time.</p>
<dl><dt>let x ⇐ P in Q</dt><dd>run P, call what it gives x, go on with Q</dd>
<dt>⌊ M ⌋</dt><dd>nothing to run: compute M and hand it on</dd>
<dt>sandwich</dt><dd>what has run on the way out and waits for the way back</dd></dl>
<p><button class="play">Play the run</button><a href="#tour">Take the tour</a><button class="around">Look around</button></p>
`;

/** True if the card was closed before. A browser that denies the page storage may throw here, hence the `try`. */
function isMet() {
  try {
    return localStorage.getItem(MET) !== null;
  } catch {
    return false;
  }
}

/** Shows the card until one of its buttons, Escape or the first step closes it permanently. */
export function greet() {
  if (isMet()) return;
  const style = document.createElement('style');
  style.textContent = STYLE;
  const card = document.createElement('section');
  card.className = 'first';
  card.setAttribute('aria-labelledby', 'first-title');
  card.innerHTML = CARD;
  const counter = document.querySelector('.counter');
  const watch = new MutationObserver(() => { if (counter.dataset.step !== '0') close(); });
  const stop = new AbortController();
  function close() {
    try {
      localStorage.setItem(MET, '1');
    } catch { /* Then it comes again. */ }
    watch.disconnect();
    stop.abort();
    card.remove();
    style.remove();
  }
  card.querySelector('.play').addEventListener('click', () => {
    close();
    document.querySelector('.transport .play')?.click();
  });
  card.querySelector('a').addEventListener('click', close);
  card.querySelector('.around').addEventListener('click', close);
  addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); }, { signal: stop.signal });
  // Using other areas of the page closes the card too.
  addEventListener('click', (event) => { if (event.target.closest('.stage-tabs, .head, .tabs, .parts, .editor')) close(); }, { signal: stop.signal });
  if (counter) watch.observe(counter, { attributeFilter: ['data-step'] });
  document.head.append(style);
  document.querySelector('.page')?.after(card);
}
